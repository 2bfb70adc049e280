// The import rules of docs/architecture.md, made from the four lines kept as data in architecture.json.

import { readFileSync } from 'node:fs';

const architecture = JSON.parse(readFileSync(new URL('architecture.json', import.meta.url), 'utf8'));
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from: { pathNot: '\\.test\\.ts$', ...from }, to });
const anyOf = (names) => `(${names.join('|')})`;

/** `a ← b | c ← d` as [[a], [b, c], [d]]. */
const stagesOf = (floor) => architecture.lines[floor].split('←').map((stage) => stage.split('|').map((name) => name.trim()));

/** Without the lower floor that the line begins with, and the files of the root that it ends with. */
const foldersOf = (floor, below) => stagesOf(floor).filter(([name]) => name !== below && !name.endsWith('.ts'));

/** A folder, or a file by its name. */
const placeOf = (root, name) => (/\.tsx?$/.test(name) ? `^${root}/${name.replace('.', '\\.')}$` : `^${root}/${name}/`);

/** A folder imports nothing to its right, and none of its neighbours in the same stage. */
const leftOnly = (floor, stages, root = `src/${floor}`) =>
  stages.flatMap((stage, at) =>
    stage.map((folder) => {
      const refused = stages
        .slice(at)
        .flat()
        .filter((name) => name !== folder)
        .map((name) => placeOf(root, name));
      return rule(
        `${floor}-${folder}`,
        `${floor}/${folder} imports only what is to its left: ${architecture.lines[floor]}`,
        { path: placeOf(root, folder) },
        { path: refused.length === 0 ? '^$' : refused },
      );
    }),
  );

/** The same inside of a folder with wings; `*` stands for the files beside them, and `dialects/*` for every dialect. */
const wings = Object.entries(architecture.wings).flatMap(([folder, line]) => {
  const stages = line.split('←').map((name) => name.trim());
  const path = `^src/${folder.replace('*', '[^/]+')}`;
  const pathOf = (name) => (name === '*' ? `${path}/[^/]+$` : `${path}/${name}/`);
  return stages
    .slice(0, -1)
    .map((name, at) =>
      rule(
        `${folder}/${name}`,
        `${folder}/${name} imports only what is to its left: ${line}`,
        { path: pathOf(name) },
        { path: stages.slice(at + 1).map(pathOf) },
      ),
    );
});

const core = foldersOf('core');
const service = foldersOf('service', 'core');
const doors = foldersOf('doors', 'service');
const aboveVendor = core.flat().slice(core.flat().indexOf('vendor') + 1);
const ioModules = anyOf(['fs', 'fs/promises', 'net', 'tls', 'http', 'https', 'dns', 'child_process', 'worker_threads', 'cluster', 'dgram']);

export default {
  forbidden: [
    { name: 'no-cycles', comment: 'No cycles at all, type imports included.', severity: 'error', from: {}, to: { circular: true } },
    ...leftOnly('core', core),
    ...leftOnly('service', service),
    ...leftOnly('doors', doors),
    ...leftOnly('studio', stagesOf('studio'), 'studio/src'),
    rule('studio-apart', 'Studio knows the service by its API only.', { path: '^studio/src/' }, { path: '^src/' }),
    rule('service-without-studio', 'The service serves Studio as built files.', { path: '^src/' }, { path: '^studio/' }),
    ...wings,
    rule(
      'floor-core',
      'core knows no upper floor.',
      { path: '^src/core/' },
      { path: '^src/(dialects|service|doors)/|^src/((command|compose)/|[^/]+$)' },
    ),
    rule(
      'floor-dialects',
      'A dialect imports core up to vendor.',
      { path: '^src/dialects/' },
      { path: `^src/(service|doors|core/${anyOf(aboveVendor)})/|^src/((command|compose)/|[^/]+$)` },
    ),
    rule(
      'floor-service',
      'service knows no door and no vendor.',
      { path: '^src/service/' },
      { path: '^src/(dialects|doors)/|^src/((command|compose)/|[^/]+$)' },
    ),
    rule(
      'floor-doors',
      'doors know no vendor and no composition.',
      { path: '^src/doors/' },
      { path: '^src/dialects/|^src/((command|compose)/|[^/]+$)' },
    ),
    rule(
      'no-other-dialect',
      'A dialect never imports another.',
      { path: '^src/dialects/([^/]+)/' },
      { path: '^src/dialects/', pathNot: '^src/dialects/$1/' },
    ),
    rule(
      'dialects-opened-by-root',
      'Only the composition root opens a dialect.',
      { path: '^src/', pathNot: ['^src/dialects/', '^src/tain\\.ts$', '\\.test\\.ts$'] },
      { path: '^src/dialects/' },
    ),
    rule(
      'compose-below-root',
      'The composition is put together by the root and knows no command.',
      { path: '^src/compose/' },
      { path: '^src/(command/|(tain|main)\\.ts$)' },
    ),
    rule(
      'graphql-without-rest',
      'Nothing of GraphQL imports REST, its composition included: what both need is an operation.',
      { path: '^src/(doors/graphql/|compose/graphql\\.ts$)' },
      { path: '^src/doors/rest/' },
    ),
    rule(
      'pure-stages',
      'The pure stages do no I/O.',
      { path: `^src/core/${anyOf(architecture.pure)}/` },
      { path: `^(node:)?${ioModules}$` },
    ),
    rule(
      'doors-without-sql',
      'REST and GraphQL call the engine and the service floor, never plan, sql or vendor.',
      { path: `^src/doors/${anyOf(architecture.doorsWithoutSql.doors)}/` },
      { path: `^src/core/${anyOf(architecture.doorsWithoutSql.hidden)}/` },
    ),
    rule(
      'drivers-at-the-edge',
      'Only a dialect’s driver/connection.ts imports a driver package.',
      {
        path: '^src/',
        pathNot: [`^src/dialects/[^/]+/${anyOf(architecture.driverFiles.map((name) => name.replace('.', '\\.')))}$`, '\\.test\\.ts$'],
      },
      { path: `^node_modules/(@types/)?${anyOf(architecture.driverPackages)}/` },
    ),
    rule(
      'loaded-on-first-use',
      'Heavy packages are imported dynamically.',
      { path: '^src/' },
      { path: `^node_modules/${anyOf(architecture.loadedOnFirstUse)}/`, dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    rule('no-test-code', 'The service does not import tests.', { path: '^src/' }, { path: '^(test|bench|scripts)/|\\.test\\.ts$' }),
    rule('not-to-unresolvable', 'Every import resolves.', {}, { couldNotResolve: true }),
    rule(
      'no-dev-dependencies',
      'Only run-time dependencies in src, and the packages that the build contains.',
      // The worker of the sources is started by tests and `npm run dev` only; GraphiQL is bundled by the build.
      {
        path: '^src/',
        pathNot: ['/(?:worker|image-process|script-process)-from-source\\.mjs$', '/graphiql/graphiql\\.js$', '\\.test\\.ts$'],
      },
      {
        pathNot: `^node_modules/${anyOf(architecture.bundledPackages)}/`,
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

// `npm run build`: type-checks src/ and bundles it into a few files in dist/, because loading hundreds of files would take most of the
// start-up time. Copies the pages and writes a stamp, by which `npm start` recognizes that dist/ is current.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildStudio } from './build-studio.mjs';
import { bundleGraphiql } from './bundle-graphiql.mjs';

const root = new URL('../', import.meta.url);
const started = new Date();
if (process.argv.includes('--clean')) rmSync(new URL('dist/', root), { recursive: true, force: true });
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
const types = [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly'];
const result = spawnSync(process.execPath, types, { cwd: fileURLToPath(root), stdio: 'inherit' });
if (result.status !== 0) process.exit(result.status ?? 1);
// What every start loads is part of the bundle: some two hundred small files that would be found and read one by one (decision 27). These
// packages are development dependencies; everything else is loaded from node_modules, most of it on first use.
const { bundledPackages } = readJson('architecture.json');
// The framework asks for these only where nobody has given it others, which create-http.ts does.
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];
const { dependencies, devDependencies, peerDependencies } = readJson('package.json');
const installed = Object.keys({ ...dependencies, ...peerDependencies });
// All bundles lie in dist/ itself, so the files that they load relative to themselves do as well: the worker, the pages, GraphiQL.
const { metafile } = await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: {
    main: 'src/main.ts',
    tain: 'src/tain.ts',
    worker: 'src/dialects/sqlite/driver/worker/worker.ts',
    'image-process': 'src/service/files/images/image-process.ts',
    'script-process': 'src/service/automation/script/script-process.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  external: [...installed, ...Object.keys(devDependencies).filter((name) => !bundledPackages.includes(name)), ...unused],
  // The bundled packages are CommonJS and ask for modules of Node by `require`.
  banner: { js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
  metafile: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
});
refuseUninstalled('the bundles', importsOf(metafile.outputs));
refuseUninstalled('the declarations', importsOfDeclarations(new URL('dist/tain.d.ts', root)));
writeFileSync(new URL('dist/licenses.txt', root), licensesOf(Object.keys(metafile.inputs)));
cpSync(new URL('src/doors/rest/pages/', root), new URL('dist/pages/', root), { recursive: true });
// GraphiQL is a development dependency, so the build includes its bundle.
const graphiql = new URL('dist/graphiql/', root);
mkdirSync(new URL('bundle/', graphiql), { recursive: true });
cpSync(new URL('src/doors/graphql/graphiql/graphiql.html', root), new URL('graphiql.html', graphiql));
for (const [name, content] of await bundleGraphiql()) writeFileSync(new URL(`bundle/${name}`, graphiql), content);
await buildStudio();
chmodSync(new URL('dist/main.js', root), 0o755);
writeFileSync(new URL('dist/.built', root), started.toISOString());

function readJson(name) {
  return JSON.parse(readFileSync(new URL(name, root), 'utf8'));
}

/** What is published asks only for packages that are installed with it. */
function refuseUninstalled(where, imports) {
  const packages = imports.filter((path) => !isBuiltin(path)).map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0]);
  const missing = packages.filter((name) => !installed.includes(name) && !unused.includes(name));
  if (missing.length > 0) throw new Error(`${where} name what is no dependency: ${[...new Set(missing)].join(', ')}`);
}

function importsOf(outputs) {
  return Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external).map(({ path }) => path));
}

/** The packages named by a declaration file and by those that it leads to. */
function importsOfDeclarations(entry) {
  const pending = [entry.href];
  const packages = [];
  for (const href of pending)
    for (const [, path] of readFileSync(new URL(href), 'utf8').matchAll(/(?:from|import\(|import|module) ?'([^']+)'/g))
      if (!path.startsWith('.')) packages.push(path);
      else if (!pending.includes(new URL(path.replace(/js$/, 'd.ts'), href).href))
        pending.push(new URL(path.replace(/js$/, 'd.ts'), href).href);
  return packages;
}

/** The licences of the packages that the bundles contain, as they demand. */
function licensesOf(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  return [...folders].toSorted().map(licenseOf).join('\n\n');
}

function licenseOf(folder) {
  const url = new URL(`${folder}/`, root);
  const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', url), 'utf8'));
  const file = readdirSync(url).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${file === undefined ? '' : readFileSync(new URL(file, url), 'utf8').trim()}`;
}

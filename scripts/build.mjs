// `npm run build`: checks src/ and puts it together in a few files of dist/, since loading hundreds would take most of the start; copies
// the pages, and leaves a stamp by which `npm start` knows that dist/ is current.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const started = new Date();
if (process.argv.includes('--clean')) rmSync(new URL('dist/', root), { recursive: true, force: true });
const tsc = fileURLToPath(new URL('node_modules/typescript/bin/tsc', root));
const types = [tsc, '-p', 'tsconfig.build.json', '--emitDeclarationOnly'];
const result = spawnSync(process.execPath, types, { cwd: fileURLToPath(root), stdio: 'inherit' });
if (result.status !== 0) process.exit(result.status ?? 1);
// All files stand in dist/ itself, so what they find beside themselves stands there, too: the worker, the pages, GraphiQL.
await build({
  absWorkingDir: fileURLToPath(root),
  entryPoints: { main: 'src/main.ts', tain: 'src/tain.ts', worker: 'src/dialects/sqlite/worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
});
cpSync(new URL('src/doors/rest/pages/', root), new URL('dist/pages/', root), { recursive: true });
// GraphiQL is a development package: the built service carries the files it serves (src/doors/graphql/graphiql-page.ts).
const graphiql = {
  'react.js': 'react/umd/react.production.min.js',
  'react-dom.js': 'react-dom/umd/react-dom.production.min.js',
  'graphiql.js': 'graphiql/graphiql.min.js',
  'graphiql.css': 'graphiql/graphiql.min.css',
};
for (const [name, from] of Object.entries(graphiql)) cpSync(new URL(`node_modules/${from}`, root), new URL(`dist/graphiql/${name}`, root));
chmodSync(new URL('dist/main.js', root), 0o755);
writeFileSync(new URL('dist/.built', root), started.toISOString());

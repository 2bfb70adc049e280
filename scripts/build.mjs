// `npm run build`: checks src/ and puts it together in a few files of dist/, since loading hundreds would take most of the start; copies
// the pages, and leaves a stamp by which `npm start` knows that dist/ is current.

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleGraphiql } from './bundle-graphiql.mjs';

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
// GraphiQL is a development package: the built service carries its bundle.
const graphiql = new URL('dist/graphiql/', root);
mkdirSync(new URL('bundle/', graphiql), { recursive: true });
cpSync(new URL('src/doors/graphql/graphiql/graphiql.html', root), new URL('graphiql.html', graphiql));
for (const [name, content] of await bundleGraphiql()) writeFileSync(new URL(`bundle/${name}`, graphiql), content);
chmodSync(new URL('dist/main.js', root), 0o755);
writeFileSync(new URL('dist/.built', root), started.toISOString());

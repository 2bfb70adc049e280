// Starts worker.ts from the sources, for tests and development. A thread that compiles one module after the other takes a second to start:
// they become one file, which serves every thread until a source changes.

import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../../../../', import.meta.url);
const folder = new URL('node_modules/.cache/tain/', root);
const made = new URL('sqlite-worker.mjs', folder);

if (!isCurrent()) await make();
await import(made.href);

/** The first line of the file tells its sources, and when each was changed last. */
function isCurrent() {
  try {
    const [first] = readFileSync(made, 'utf8').split('\n', 1);
    return JSON.parse(first.slice('// '.length)).every(([source, changed]) => changedAt(source) === changed);
  } catch {
    return false;
  }
}

async function make() {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [fileURLToPath(new URL('worker.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  });
  const sources = Object.keys(metafile.inputs).map((source) => [source, changedAt(source)]);
  mkdirSync(folder, { recursive: true });
  // Under a name of its own first: other threads may read the file at this moment.
  const unfinished = new URL(`sqlite-worker-${process.pid}-${performance.now()}.mjs`, folder);
  writeFileSync(unfinished, `// ${JSON.stringify(sources)}\n${outputFiles[0].text}`);
  renameSync(unfinished, made);
}

function changedAt(source) {
  return statSync(new URL(source, root)).mtimeMs;
}

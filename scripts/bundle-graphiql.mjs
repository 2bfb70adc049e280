// GraphiQL, React and our few lines around them as one script and one style sheet; by name, in memory.

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));

export async function bundleGraphiql() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/doors/graphql/graphiql/graphiql.js'],
    outdir: 'dist/graphiql/bundle',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    legalComments: 'eof',
    logLevel: 'warning',
    write: false,
  });
  return new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
}

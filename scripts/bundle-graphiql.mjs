// Bundles GraphiQL and React into one script and one style sheet, returned by name without writing files.

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

// Builds Studio into dist/studio and writes each asset compressed beside itself, so that the service compresses nothing at run time.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const studio = new URL('../studio/', import.meta.url);
const assets = new URL('../dist/studio/assets/', import.meta.url);

/** `node scripts/build-studio.mjs` builds Studio alone. */
export async function buildStudio() {
  // Tests build it, too, and it is the same build.
  process.env.NODE_ENV = 'production';
  await build({ root: fileURLToPath(studio), configFile: fileURLToPath(new URL('vite.config.ts', studio)), logLevel: 'warn' });
  for (const name of readdirSync(assets)) {
    const content = readFileSync(new URL(name, assets));
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    writeFileSync(new URL(`${name}.br`, assets), brotliCompressSync(content, quality));
    writeFileSync(new URL(`${name}.gz`, assets), gzipSync(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildStudio();

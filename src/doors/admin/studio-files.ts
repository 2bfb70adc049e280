// The built files of Studio: the page that every address of the application gets, and its assets, which the build has written compressed, so
// that nothing is compressed at run time.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAccepted } from '../http/answer/compress.js';

type Encoding = 'br' | 'gzip' | 'identity';

interface Asset {
  readonly content: Buffer;
  readonly type: string;
  readonly encoding: Encoding;
}

export interface StudioFiles {
  /** The page, whose relative addresses begin at `base`. */
  page(base: string): string;
  /** Null when there is no such file. */
  asset(name: string, accepted: string): Promise<Asset | null>;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const endings: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

/** Beside the bundle when the service is built; in dist/ when it runs from the sources. */
const places = [new URL('./studio/', import.meta.url), new URL('../../../dist/studio/', import.meta.url)];

/** Null when Studio has not been built. */
export function findStudio(): StudioFiles | null {
  const folder = places.find((place) => existsSync(new URL('index.html', place)));
  if (folder === undefined) return null;
  const page = readFileSync(new URL('index.html', folder), 'utf8');
  const assets = new URL('assets/', folder);
  // Only names that the build has written can be read.
  const names = new Set(readdirSync(assets));
  return {
    page: (base) => page.replace('<base href="/admin/"', `<base href="${base}"`),
    asset: async (name, accepted) => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)];
      if (!names.has(name) || type === undefined) return null;
      const encoding = chooseEncoding(name, accepted, names);
      const content = await readWritten(new URL(name + endings[encoding], assets));
      return content === null ? null : { content, type, encoding };
    },
  };
}

/** Null when a later build has replaced the file. */
async function readWritten(place: URL): Promise<Buffer | null> {
  try {
    return await readFile(place);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function chooseEncoding(name: string, accepted: string, names: ReadonlySet<string>): Encoding {
  return (['br', 'gzip'] as const).find((encoding) => names.has(name + endings[encoding]) && isAccepted(accepted, encoding)) ?? 'identity';
}

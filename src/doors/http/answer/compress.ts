// Compresses answers for clients that accept it. Uses fast levels, which still reduce JSON to a tenth; the work is done by libuv's threads,
// not by the main thread.

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip, type ZlibOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Shorter answers fit into one packet uncompressed. */
export const leastCompressed = 1024;

const brotliOptions: BrotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const gzipOptions: ZlibOptions = { level: 1 };

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export const compress = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? compressors.br(text, brotliOptions) : compressors.gzip(text, gzipOptions);

export const compressor = (encoding: Encoding): Transform =>
  encoding === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);

/** Cached, because clients send the same few headers. */
const known = new Map<string, Encoding | null>();
const mostKnown = 100;

/** The encoding for an `Accept-Encoding` header; null: as it is. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const found = known.get(accepted);
  if (found !== undefined) return found;
  const chosen = (['br', 'gzip'] as const).find((encoding) => isAccepted(accepted, encoding)) ?? null;
  if (known.size >= mostKnown) known.clear();
  known.set(accepted, chosen);
  return chosen;
}

export const isAccepted = (accepted: string, encoding: Encoding): boolean =>
  accepted.split(',').some((entry) => {
    const [coding = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    return coding === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

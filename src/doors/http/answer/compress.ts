// Compression of answers for clients that accept it. The levels are the cheap ones: JSON shrinks to a tenth by them, and the work is done by
// threads of libuv, not by the one that answers requests.

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, constants, createBrotliCompress, createGzip, gzip, type ZlibOptions } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** Shorter answers fit into one packet as they are. */
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

/** Clients send the same few headers again and again. */
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

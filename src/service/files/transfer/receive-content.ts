// Streams a content into a storage: counts its bytes, detects its type by the first bytes, and refuses it above the limit.

import { refusal } from '../../../core/errors/refusals.js';
import { refusalError } from '../../../core/errors/service-error.js';
import { makeContentName } from '../storage/content-name.js';
import type { Storage } from '../storage/storage.js';

export interface ReceivedContent {
  readonly storage: string;
  readonly name: string;
  readonly size: number;
  /** The type that the first bytes announce, or the declared type if they announce none. */
  readonly type: string;
}

export interface ContentOffer {
  readonly filename: string;
  readonly declaredType: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

const headSize = 64;

export async function receiveContent(storage: Storage, offer: ContentOffer, limit: number): Promise<ReceivedContent> {
  const name = makeContentName(offer.filename);
  let size = 0;
  let head = Buffer.alloc(0);
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of offer.bytes) {
      size += chunk.length;
      if (size > limit) throw contentTooLarge(limit);
      if (head.length < headSize) head = Buffer.concat([head, chunk.subarray(0, headSize - head.length)]);
      yield chunk;
    }
  };
  await storage.write(name, counted());
  return { storage: storage.name, name, size, type: detectType(offer.declaredType, head) };
}

export const contentTooLarge = (limit: number): Error => refusalError('CONTENT_TOO_LARGE', refusal('file_too_large', { limit }));

/** A declared raster type that the bytes do not confirm becomes application/octet-stream. */
function detectType(declared: string, head: Buffer): string {
  const seen = sniffImage(head);
  if (seen !== null) return seen;
  const [type = ''] = declared.toLowerCase().split(';');
  const valid = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type.trim());
  return valid && !safeRasterTypes.has(type.trim()) ? type.trim() : 'application/octet-stream';
}

/** Image types that are safe to show inline, because they cannot contain scripts. */
export const safeRasterTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

const isAscii = (head: Buffer, at: number, text: string): boolean => head.toString('latin1', at, at + text.length) === text;

const marks: readonly { readonly type: string; readonly test: (head: Buffer) => boolean }[] = [
  { type: 'image/png', test: (head) => isAscii(head, 0, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', test: (head) => isAscii(head, 0, '\xff\xd8\xff') },
  { type: 'image/gif', test: (head) => isAscii(head, 0, 'GIF87a') || isAscii(head, 0, 'GIF89a') },
  { type: 'image/webp', test: (head) => isAscii(head, 0, 'RIFF') && isAscii(head, 8, 'WEBP') },
  { type: 'image/avif', test: (head) => isAscii(head, 4, 'ftypavif') || isAscii(head, 4, 'ftypavis') },
  { type: 'image/tiff', test: (head) => isAscii(head, 0, 'II*\0') || isAscii(head, 0, 'MM\0*') },
];

/** The raster image that the first bytes announce, or null. */
const sniffImage = (head: Buffer): string | null => marks.find(({ test }) => test(head))?.type ?? null;

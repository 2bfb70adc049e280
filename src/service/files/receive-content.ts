// A content on its way into a storage: counted, its first bytes kept, refused when it grows too large.

import { serviceError } from '../../core/errors/service-error.js';
import { makeContentName } from './content-name.js';
import { sniffImage } from './sniff-image.js';
import type { Storage } from './storage.js';

export interface ReceivedContent {
  readonly storage: string;
  readonly name: string;
  readonly size: number;
  /** What the content is by its first bytes, or what its sender says when these say nothing. */
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
  return { storage: storage.name, name, size, type: judgeType(offer.declaredType, head) };
}

export const contentTooLarge = (limit: number): Error =>
  serviceError('CONTENT_TOO_LARGE', `The file is larger than ${limit} bytes.`, { limit });

/** A raster image has to look like one: what only says so is bytes. */
function judgeType(declared: string, head: Buffer): string {
  const seen = sniffImage(head);
  if (seen !== null) return seen;
  const [type = ''] = declared.toLowerCase().split(';');
  const valid = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(type.trim());
  return valid && !safeRasterTypes.has(type.trim()) ? type.trim() : 'application/octet-stream';
}

/** Images a browser may show in place: they cannot hold a script. */
export const safeRasterTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']);

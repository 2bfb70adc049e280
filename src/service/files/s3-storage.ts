// Contents as objects of a bucket. What is larger than one part goes up in parts, so that memory holds one part at a time and nothing is
// visible before the last one is there.

import { isContentName } from './content-name.js';
import { type Bucket, openBucket, type S3Answer } from './s3-client.js';
import type { Storage } from './storage.js';

/** The least a part may have, and so what an upload holds in memory. */
const partSize = 8 * 1024 * 1024;

export const openS3Storage = async (address: string): Promise<Storage> => storageOf(await openBucket(address));

function storageOf(bucket: Bucket): Storage {
  const keyOf = (name: string): string => {
    if (!isContentName(name)) throw new Error('not the name of a content');
    return bucket.prefix + name;
  };
  return {
    name: 's3',
    write: async (name, content) => writeObject(bucket, keyOf(name), content),
    async size(name) {
      if (!isContentName(name)) return null;
      return (await orMissing(bucket.send('HeadObject', { Key: keyOf(name) })))?.ContentLength ?? null;
    },
    async read(name, range) {
      if (!isContentName(name)) return null;
      const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
      return (await orMissing(bucket.send('GetObject', { Key: keyOf(name), ...part })))?.Body ?? null;
    },
    async remove(name) {
      if (isContentName(name)) await bucket.send('DeleteObject', { Key: keyOf(name) });
    },
    async removeFolder(folder) {
      if (isContentName(folder)) await removeObjects(bucket, `${keyOf(folder)}/`);
    },
  };
}

async function writeObject(bucket: Bucket, key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const parts = inParts(content);
  const first = await parts.next();
  const body = first.value ?? Buffer.alloc(0);
  if (first.done || body.length < partSize) {
    await bucket.send('PutObject', { Key: key, Body: body, ContentLength: body.length });
    return;
  }
  const { UploadId } = await bucket.send('CreateMultipartUpload', { Key: key });
  try {
    const sent: { readonly ETag: string | undefined; readonly PartNumber: number }[] = [];
    for (let part: Buffer | undefined = body; part !== undefined; part = (await parts.next()).value ?? undefined) {
      const PartNumber = sent.length + 1;
      const { ETag } = await bucket.send('UploadPart', { Key: key, UploadId, PartNumber, Body: part, ContentLength: part.length });
      sent.push({ ETag, PartNumber });
    }
    await bucket.send('CompleteMultipartUpload', { Key: key, UploadId, MultipartUpload: { Parts: sent } });
  } catch (error) {
    await bucket.send('AbortMultipartUpload', { Key: key, UploadId });
    throw error;
  }
}

/** Pieces of exactly one part's size, the last one shorter. */
async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= partSize) {
      const all = Buffer.concat(chunks, size);
      yield all.subarray(0, partSize);
      chunks = [all.subarray(partSize)];
      size -= partSize;
    }
  }
  if (size > 0) yield Buffer.concat(chunks, size);
}

async function removeObjects(bucket: Bucket, prefix: string): Promise<void> {
  let more = true;
  while (more) {
    const { Contents = [], IsTruncated = false } = await bucket.send('ListObjectsV2', { Prefix: prefix });
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length > 0) await bucket.send('DeleteObjects', { Delete: { Objects, Quiet: true } });
    more = IsTruncated && Objects.length > 0;
  }
}

async function orMissing(answer: Promise<S3Answer>): Promise<S3Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return null;
    throw error;
  }
}

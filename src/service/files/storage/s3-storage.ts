// Stores contents as objects of a bucket. A content larger than one part is uploaded in parts: memory holds one part at a time, and the
// object becomes visible when the last part has arrived.

import { Readable } from 'node:stream';
import { generated, isContentName, isGeneratedName } from './content-name.js';
import { type Bucket, openBucket } from './s3-client.js';
import type { Storage, StoredContent } from './storage.js';

/** The bytes of one part, and so the memory that an upload needs. S3 requires at least 5 MiB. */
const partSize = 8 * 1024 * 1024;

export const openS3Storage = async (address: string, storageName = 's3'): Promise<Storage> =>
  storageOf(await openBucket(address), storageName);

function storageOf(bucket: Bucket, storageName: string): Storage {
  const { client } = bucket;
  const placeOf = (name: string): Place => {
    if (!isContentName(name)) throw new Error('not the name of a content');
    return { Bucket: bucket.name, Key: bucket.prefix + name };
  };
  return {
    name: storageName,
    write: async (name, content) => writeObject(bucket, placeOf(generated(name)), content),
    async size(name) {
      if (!isContentName(name)) return null;
      return (await orMissing(client.headObject(placeOf(name))))?.ContentLength ?? null;
    },
    async read(name, range) {
      if (!isContentName(name)) return null;
      const part = range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` };
      const body = (await orMissing(client.getObject({ ...placeOf(name), ...part })))?.Body;
      return body instanceof Readable ? body : null;
    },
    async remove(name) {
      if (isContentName(name)) await client.deleteObject(placeOf(name));
    },
    list: (prefix) => listObjects(bucket, prefix),
    async removeFolder(folder) {
      if (isGeneratedName(folder)) await removeObjects(bucket, `${placeOf(folder).Key}/`);
    },
  };
}

interface Place {
  readonly Bucket: string;
  readonly Key: string;
}

async function writeObject({ client }: Bucket, place: Place, content: AsyncIterable<Uint8Array>): Promise<void> {
  const parts = inParts(content);
  const first = await parts.next();
  const body = first.value ?? Buffer.alloc(0);
  if (first.done || body.length < partSize) {
    await client.putObject({ ...place, Body: body });
    return;
  }
  const upload = { ...place, UploadId: (await client.createMultipartUpload(place)).UploadId };
  try {
    const sent: { readonly ETag: string | undefined; readonly PartNumber: number }[] = [];
    for (let part: Buffer | undefined = body; part !== undefined; part = (await parts.next()).value ?? undefined) {
      const PartNumber = sent.length + 1;
      const { ETag } = await client.uploadPart({ ...upload, PartNumber, Body: part });
      sent.push({ ETag, PartNumber });
    }
    await client.completeMultipartUpload({ ...upload, MultipartUpload: { Parts: sent } });
  } catch (error) {
    // Report the first error, not one of the cleanup.
    await client.abortMultipartUpload(upload).catch(() => undefined);
    throw error;
  }
}

/** Chunks of exactly `partSize` bytes; the last one may be shorter. */
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

async function* listObjects({ client, name, prefix: root }: Bucket, prefix: string): AsyncGenerator<StoredContent> {
  let last: string | undefined;
  let more = true;
  while (more) {
    const after = last === undefined ? {} : { StartAfter: last };
    const { Contents = [], IsTruncated = false } = await client.listObjectsV2({ Bucket: name, Prefix: root + prefix, ...after });
    for (const { Key = '', Size = 0, LastModified } of Contents)
      yield { name: Key.slice(root.length), size: Size, changedAt: LastModified?.getTime() ?? Date.now() };
    last = Contents.at(-1)?.Key;
    more = IsTruncated && last !== undefined;
  }
}

async function removeObjects({ client, name }: Bucket, prefix: string): Promise<void> {
  let more = true;
  while (more) {
    const { Contents = [], IsTruncated = false } = await client.listObjectsV2({ Bucket: name, Prefix: prefix });
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length > 0) await client.deleteObjects({ Bucket: name, Delete: { Objects, Quiet: true } });
    more = IsTruncated && Objects.length > 0;
  }
}

async function orMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return null;
    throw error;
  }
}

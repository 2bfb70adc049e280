// Files in a bucket: the same service, with its contents elsewhere.

import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BucketServer, startBucket } from '../harness/bucket-server.js';
import { codeOf } from '../harness/people.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeImage, makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';

const megabyte = 1024 * 1024;

describe('files in a bucket', () => {
  let service: TestService;
  let folder: StorageFolder;
  let bucket: BucketServer;

  beforeAll(async () => {
    folder = makeStorageFolder();
    bucket = await startBucket('uploads');
    const config = { storageRoot: folder.root, storageUrl: bucket.url, uploadLimit: 20 * megabyte };
    service = await startService({ name: 'sqlite', server: '', label: 'SQLite' }, { area: 'bucket', config });
  });
  afterAll(async () => {
    await service.stop();
    bucket.stop();
    folder.remove();
  });

  const asset = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${service.url}/assets/${path}`, { headers: { authorization: `Bearer ${adminToken}`, ...headers } });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('go there and come back, whole and in ranges', async () => {
    const { id, storage, filename_disk: name } = (await upload(service.api, { name: 'a.txt', bytes: '0123456789' })).body.data;
    expect(storage).toBe('s3');
    expect(bucket.objects.get(`uploads/${name}`)?.toString()).toBe('0123456789');
    const part = await asset(id, { range: 'bytes=2-4' });
    expect([part.status, part.bytes.toString(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const again = await asset(id, { 'if-none-match': part.headers.get('etag') ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    expect(folder.list()).toEqual([]);
  });

  it('go up in parts when they are large, and leave nothing when they are too large', async () => {
    const content = Buffer.alloc(17 * megabyte, 'tain');
    const { id, filename_disk: name, filesize } = (await upload(service.api, { name: 'large.bin', bytes: content })).body.data;
    expect([filesize, bucket.parts.get(`uploads/${name}`)]).toEqual([String(content.length), 3]);
    expect((await asset(id)).bytes.equals(content)).toBe(true);
    const kept = bucket.objects.size;
    expect(codeOf(await upload(service.api, { name: 'larger.bin', bytes: Buffer.alloc(21 * megabyte) }))).toBe('413 CONTENT_TOO_LARGE');
    expect([bucket.objects.size, bucket.unfinished.size]).toEqual([kept, 0]);
  });

  it('are transformed once, replaced, and removed with all that was made of them', async () => {
    const before = bucket.objects.size;
    const image = await makeImage(80, 40);
    const { id } = (await upload(service.api, { name: 'a.png', type: 'image/png', bytes: image })).body.data;
    for (const width of [10, 20, 30]) {
      expect(await sharp((await asset(`${id}?width=${width}`)).bytes).metadata()).toMatchObject({ width, height: width / 2 });
    }
    await asset(`${id}?width=10`);
    expect(bucket.objects.size).toBe(before + 4);
    await service.api.request('PATCH', `/files/${id}`, { raw: makeForm([{ name: 'b.txt', bytes: 'text' }]) });
    expect(bucket.objects.size).toBe(before + 1);
    expect((await asset(id)).bytes.toString()).toBe('text');
    expect((await service.api.delete(`/files/${id}`)).status).toBe(204);
    expect(bucket.objects.size).toBe(before);
  });

  it('are unavailable while the bucket is, and no item is made without its content', async () => {
    const { id } = (await upload(service.api, { name: 'a.txt', bytes: 'there' })).body.data;
    const [count] = await service.sql('select count(*) as n from service_files');
    bucket.stop();
    expect(codeOf(await service.api.get(`/assets/${id}`))).toBe('503 SERVICE_UNAVAILABLE');
    expect(codeOf(await upload(service.api, { name: 'b.txt', bytes: 'lost' }))).toBe('503 SERVICE_UNAVAILABLE');
    expect(await service.sql('select count(*) as n from service_files')).toEqual([count]);
  });
});

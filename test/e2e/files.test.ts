// Files over HTTP: upload, change, replace, delete, and their contents at /assets.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAll } from '../../src/service/files/storage/storage.js';
import type { Asset } from '../../src/service/files/transfer/read-asset.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeImage, makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';

describeEachVendor('files', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;

  beforeAll(async () => {
    folder = makeStorageFolder();
    service = await startService(vendor, { area: 'files', config: { storageRoot: folder.root, uploadLimit: 1024 * 1024 } });
  });

  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  const bytesOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: 'Bearer tain-test-admin-token', ...headers },
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('stores an upload and serves it again', async () => {
    const answer = await upload(service.api, { name: 'my-notes_2.txt', bytes: 'hello' }, { description: 'd', tags: '["a","b"]' });
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({
      storage: 'local',
      filename_download: 'my-notes_2.txt',
      title: 'My Notes 2',
      type: 'text/plain',
      filesize: '5',
      description: 'd',
      tags: ['a', 'b'],
      width: null,
    });
    expect(data.filename_disk).toMatch(/^[0-9a-f-]{36}\.txt$/);
    expect(data.uploaded_by).toMatch(/^[0-9a-f-]{36}$/);
    expect(data.uploaded_on).toMatch(/^\d{4}-/);
    const asset = await bytesOf(`/assets/${data.id}`);
    expect([asset.status, asset.bytes.toString()]).toEqual([200, 'hello']);
    expect(asset.headers.get('content-length')).toBe('5');
    expect(asset.headers.get('content-disposition')).toBe('attachment; filename="my-notes_2.txt"');
    const head = await bytesOf(`/assets/${data.id}`, {}, 'HEAD');
    expect([head.status, head.bytes.length, head.headers.get('content-length')]).toEqual([200, 0, '5']);
  });

  it('takes several files at once, each described by the texts before it', async () => {
    const form = new FormData();
    form.append('title', 'One');
    form.append('file', new Blob(['1'], { type: 'text/plain' }), 'a.txt');
    form.append('title', 'Two');
    form.append('file', new Blob(['22'], { type: 'text/plain' }), 'b.txt');
    const answer = await service.api.request('POST', '/files?fields=title,filesize', { raw: form });
    expect(answer.body).toEqual({
      data: [
        { title: 'One', filesize: '1' },
        { title: 'Two', filesize: '2' },
      ],
    });
  });

  it('takes texts after a single file, and refuses them after several', async () => {
    const one = makeForm([{ name: 'a.txt', bytes: '1' }]);
    one.append('title', 'Late');
    expect((await service.api.request('POST', '/files?fields=title', { raw: one })).body).toEqual({ data: { title: 'Late' } });
    const several = makeForm([
      { name: 'a.txt', bytes: '1' },
      { name: 'b.txt', bytes: '2' },
    ]);
    several.append('title', 'Whose?');
    const stored = folder.list().length;
    expect(codeOf(await service.api.request('POST', '/files', { raw: several }))).toBe('400 INVALID_PAYLOAD');
    expect(folder.list()).toHaveLength(stored);
  });

  it('refuses forms without a file, unknown fields and what is too large, and leaves nothing behind', async () => {
    const stored = folder.list().length;
    const count = (await service.sql('select count(*) as n from service_files'))[0];
    expect(codeOf(await service.api.request('POST', '/files', { raw: makeForm([], { title: 'x' }) }))).toBe('400 INVALID_PAYLOAD');
    expect(codeOf(await upload(service.api, { name: 'a.txt', bytes: '1' }, { nonsense: 'x' }))).toBe('403 FORBIDDEN');
    const tooLarge = await upload(service.api, { name: 'a.bin', bytes: new Uint8Array(1024 * 1024 + 1) });
    expect(codeOf(tooLarge)).toBe('413 CONTENT_TOO_LARGE');
    expect(codeOf(await service.api.request('PATCH', '/files', { raw: makeForm([{ name: 'a', bytes: '1' }]) }))).toBe(
      '415 UNSUPPORTED_MEDIA_TYPE',
    );
    expect(codeOf(await service.as(null).request('POST', '/files', { raw: makeForm([{ name: 'a', bytes: '1' }]) }))).toBe('403 FORBIDDEN');
    expect(folder.list()).toHaveLength(stored);
    expect((await service.sql('select count(*) as n from service_files'))[0]).toEqual(count);
    const exact = await upload(service.api, { name: 'a.bin', bytes: new Uint8Array(1024 * 1024) });
    expect(exact.body.data.filesize).toBe(String(1024 * 1024));
  });

  it('keeps an item without content, whose asset is as good as none', async () => {
    const record = { title: 'r', filename_download: 'a.txt', type: 'text/plain', storage: 'local' };
    const { id } = (await service.api.post('/files', record)).body.data;
    expect(codeOf(await service.api.get(`/assets/${id}`))).toBe('403 FORBIDDEN');
    expect((await service.api.delete(`/files/${id}`)).status).toBe(204);
    expect(codeOf(await service.api.post('/files', { ...record, storage: 'moon' }))).toBe('400 INVALID_PAYLOAD');
  });

  it('replaces a content, and the old one goes', async () => {
    const { id, filename_disk: before } = (await upload(service.api, { name: 'a.txt', bytes: 'old' }, { title: 'Kept' })).body.data;
    const tag = (await bytesOf(`/assets/${id}`)).headers.get('etag');
    const answer = await service.api.request('PATCH', `/files/${id}`, { raw: makeForm([{ name: 'b.txt', bytes: 'newer' }]) });
    expect(answer.body.data).toMatchObject({ id, title: 'Kept', filename_download: 'b.txt', filesize: '5' });
    const asset = await bytesOf(`/assets/${id}`);
    expect(asset.bytes.toString()).toBe('newer');
    expect(asset.headers.get('etag')).not.toBe(tag);
    expect(existsSync(join(folder.root, before))).toBe(false);
    expect(existsSync(join(folder.root, answer.body.data.filename_disk))).toBe(true);
    const nobody = '11111111-2222-4333-8444-555555555555';
    const stored = folder.list().length;
    expect(codeOf(await service.api.request('PATCH', `/files/${nobody}`, { raw: makeForm([{ name: 'b', bytes: '1' }]) }))).toBe(
      '403 FORBIDDEN',
    );
    expect(folder.list()).toHaveLength(stored);
  });

  it('removes contents and what was made of them, however the item is deleted', async () => {
    const image = await makeImage(40, 20);
    const ids: string[] = [];
    for (const name of ['a.png', 'b.png']) ids.push((await upload(service.api, { name, type: 'image/png', bytes: image })).body.data.id);
    const before = folder.list();
    await bytesOf(`/assets/${ids[0]}?width=10`);
    expect(folder.list()).toHaveLength(before.length + 1);
    expect((await service.api.delete('/files', { query: { filter: { id: { _in: ids } } } })).status).toBe(204);
    expect(folder.list()).toHaveLength(before.length - 2);
  });

  it('serves ranges and knows what a client already has', async () => {
    const { id } = (await upload(service.api, { name: 'a.txt', bytes: '0123456789' })).body.data;
    const path = `/assets/${id}`;
    const part = await bytesOf(path, { range: 'bytes=2-4' });
    expect([part.status, part.bytes.toString(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const beyond = await bytesOf(path, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    const whole = await bytesOf(path);
    const again = await bytesOf(path, { 'if-none-match': whole.headers.get('etag') ?? '' });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('gives an embedding application the content as a stream', async () => {
    const { id } = (await upload(service.api, { name: 'a.txt', bytes: '0123456789' })).body.data;
    const admin = { user: (await service.api.get('/users/me?fields=id')).body.data.id };
    const asset = (await service.call('readAsset', { id }, admin)) as Asset;
    expect(asset).toMatchObject({ type: 'text/plain', size: 10, filename: 'a.txt' });
    expect(asset.etag).toBe((await bytesOf(`/assets/${id}`)).headers.get('etag'));
    expect((await readAll(await asset.read())).toString()).toBe('0123456789');
    expect((await readAll(await asset.read({ first: 2, last: 4 }))).toString()).toBe('234');
    await expect(service.call('readAsset', { id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const image = (await upload(service.api, { name: 'a.png', type: 'image/png', bytes: await makeImage(40, 20) })).body.data.id;
    const small = (await service.call('readAsset', { id: image, parameters: { width: 10, format: 'webp' } }, admin)) as Asset;
    expect([small.type, small.filename]).toEqual(['image/webp', 'a.webp']);
    expect(await sharp(await readAll(await small.read())).metadata()).toMatchObject({ width: 10, height: 5 });
    await service.api.delete(`/files/${id}`);
    await expect(asset.read()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('transforms images once, by parameters and by preset', async () => {
    const image = await makeImage(200, 100);
    const { id, width, height } = (await upload(service.api, { name: 'a.png', type: 'image/png', bytes: image })).body.data;
    expect([width, height]).toEqual([200, 100]);
    const small = await bytesOf(`/assets/${id}?width=50&format=webp&quality=60`);
    expect(small.headers.get('content-type')).toBe('image/webp');
    expect(small.headers.get('content-disposition')).toBe('inline; filename="a.webp"');
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 50, height: 25 });
    const kept = folder.list().length;
    expect((await bytesOf(`/assets/${id}?quality=60&width=50&format=webp`)).bytes.equals(small.bytes)).toBe(true);
    expect(folder.list()).toHaveLength(kept);
    expect(await sharp((await bytesOf(`/assets/${id}?width=50&height=50&fit=cover`)).bytes).metadata()).toMatchObject({
      width: 50,
      height: 50,
    });
    const varying = 'Accept-Encoding, Authorization, Cookie, Origin, Accept';
    const best = await bytesOf(`/assets/${id}?format=auto&width=20`, { accept: 'image/avif,image/webp' });
    expect([best.headers.get('content-type'), best.headers.get('vary')]).toEqual(['image/avif', varying]);
    for (const [accept, type] of [
      ['image/webp,image/*;q=0.8', 'image/webp'],
      ['image/avif;q=0, image/webp;q=0.5', 'image/webp'],
      ['IMAGE/AVIF', 'image/avif'],
      ['*/*', 'image/jpeg'],
      ['image/jpeg', 'image/jpeg'],
      ['image/png,image/jpeg;q=0', 'image/png'],
      ['image/*,image/jpeg;q=0', 'image/png'],
      ['text/html', 'image/jpeg'],
    ] as const) {
      const chosen = await bytesOf(`/assets/${id}?format=auto&width=20`, { accept });
      expect([chosen.headers.get('content-type'), chosen.headers.get('vary')], accept).toEqual([type, varying]);
    }

    const presets = [{ key: 'thumb', fit: 'contain', width: 10, height: 10, format: 'jpg' }];
    await service.api.patch('/settings', { storage_asset_presets: presets, storage_asset_transform: 'presets' });
    expect((await bytesOf(`/assets/${id}?key=thumb`)).headers.get('content-type')).toBe('image/jpeg');
    expect(codeOf(await service.api.get(`/assets/${id}?width=50`))).toBe('400 INVALID_QUERY');
    expect(codeOf(await service.api.get(`/assets/${id}?key=other`))).toBe('400 INVALID_QUERY');
    await service.api.patch('/settings', { storage_asset_transform: 'none' });
    expect(codeOf(await service.api.get(`/assets/${id}?key=thumb`))).toBe('400 INVALID_QUERY');
    expect((await bytesOf(`/assets/${id}`)).bytes.equals(image)).toBe(true);
    await service.api.patch('/settings', { storage_asset_presets: null, storage_asset_transform: 'all' });
  });

  it('puts new files into the default folder', async () => {
    const { id } = (await service.api.post('/folders', { name: 'inbox' })).body.data;
    await service.api.patch('/settings', { storage_default_folder: id });
    expect((await upload(service.api, { name: 'a.txt', bytes: '1' })).body.data.folder).toBe(id);
    await service.api.patch('/settings', { storage_default_folder: null });
  });
});

// The client package and everything around items: files and assets, utilities, what the service says about itself.

import * as sdk from '@directus/sdk';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { adminClient } from '../harness/sdk-client.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeImage, makeStorageFolder, type StorageFolder } from '../harness/upload.js';

interface Task {
  id: number;
  name: string;
  place: number | null;
}

interface Tasks {
  tasks: Task[];
}

const fixture =
  "create table tasks (id integer primary key, name varchar(50) not null, place integer); insert into tasks values (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)";

describeEachVendor('the client: files and the service', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;
  let client: ReturnType<typeof adminClient<Tasks>>;

  beforeAll(async () => {
    folder = makeStorageFolder();
    service = await startService(vendor, { area: 'sdk_service', fixture, config: { storageRoot: folder.root } });
    client = adminClient<Tasks>(service);
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  it('uploads files and reads them as assets', async () => {
    const { id: inbox } = await client.request(sdk.createFolder({ name: 'Inbox' }));
    const image = await makeImage(64, 32);
    const file = await client.request(
      sdk.uploadFiles(makeForm([{ name: 'blue.png', type: 'image/png', bytes: image }], { title: 'Blue', folder: inbox })),
    );
    expect(file).toMatchObject({ title: 'Blue', folder: inbox, type: 'image/png', width: 64, height: 32 });
    expect(Buffer.from(await client.request(sdk.readAssetArrayBuffer(file.id))).equals(image)).toBe(true);
    const small = await client.request(sdk.readAssetBlob(file.id, { width: 16, height: 16, fit: 'cover', format: 'webp', quality: 50 }));
    expect(small.type).toBe('image/webp');
    expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 16, height: 16, format: 'webp' });
    const stream = await client.request(sdk.readAssetRaw(file.id));
    expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(image)).toBe(true);
    expect(await client.request(sdk.updateFile(file.id, { description: 'All of it' }))).toMatchObject({ description: 'All of it' });
    expect(await client.request(sdk.updateFile(file.id, makeForm([{ name: 'note.txt', bytes: 'text' }])))).toMatchObject({
      type: 'text/plain',
      description: 'All of it',
    });
    expect(await client.request(sdk.readFiles({ filter: { folder: { name: { _eq: 'Inbox' } } } as never, fields: ['title'] }))).toEqual([
      { title: 'Blue' },
    ]);
    await expect(client.request(sdk.importFile('http://127.0.0.1:1/x'))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
    await client.request(sdk.deleteFile(file.id));
    expect(folder.list()).toEqual([]);
  });

  it('uses the utilities', async () => {
    const hash = await client.request(sdk.generateHash('open sesame'));
    expect(await client.request(sdk.verifyHash('open sesame', hash))).toBe(true);
    expect(await client.request(sdk.verifyHash('open', hash))).toBe(false);
    expect(await client.request(sdk.randomString(12))).toHaveLength(12);
    await client.request(sdk.updateCollection('tasks', { meta: { sort_field: 'place' } } as never));
    await client.request(sdk.utilitySort('tasks', '3', 1));
    expect(await client.request(sdk.readItems('tasks', { fields: ['name'], sort: 'place' }))).toEqual([
      { name: 'c' },
      { name: 'a' },
      { name: 'b' },
    ]);
    await client.request(sdk.clearCache());
  });

  it('keeps history, and goes back in it', async () => {
    await client.request(sdk.updateItem('tasks', 1, { name: 'changed' }));
    await client.request(sdk.updateItem('tasks', 1, { name: 'changed again' }));
    const activities = await client.request(
      sdk.readActivities({ filter: { collection: { _eq: 'tasks' as never }, action: { _eq: 'update' } }, fields: ['item'] }),
    );
    expect(activities.length).toBeGreaterThanOrEqual(2);
    const [, revision] = await client.request(
      sdk.readRevisions({
        filter: { collection: { _eq: 'tasks' as never }, item: { _eq: '1' } },
        sort: '-id',
        limit: 2,
        fields: ['id', 'data'],
      }),
    );
    expect(revision).toMatchObject({ data: { name: 'changed' } });
    await client.request(sdk.customEndpoint({ path: `/utils/revert/${revision?.id}`, method: 'POST' }));
    expect(await client.request(sdk.readItem('tasks', 1, { fields: ['name'] }))).toEqual({ name: 'changed' });
  });

  it('asks the service what it is', async () => {
    expect(await client.request(sdk.serverPing())).toBe('pong');
    expect(await client.request(sdk.serverInfo())).toMatchObject({ project: { project_name: 'Tain' } });
    expect((await client.request(sdk.serverHealth())).status).toMatch(/ok|warn/);
    expect(await client.request(sdk.readOpenApiSpec())).toMatchObject({ openapi: '3.1.0' });
    expect(await client.request(sdk.readGraphqlSdl())).toContain('type Query');
    expect(await client.request(sdk.updateSettings({ project_name: 'Tasks' }))).toMatchObject({ project_name: 'Tasks' });
    expect(await client.request(sdk.readSettings({ fields: ['project_name'] }))).toEqual({ project_name: 'Tasks' });
  });
});

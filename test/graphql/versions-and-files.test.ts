// Versions of items, and files from elsewhere, in GraphQL.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson } from '../harness/people.js';
import { type RemoteFiles, startRemoteFiles } from '../harness/remote-files.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, type StorageFolder } from '../harness/upload.js';

const fixture = `
  create table authors (id integer primary key, name varchar(50));
  create table books (id integer primary key, title varchar(50), price decimal(10,2), stock bigint, secret varchar(50), author integer,
    foreign key (author) references authors (id));
  create table shop (id integer primary key, name varchar(50));
  insert into authors values (1, 'Ada'), (2, 'Bo');
  insert into books values (7, 'main', 1.50, 3, 'hidden', 1);
  insert into shop values (1, 'the shop');
`;

describeEachVendor('versions and files in GraphQL', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;
  let elsewhere: RemoteFiles;
  const versions: Record<string, string> = {};

  beforeAll(async () => {
    folder = makeStorageFolder();
    elsewhere = await startRemoteFiles();
    const config = { storageRoot: folder.root, importAllow: ['127.0.0.1'] };
    service = await startService(vendor, { area: 'graphql_versions', fixture, config });
    await service.api.patch('/collections/books', { meta: { versioning: true } });
    await service.api.patch('/collections/shop', { meta: { versioning: true, singleton: true } });
    for (const [collection, item] of [
      ['books', '7'],
      ['shop', '1'],
    ] as const)
      versions[collection] = (await service.api.post('/versions', { collection, item, key: 'draft', name: 'Draft' })).body.data.id;
  });
  afterAll(async () => {
    await service.stop();
    elsewhere.stop();
    folder.remove();
  });

  const system = async (query: string, variables: object) => (await service.api.graphql(query, variables, '/graphql/system')).body;

  it('saves changes, and reads the item as its version has it', async () => {
    const saved = await system('mutation($id: ID!, $data: JSON!) { versions_save(id: $id, data: $data) }', {
      id: versions['books'],
      data: { title: 'draft', price: '2.75', author: 2 },
    });
    expect(saved).toEqual({
      data: { versions_save: { id: 7, title: 'draft', price: '2.75', stock: '3', secret: 'hidden', author: 2 } },
    });
    const { body } = await service.api.graphql(`{
      main: books_by_id(id: 7) { title price stock author { name } }
      laid: books_by_id(id: 7, version: "draft") { title price stock author { name } }
      raw: books_by_version(id: 7, version: "draft") { __typename id title price stock author }
    }`);
    expect(body).toEqual({
      data: {
        main: { title: 'main', price: 1.5, stock: '3', author: { name: 'Ada' } },
        laid: { title: 'draft', price: 2.75, stock: '3', author: { name: 'Bo' } },
        raw: { __typename: 'version_books', id: '7', title: 'draft', price: 2.75, stock: '3', author: 2 },
      },
    });
  });

  it('reads a version of the one item of a singleton', async () => {
    await system('mutation($id: ID!) { versions_save(id: $id, data: {name: "renamed"}) }', { id: versions['shop'] });
    const { body } = await service.api.graphql(
      '{ shop_by_version(version: "draft") { name } shop(version: "draft") { name } main: shop { name } }',
    );
    expect(body.data).toEqual({ shop_by_version: { name: 'renamed' }, shop: { name: 'renamed' }, main: { name: 'the shop' } });
  });

  it('shows of a version what the caller may read of the item, and nothing of one that is not there', async () => {
    await system('mutation($id: ID!) { versions_save(id: $id, data: {secret: "still hidden"}) }', { id: versions['books'] });
    const reader = await makePerson(service, [
      {
        permissions: [
          { collection: 'books', action: 'read', fields: ['id', 'title'] },
          { collection: 'service_versions', action: 'read' },
        ],
      },
    ]);
    const ask = async (query: string) => (await reader.api.graphql(query)).body;
    expect(await ask('{ books_by_version(id: 7, version: "draft") { title } }')).toEqual({
      data: { books_by_version: { title: 'draft' } },
    });
    expect((await ask('{ books_by_version(id: 7, version: "draft") { secret } }')).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION');
    const stranger = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    for (const [api, version] of [
      [reader.api, 'none'],
      [stranger.api, 'draft'],
    ] as const) {
      const { data, errors } = (await api.graphql(`{ books_by_version(id: 7, version: "${version}") { title } }`)).body;
      expect([data.books_by_version, errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
    }
  });

  it('compares and promotes', async () => {
    const { data } = await system('query($id: ID!) { versions_compare(id: $id) }', { id: versions['books'] });
    const { mainHash, current, main } = data.versions_compare;
    expect([current.title, main.title]).toEqual(['draft', 'main']);
    const promote = 'mutation($id: ID!, $hash: String!) { versions_promote(id: $id, mainHash: $hash, fields: ["title"]) }';
    expect((await system(promote, { id: versions['books'], hash: 'stale' })).errors[0].extensions.code).toBe('VERSION_HASH_MISMATCH');
    expect((await system(promote, { id: versions['books'], hash: mainHash })).data.versions_promote).toBe(7);
    expect((await service.api.get('/items/books/7?fields=title,secret')).body.data).toEqual({ title: 'draft', secret: 'hidden' });
  });

  it('demands the type of a new file by every way in', async () => {
    const data = { storage: 'local', filename_download: 'a' };
    const { data: none, errors } = await system('mutation($d: create_service_files_input!) { create_files_item(data: $d) { id } }', {
      d: data,
    });
    expect([none.create_files_item, errors[0].extensions.code]).toEqual([null, 'INVALID_PAYLOAD']);
    const batch = { operations: [{ method: 'POST', path: '/files', body: [{ ...data, type: null }, data] }] };
    for (const [path, body] of [
      ['/files', data],
      ['/files', [data]],
      ['/batch', batch],
    ] as const) {
      const { body: refused } = await service.api.post(path, body);
      expect([path, refused.errors[0].extensions.code]).toEqual([path, 'INVALID_PAYLOAD']);
    }
  });

  const importFile = (url: string) => ({
    query: 'mutation($url: String!) { import_file(url: $url, data: {title: "Fetched"}) { id title type filesize } }',
    url,
  });

  it('fetches a file from elsewhere', async () => {
    const { query, url } = importFile(`${elsewhere.url}/some/notes.txt`);
    const { import_file: file } = (await system(query, { url })).data;
    expect(file).toMatchObject({ title: 'Fetched', type: 'text/plain', filesize: '14' });
    expect((await service.api.get(`/assets/${file.id}`)).text).toBe('from elsewhere');
  });

  it('F01: fetches nothing from forbidden addresses or for callers without the right, and leaves nothing behind', async () => {
    const stored = folder.list().length;
    const { query, url } = importFile(elsewhere.url.replace('127.0.0.1', '127.0.0.2'));
    expect((await system(query, { url })).errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE');
    const nobody = await makePerson(service, [{ permissions: [{ collection: 'service_files', action: 'read' }] }]);
    const refused = await nobody.api.graphql(query, { url: elsewhere.url }, '/graphql/system');
    expect(refused.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION');
    expect(folder.list()).toHaveLength(stored);
  });

  it('answers true for a file that may be made and not read', async () => {
    const giver = await makePerson(service, [{ permissions: [{ collection: 'service_files', action: 'create' }] }]);
    const { body } = await giver.api.graphql(
      'mutation($url: String!) { import_file(url: $url) }',
      { url: elsewhere.url },
      '/graphql/system',
    );
    expect(body.data.import_file).toBe(true);
  });
});

// `Idempotency-Key` on writes that are more than items: done once, the first answer again, another request under the same key refused.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson, makePolicy } from '../harness/people.js';
import { type RemoteFiles, startRemoteFiles } from '../harness/remote-files.js';
import { waitFor } from '../harness/run-command.js';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeStorageFolder, type StorageFolder } from '../harness/upload.js';

const fixture =
  "create table tasks (id integer primary key, name varchar(50), place integer); insert into tasks values (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)";

describeEachVendor('idempotency of every write', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;
  let elsewhere: RemoteFiles;

  beforeAll(async () => {
    folder = makeStorageFolder();
    elsewhere = await startRemoteFiles();
    const config = { storageRoot: folder.root, importAllow: ['127.0.0.1'], trustProxy: true };
    service = await startService(vendor, { area: 'idempotency', fixture, config });
    await service.api.patch('/collections/tasks', { meta: { sort_field: 'place' } });
  });
  afterAll(async () => {
    await service.stop();
    elsewhere.stop();
    folder.remove();
  });

  /** Twice the same, then another under the same key. */
  async function expectOnce(key: string, send: (headers: Readonly<Record<string, string>>, body: 'same' | 'other') => Promise<Answer>) {
    const headers = { 'idempotency-key': key };
    const [first, again, other] = [await send(headers, 'same'), await send(headers, 'same'), await send(headers, 'other')];
    expect([first.status, again.status, again.text, first.headers.get('idempotent-replayed'), codeOf(other)]).toEqual([
      again.status,
      first.status,
      first.text,
      null,
      '422 UNPROCESSABLE_CONTENT',
    ]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    return first;
  }

  const count = async (table: string): Promise<number> => Number((await service.sql(`select count(*) as n from ${table}`))[0]?.['n']);

  it('changes of structure', async () => {
    const make = await expectOnce('s1', (headers, body) =>
      service.api.post('/collections', { collection: body === 'same' ? 'made' : 'unmade', schema: {}, meta: {} }, headers),
    );
    expect(make.body.data.collection).toBe('made');
    await expectOnce('s2', (headers, body) =>
      service.api.post('/fields/made', { field: 'name', type: body === 'same' ? 'string' : 'text' }, headers),
    );
    await expectOnce('s3', (headers, body) => service.api.delete(`/fields/made/${body === 'same' ? 'name' : 'id'}`, undefined, headers));
    expect((await service.api.get('/fields/made')).body.data).toHaveLength(1);
  });

  it('a refused change gives its key back, and a preview takes none', async () => {
    const headers = { 'idempotency-key': 's4' };
    const body = { collection: 'later', schema: {}, meta: {} };
    expect(codeOf(await service.api.post('/collections', { ...body, fields: 'none' }, headers))).toBe('400 INVALID_PAYLOAD');
    expect((await service.api.post('/collections', body, { ...headers, prefer: 'dry-run' })).headers.get('preference-applied')).toBe(
      'dry-run',
    );
    expect((await service.api.post('/collections', body, headers)).status).toBe(200);
  });

  it('G08: of ten requests at once one creates the collection, and no other does', async () => {
    const send = () => service.api.post('/collections', { collection: 'raced', schema: {}, meta: {} }, { 'idempotency-key': 's5' });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    const codes = new Set(answers.map(codeOf));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const code of codes) expect(['200', '503 SERVICE_UNAVAILABLE']).toContain(code);
    expect((await send()).headers.get('idempotent-replayed')).toBe('true');
  });

  it('a key whose taker is gone is free again', async () => {
    const headers = { 'idempotency-key': 's6' };
    const send = () => service.api.post('/collections', { collection: 'orphaned', schema: {}, meta: {} }, headers);
    await send();
    await service.sql(
      'update service_idempotency set status = null, body = null where "key" = \'s6\''.replaceAll('"', vendor.name === 'mysql' ? '`' : '"'),
    );
    expect(codeOf(await send())).toBe('503 SERVICE_UNAVAILABLE');
    await service.sql("update service_idempotency set created = '2020-01-01 00:00:00' where status is null");
    expect(codeOf(await send())).toBe('400 INVALID_PAYLOAD');
  });

  it('sorting and reverting', async () => {
    await expectOnce('u1', (headers, body) => service.api.post('/utils/sort/tasks', { item: 3, to: body === 'same' ? 1 : 2 }, headers));
    const { data } = (await service.api.get('/items/tasks?sort=place&fields=name')).body;
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['c', 'a', 'b']);
    await service.api.patch('/items/tasks/1', { name: 'changed' });
    const [revision] = (await service.api.get('/revisions?filter[item]=1&sort=-id&limit=1')).body.data;
    await expectOnce('u2', (headers, body) => service.api.post(`/utils/revert/${body === 'same' ? revision.id : 1}`, undefined, headers));
  });

  it('items from a file', async () => {
    const before = await count('tasks');
    await expectOnce('u3', (headers, body) =>
      service.api.request('POST', '/utils/import/tasks', {
        raw: makeForm([{ name: 'tasks.csv', type: 'text/csv', bytes: `id,name\n10,${body}\n11,x\n` }]),
        headers,
      }),
    );
    expect(await count('tasks')).toBe(before + 2);
  });

  it('files fetched and files sent', async () => {
    const [before, stored] = [await count('service_files'), folder.list().length];
    await expectOnce('f1', (headers, body) => service.api.post('/files/import', { url: `${elsewhere.url}/${body}/notes.txt` }, headers));
    expect(elsewhere.asked()).toBe(1);
    await expectOnce('f2', (headers, body) =>
      service.api.request('POST', '/files', { raw: makeForm([{ name: `${body}.txt`, bytes: 'sent' }]), headers }),
    );
    expect([await count('service_files'), folder.list().length]).toEqual([before + 2, stored + 2]);
  });

  it('exports and invitations', async () => {
    const exported = await count('service_files');
    await expectOnce('u4', (headers, body) =>
      service.api.post('/utils/export/tasks', { query: {}, format: body === 'same' ? 'csv' : 'json' }, headers),
    );
    await waitFor(async () => ((await count('service_files')) > exported ? true : null), 60_000);
    const [role] = (await service.api.get('/roles?fields=id')).body.data;
    const before = await count('service_users');
    await expectOnce('a1', (headers, body) => service.api.post('/users/invite', { email: `${body}@example.com`, role: role.id }, headers));
    expect(await count('service_users')).toBe(before + 1);
  });

  it('the own user, whatever the repetition expects of it', async () => {
    const path = '/users/me?fields=title';
    const first = await expectOnce('own', (headers, title) => service.api.patch(path, { title }, headers));
    expect(first.body).toEqual({ data: { title: 'same' } });
    const etag = first.headers.get('etag') ?? '';
    const change = (tag: string) => service.api.patch(path, { title: 'matched' }, { 'idempotency-key': 'own-matched', 'if-match': tag });
    expect((await change(etag)).body).toEqual({ data: { title: 'matched' } });
    for (const tag of [etag, '"another"']) {
      const again = await change(tag);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    }
    expect(codeOf(await service.api.patch(path, { title: 'late' }, { 'if-match': etag }))).toBe('412 PRECONDITION_FAILED');
    expect((await service.api.get(path)).body).toEqual({ data: { title: 'matched' } });
  });

  it('the same in GraphQL', async () => {
    const before = await count('tasks');
    const send = (headers: Readonly<Record<string, string>>, field: string) =>
      service.api.request('POST', '/graphql/system', { body: { query: `mutation { ${field} }` }, headers });
    const again = async (key: string, field: string) => {
      const headers = { 'idempotency-key': key };
      const [first, second] = [await send(headers, field), await send(headers, field)];
      expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
      expect(first.body.errors).toBeUndefined();
    };
    await again('g1', 'create_fields_item(collection: "tasks", data: {field: "note", type: "string"}) { field }');
    await again('g2', 'upsert_items(collection: "tasks", data: [{id: 20, name: "x"}], on_conflict: ["id"])');
    await again('g3', 'batch(operations: [{method: "POST", path: "/items/tasks", body: {id: 21, name: "y"}}])');
    await again('g5', 'update_users_me(data: {title: "by GraphQL"}) { title }');
    expect(await count('tasks')).toBe(before + 2);
    const login = `auth_login(email: "${adminEmail}", password: "${adminPassword}") { access_token }`;
    const tokens = [await send({ 'idempotency-key': 'g4' }, login), await send({ 'idempotency-key': 'g4' }, login)];
    expect(new Set(tokens.map(({ body }) => body.data.auth_login.access_token)).size).toBe(2);
  });

  it('H20: an answer is for the rights it was given to, and a stranger does not get that of another', async () => {
    const may = (action: 'create' | 'read') => ({ collection: 'tasks', action }) as const;
    const person = await makePerson(service, [{ permissions: [may('create')] }, { permissions: [may('read')] }]);
    const send = (api: Api, id: number, headers: Readonly<Record<string, string>> = {}) =>
      api.post('/items/tasks', { id, name: 'secret' }, { 'idempotency-key': 'rights', ...headers });
    expect((await send(person.api, 30)).body.data.name).toBe('secret');
    const again = await send(person.api, 30);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    await service.api.delete(`/policies/${person.policies[1]}`);
    expect(codeOf(await send(person.api, 30))).toBe('422 UNPROCESSABLE_CONTENT');
    await service.api.delete(`/policies/${person.policies[0]}`);
    expect((await send(person.api, 30)).status).toBeGreaterThanOrEqual(400);

    const policy = await makePolicy(service, { permissions: [may('create'), may('read')] });
    await service.api.post('/access', { role: null, user: null, policy });
    const [one, other] = ['203.0.113.1', '203.0.113.2'].map((address) => ({ 'x-forwarded-for': address }));
    const before = await count('tasks');
    for (const [id, from, replayed] of [
      [31, one, null],
      [31, one, 'true'],
      [32, other, null],
    ] as const) {
      const answer = await send(service.as(null), id, from);
      expect([answer.body.data?.id, answer.headers.get('idempotent-replayed')]).toEqual([id, replayed]);
    }
    expect(await count('tasks')).toBe(before + 2);
    await service.api.delete(`/policies/${policy}`);
  });

  it('leaves alone what hands out tokens: they are kept nowhere', async () => {
    const before = await count('service_idempotency');
    const login = () =>
      service.as(null).post('/auth/login', { email: adminEmail, password: adminPassword }, { 'idempotency-key': 'login' });
    const [first, second] = [await login(), await login()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.data.access_token).not.toBe(second.body.data.access_token);
    expect(await count('service_idempotency')).toBe(before);
  });
});

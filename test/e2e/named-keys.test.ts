// Views, foreign tables and tables without a key are written once somebody names their key. The name is metadata: nothing in the database changes.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { patience } from '../harness/patience.js';
import { readStructure } from '../harness/read-structure.js';
import { startService, type TestService } from '../harness/start-service.js';

const refusal = ({ status, body }: Answer): string => `${status} ${body.errors[0].extensions.code}: ${body.errors[0].message}`;

describeEachVendor('a key that somebody names', (vendor) => {
  let service: TestService;
  const name = (collection: string, key: readonly string[] | null) =>
    service.api.patch(`/collections/${collection}`, { schema: { primary_key: key } });

  beforeAll(async () => {
    const fixture = readFileSync(new URL(`../fixtures/keyless.${vendor.name}.sql`, import.meta.url), 'utf8');
    service = await startService(vendor, { area: 'named_key', fixture });
  });
  afterAll(() => service.stop());

  it('is said to be missing, and is said once it is named', async () => {
    expect((await service.api.get('/collections/titles')).body.data.schema).toMatchObject({
      primary_key: null,
      read_only: 'read only: it has no primary key, since it is a view',
    });
    expect((await service.api.get('/collections/authors')).body.data.schema).not.toHaveProperty('primary_key');
    const before = await readStructure(vendor.name, service);
    const named = await name('titles', ['id']);
    expect([named.status, named.body.data.schema]).toEqual([200, { name: 'titles', schema: null, comment: null, primary_key: ['id'] }]);
    const field = (await service.api.get('/fields/titles/id')).body.data;
    expect([field.schema.is_primary_key, field.meta.special]).toEqual([true, 'key']);
    expect(await readStructure(vendor.name, service)).toEqual(before);
    // What was read can be sent back, and naming it again changes nothing.
    expect((await service.api.patch('/collections/titles', named.body.data)).status).toBe(200);
    expect((await name('titles', ['id'])).body.data).toEqual(named.body.data);
    expect((await service.api.post('/schema/diff', (await service.api.get('/schema/snapshot')).body.data)).status).toBe(204);
  });

  describe.each(['titles', 'guarded', 'loose', 'pairs', ...(vendor.name === 'postgres' ? ['distant'] : [])])('of "%s"', (collection) => {
    const isPair = collection === 'pairs';
    const key = isPair ? ['a', 'b'] : ['id'];
    const item = (id: number, title: string): Readonly<Record<string, unknown>> => (isPair ? { a: id, b: 'x', title } : { id, title });
    const path = (id: number): string => `/items/${collection}/${isPair ? `${id},x` : id}`;

    it('opens it to writes, by both doors', async () => {
      expect((await name(collection, key)).status).toBe(200);
      const made = await service.api.post(`/items/${collection}`, item(10, 'made'));
      expect([made.status, made.body.data]).toEqual([200, expect.objectContaining(item(10, 'made'))]);
      const many = await service.api.post(`/items/${collection}`, [item(11, 'b'), item(12, 'c')]);
      expect(many.body.data).toEqual([expect.objectContaining(item(11, 'b')), expect.objectContaining(item(12, 'c'))]);
      const changed = await service.api.patch(path(10), { title: 'changed' });
      expect([changed.status, changed.body.data.title]).toEqual([200, 'changed']);
      expect((await service.api.get(path(10))).body.data.title).toBe('changed');
      const batch = await service.api.patch(`/items/${collection}`, [item(11, 'b2'), item(12, 'c2')]);
      expect(batch.body.data.map(({ title }: { readonly title: string }) => title)).toEqual(['b2', 'c2']);
      const same = await service.api.patch(`/items/${collection}`, {
        query: { filter: { title: { _in: ['b2', 'c2'] } } },
        data: { title: 'd' },
      });
      expect([same.status, same.body.data.length]).toEqual([200, 2]);
      const upserted = await service.api.post(`/items/${collection}?on_conflict=${key.join(',')}`, [item(12, 'up'), item(13, 'new')]);
      expect([upserted.status, JSON.stringify(upserted.body)]).toEqual([200, expect.stringContaining('"new"')]);
      const graphql = await service.api.graphql(
        `mutation ($data: create_${collection}_input!, $id: ID!) {
          create_${collection}_item(data: $data) { title }
          update_${collection}_item(id: $id, data: { title: "g2" }) { title }
        }`,
        { data: item(14, 'g'), id: isPair ? '14,x' : '14' },
      );
      expect(graphql.body).toEqual({
        data: { [`create_${collection}_item`]: { title: 'g' }, [`update_${collection}_item`]: { title: 'g2' } },
      });
      expect((await service.api.delete(path(14))).status).toBe(204);
      expect(
        (
          await service.api.delete(
            `/items/${collection}`,
            [10, 11, 12, 13].map((id) => (isPair ? `${id},x` : id)),
          )
        ).status,
      ).toBe(204);
      expect((await service.api.get(path(10))).status).toBe(403);
      const history = await service.api.get(`/revisions?filter[collection][_eq]=${collection}&fields=item,activity.action&sort=id`);
      expect(history.body.data[0]).toEqual({ item: isPair ? '10,x' : '10', activity: { action: 'create' } });
    });

    it('stands for one item', async () => {
      await name(collection, key);
      const before = await service.checksums();
      const twice = `400 RECORD_NOT_UNIQUE: Value for field "${key.join(',')}" in collection "${collection}" has to be unique.`;
      const first = await service.api.post(`/items/${collection}`, item(1, 'again'));
      expect(refusal(first)).toMatch(/^400 RECORD_NOT_UNIQUE: /);
      if (collection === 'loose' || isPair) {
        expect(refusal(first)).toBe(twice);
        expect(refusal(await service.api.post(`/items/${collection}`, [item(50, 'a'), item(50, 'b')]))).toBe(twice);
        const { [key[0] ?? '']: _, ...keyless } = item(51, 'no key');
        expect(refusal(await service.api.post(`/items/${collection}`, keyless))).toBe(
          `400 FAILED_VALIDATION: Validation failed for field "${key[0]}". Value is required.`,
        );
      }
      expect(refusal(await service.api.patch(path(1), { [key[0] ?? '']: 77 }))).toMatch(/^400 INVALID_PAYLOAD: /);
      expect((await service.api.patch(path(99), { title: 'x' })).status).toBe(403);
      expect((await service.api.delete(path(99))).status).toBe(403);
      expect(await service.checksums()).toEqual(before);
    });

    it('is kept from those without the right', async () => {
      await name(collection, key);
      const may = { title: { _neq: 'secret' } };
      const { token } = await makeUser(service.api, `w-${collection}`, [
        { collection, action: 'read' },
        { collection, action: 'create', fields: ['*'] },
        { collection, action: 'update', permissions: may, fields: ['title'] },
      ]);
      await service.api.post(`/items/${collection}`, [item(20, 'secret'), item(21, 'open')]);
      const user = service.as(token);
      expect((await user.patch(path(20), { title: 'mine' })).status).toBe(403);
      expect((await user.patch(path(21), { title: 'mine' })).body.data.title).toBe('mine');
      expect((await user.delete(path(21))).status).toBe(403);
      expect((await service.api.get(path(20))).body.data.title).toBe('secret');
      await service.api.delete(
        `/items/${collection}`,
        [20, 21].map((id) => (isPair ? `${id},x` : id)),
      );
    });
  });

  it('is the end of relations, which nested writes follow', async () => {
    await name('titles', ['id']);
    const made = await service.api.post('/relations', {
      collection: 'notes',
      field: 'title_id',
      related_collection: 'titles',
      schema: null,
      meta: { one_field: 'notes' },
    });
    expect([made.status, made.body.errors]).toEqual([200, undefined]);
    const parent = await service.api.post('/items/titles?fields=title,notes.text', { id: 30, title: 'p', notes: [{ id: 'a', text: 'n' }] });
    expect(parent.body.data).toEqual({ title: 'p', notes: [{ text: 'n' }] });
    const child = await service.api.post('/items/notes?fields=text,title_id.title', {
      id: 'b',
      text: 'm',
      title_id: { id: 31, title: 'q' },
    });
    expect(child.body.data).toEqual({ text: 'm', title_id: { title: 'q' } });
    const changed = await service.api.patch('/items/notes/b?fields=title_id.title', { title_id: { id: 31, title: 'r' } });
    expect(changed.body.data).toEqual({ title_id: { title: 'r' } });
    const graphql = await service.api.graphql('{ titles(filter: { notes: { text: { _eq: "n" } } }) { title notes { text } } }');
    expect(graphql.body.data).toEqual({ titles: [{ title: 'p', notes: [{ text: 'n' }] }] });
  });

  it('is refused where it cannot be', async () => {
    const before = await service.checksums();
    const said = async (collection: string, key: readonly string[]): Promise<string> => refusal(await name(collection, key));
    expect(await said('authors', ['name'])).toBe(
      '400 INVALID_PAYLOAD: Invalid payload. The database itself has the primary key of "authors": it cannot be named.',
    );
    expect(await said('totals', ['author_id'])).toBe(
      '400 INVALID_PAYLOAD: Invalid payload. The database accepts no writes to "totals", so a key would not make it writable: give the view INSTEAD OF triggers, or a form that the database can update.',
    );
    expect(await said('doubles', ['kind'])).toBe(
      '400 INVALID_PAYLOAD: Invalid payload. Field "kind" in collection "doubles" holds values that are not unique.',
    );
    expect(await said('doubles', ['id'])).toBe(
      '400 INVALID_PAYLOAD: Invalid payload. Field "id" in collection "doubles" contains null values.',
    );
    expect(await said('doubles', ['gone'])).toMatch(/^403 FORBIDDEN: /);
    expect(await said('doubles', ['kind', 'kind'])).toMatch(/^400 INVALID_PAYLOAD: /);
    expect((await name('doubles', 'kind' as never)).status).toBe(400);
    expect(refusal(await service.api.patch('/fields/doubles/kind', { meta: { special: ['key'] } }))).toMatch(/not unique/);
    expect(refusal(await service.api.post('/items/doubles', { id: 5 }))).toMatch(/^403 .*read only/);
    expect(await service.checksums()).toEqual(before);
  });

  it('is taken back', async () => {
    await name('loose', ['id']);
    expect((await name('loose', null)).body.data.schema).toMatchObject({
      primary_key: null,
      read_only: 'read only: it has no primary key',
    });
    expect((await service.api.patch('/items/loose/1', { title: 'x' })).status).toBe(403);
  });

  it('counts no more once one of its columns is gone, or the table has a key of its own', async () => {
    await name('loose', ['id']);
    await name('pairs', ['a', 'b']);
    await service.sql('alter table pairs rename column b to c');
    const shown = async (): Promise<unknown> => (await service.api.get('/collections/pairs')).body.data.schema.primary_key;
    await expect.poll(shown, { timeout: patience }).toBe(null);
    expect((await service.api.patch('/items/pairs/1', { title: 'x' })).status).toBe(403);
    await service.sql('alter table pairs rename column c to b');
    await expect.poll(shown, { timeout: patience }).toEqual(['a', 'b']);
    await service.sql('drop table loose');
    await service.sql('create table loose (id integer, own integer primary key)');
    await expect
      .poll(async () => (await service.api.get('/collections/loose')).body.data.schema, { timeout: patience })
      .not.toHaveProperty('primary_key');
  });
});

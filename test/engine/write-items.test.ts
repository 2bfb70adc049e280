// Writing through the engine on every vendor: what is stored, in how many statements, and that a refused write leaves nothing.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../src/core/access/view.js';
import type { Key, Work } from '../../src/core/engine/work/work.js';
import { ServiceError } from '../../src/core/errors/service-error.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type Newsroom, openNewsroom } from '../harness/open-newsroom.js';
import { isMysqlProduct } from '../harness/vendors.js';

type Item = Readonly<Record<string, unknown>>;

describeEachVendor('writing', (vendor) => {
  let room: Newsroom;

  beforeAll(async () => {
    room = await openNewsroom(vendor);
  });

  afterAll(() => room.close());

  const work = (caller: Caller): Work => ({ caller, connection: room.dialect.driver, signal: null, afterCommit: null });
  const create = (collection: string, payloads: readonly unknown[], caller = room.admin): Promise<readonly Key[]> =>
    room.writer.transaction(caller, (inside) => room.writer.create(inside, collection, payloads));
  const update = (collection: string, keys: readonly unknown[], payload: unknown, caller = room.admin): Promise<readonly Key[]> =>
    room.writer.transaction(caller, (inside) => room.writer.update(inside, collection, keys, payload));
  const remove = (collection: string, keys: readonly unknown[], caller = room.admin): Promise<void> =>
    room.writer.transaction(caller, (inside) => room.writer.delete(inside, collection, keys));
  const read = (collection: string, query: Item): Promise<readonly Item[]> => room.reader.objects(work(room.admin), collection, query);
  const one = async (collection: string, key: Key | undefined, fields: readonly string[]): Promise<Item | undefined> => {
    const id = room.schema.collections.get(collection)?.primaryKey[0] ?? 'id';
    return (await read(collection, { fields, filter: { [id]: { _eq: key } } }))[0];
  };

  const keysIn = async (collection: string, key: Key | undefined, field: string): Promise<readonly Key[]> => {
    const list = (await one(collection, key, [field]))?.[field];
    return Array.isArray(list) ? list : [];
  };

  /** The codes of a refused write, which must leave every table as it was. */
  async function refused(act: () => Promise<unknown>): Promise<readonly string[]> {
    const before = await room.contents();
    const error = await act().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ServiceError);
    expect(await room.contents()).toBe(before);
    return error instanceof ServiceError ? error.entries.map(({ code }) => code) : [];
  }

  async function statementsOf(act: () => Promise<unknown>): Promise<number> {
    const before = room.dialect.driver.statements();
    await act();
    return room.dialect.driver.statements() - before;
  }

  it('answers keys in the order of the payloads', async () => {
    const keys = await create('teams', [{ name: 'a' }, { id: 700, name: 'b' }, {}, { name: 'c' }, {}]);
    expect(keys[1]).toBe(700);
    const names = await Promise.all(keys.map(async (key) => (await one('teams', key, ['name']))?.['name']));
    expect(names).toEqual(['a', 'b', null, 'c', null]);
    const [next] = await create('teams', [{ name: 'after' }]);
    expect(next).toBeGreaterThan(700);
  });

  it('creates in depth and links both ways', async () => {
    const [key] = await create('articles', [
      {
        title: 'One',
        author: { name: 'Cid', team: { name: 'Desk' } },
        tags: [{ tag: { name: `t-${Math.random()}` }, note: 'n' }],
        comments: [{ text: 'x' }, { text: 'y' }],
      },
    ]);
    expect(await one('articles', key, ['title', 'author.name', 'author.team.name', 'tags.note', 'comments.text'])).toEqual({
      title: 'One',
      author: { name: 'Cid', team: { name: 'Desk' } },
      tags: [{ note: 'n' }],
      comments: [{ text: 'x' }, { text: 'y' }],
    });
  });

  it('keeps, moves, creates and unlinks in the basic form', async () => {
    const [team] = await create('teams', [{ name: 'S', members: [{ name: 'Eve' }, { name: 'Fay' }] }]);
    const [other] = await create('teams', [{ name: 'O', members: [{ name: 'Gus' }] }]);
    const [eve, fay] = await keysIn('teams', team, 'members');
    const [gus] = await keysIn('teams', other, 'members');
    await update('teams', [team], { members: [String(eve), { id: gus, name: 'Gustav' }, { name: 'Hal' }] });
    expect((await one('teams', team, ['members.name']))?.['members']).toEqual([{ name: 'Eve' }, { name: 'Gustav' }, { name: 'Hal' }]);
    expect(await one('authors', fay, ['team'])).toEqual({ team: null });
    expect(await one('teams', other, ['members'])).toEqual({ members: [] });
    await update('teams', [team], { members: null });
    expect(await one('teams', team, ['members'])).toEqual({ members: [] });
  });

  it('creates, changes and removes in the detailed form', async () => {
    const [article] = await create('articles', [{ title: 'Talk', comments: [{ text: 'a' }, { text: 'b' }] }]);
    const [a, b] = await keysIn('articles', article, 'comments');
    await update('articles', [article], { comments: { create: [{ text: 'c' }], update: [{ id: a, text: 'A' }], delete: [b] } });
    expect((await one('articles', article, ['comments.text']))?.['comments']).toEqual([{ text: 'A' }, { text: 'c' }]);
    expect(await one('comments', b, ['id'])).toBeUndefined();
  });

  it('many-to-any, with new entries at the end of the list', async () => {
    const [page] = await create('pages', [{ blocks: [{ collection: 'teams', item: { name: 'T' }, sort: 4 }] }]);
    await update('pages', [page], {
      blocks: {
        create: [
          { collection: 'countries', item: { code: 'no', name: 'Norway' } },
          { collection: 'countries', item: 'no' },
        ],
      },
    });
    expect((await one('pages', page, ['blocks.sort', 'blocks.item:teams.name', 'blocks.item:countries.name']))?.['blocks']).toEqual([
      { sort: 4, item: { name: 'T' } },
      { sort: 5, item: { name: 'Norway' } },
      { sort: 6, item: { name: 'Norway' } },
    ]);
  });

  it('different values for many items in a constant number of statements', async () => {
    const keys = await create(
      'authors',
      Array.from({ length: 50 }, (_, index) => ({ name: `n${index}`, email: `batch-${index}@x` })),
    );
    const batch = (count: number) => async (): Promise<unknown> =>
      room.writer.transaction(room.admin, (inside) =>
        room.writer.updateBatch(
          inside,
          'authors',
          keys.slice(0, count).map((id, index) => ({ id, name: `new é ${index}`, team: null })),
        ),
      );
    expect(await statementsOf(batch(50))).toBe(await statementsOf(batch(2)));
    const names = (await read('authors', { fields: ['name'], filter: { id: { _in: keys } }, sort: ['id'], limit: -1 })).map(
      (item) => item['name'],
    );
    expect(names).toEqual(keys.map((_, index) => `new é ${index}`));
  });

  it('a thousand items with two children each take as many statements as two', async () => {
    const payloads = (count: number): unknown[] =>
      Array.from({ length: count }, (_, index) => ({ name: `bulk ${index}`, members: [{ name: 'a' }, { name: `b${index}` }] }));
    const few = await statementsOf(() => create('teams', payloads(2)));
    let keys: readonly Key[] = [];
    const many = await statementsOf(async () => {
      keys = await create('teams', payloads(1000));
    });
    // MySQL has no RETURNING: it is asked for the keys of many items, whether they are needed or not.
    expect(many).toBe(isMysqlProduct(vendor) ? few + 1 : few);
    expect(await one('teams', keys[517], ['name', 'members.name'])).toEqual({
      name: 'bulk 517',
      members: [{ name: 'a' }, { name: 'b517' }],
    });
  });

  it('upserts by a unique key, twice in one request and in parallel', async () => {
    const upsert = (payloads: readonly unknown[]): Promise<{ readonly created: number; readonly updated: number }> =>
      room.writer.transaction(room.admin, (inside) => room.writer.upsert(inside, 'authors', payloads, ['email']));
    expect(
      await upsert([
        { email: 'u1@x', name: 'one' },
        { email: 'u2@x', name: 'two' },
      ]),
    ).toMatchObject({ created: 2, updated: 0 });
    expect(
      await upsert([
        { email: 'u2@x', name: 'zwei' },
        { email: 'u3@x', name: 'three' },
        { email: 'u3@x', name: 'drei' },
      ]),
    ).toMatchObject({ created: 1, updated: 2 });
    const names = await read('authors', { fields: ['name'], filter: { email: { _in: ['u1@x', 'u2@x', 'u3@x'] } }, sort: ['email'] });
    expect(names).toEqual([{ name: 'one' }, { name: 'zwei' }, { name: 'drei' }]);
    const together = await Promise.all(Array.from({ length: 10 }, (_, index) => upsert([{ email: 'race@x', name: `r${index}` }])));
    expect(together.filter(({ created }) => created === 1)).toHaveLength(1);
  });

  it('of fifty parallel creates of one unique value one succeeds', async () => {
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => create('tags', [{ name: 'the only one' }])));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const codes = results.flatMap((result) =>
      result.status === 'rejected' && result.reason instanceof ServiceError ? [result.reason.code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['RECORD_NOT_UNIQUE']));
    expect(codes).toHaveLength(49);
  });

  it('nested updates in opposite order never surface a deadlock', async () => {
    const [a, b] = await create('teams', [
      { name: 'a', members: [{ name: 'x' }] },
      { name: 'b', members: [{ name: 'y' }] },
    ]);
    const swap = (first: Key | undefined, second: Key | undefined) => (): Promise<void> =>
      room.writer.transaction(room.admin, async (inside) => {
        await room.writer.update(inside, 'teams', [first], { name: 'n' });
        await room.writer.update(inside, 'teams', [second], { name: 'm' });
      });
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? swap(a, b) : swap(b, a))()));
    expect(results.filter((result) => result.status === 'rejected')).toEqual([]);
  });

  it('keys of several parts', async () => {
    expect(
      await create('lines', [
        { order: 1, place: 1, text: 'a' },
        { order: 1, place: 2, text: 'b' },
      ]),
    ).toEqual([
      [1, 1],
      [1, 2],
    ]);
    await update('lines', ['1,2', [1, 1]], { text: 'both' });
    await remove('lines', [[1, 1]]);
    expect(await read('lines', { fields: ['*'] })).toEqual([{ order: 1, place: 2, text: 'both' }]);
  });

  it('text that looks like a dynamic value stays text', async () => {
    const [key] = await create('teams', [{ name: '$CURRENT_USER' }]);
    expect(await one('teams', key, ['name'])).toEqual({ name: '$CURRENT_USER' });
  });

  it('refuses and leaves nothing behind', async () => {
    const [team] = await create('teams', [{ name: 'R', members: [{ name: 'kept' }] }]);
    await create('tags', [{ name: 'taken' }]);
    const doomed = { title: 'lost', author: { name: 'lost', team: { name: 'lost' } } };
    expect(await refused(() => create('articles', [doomed, { ...doomed, tags: [{ tag: { name: 'taken' } }] }]))).toEqual([
      'RECORD_NOT_UNIQUE',
    ]);
    expect(await refused(() => create('articles', [{ ...doomed, author: 999_999 }]))).toEqual(['INVALID_FOREIGN_KEY']);
    expect(await refused(() => create('articles', [{ ...doomed, author: { id: 999_999, name: 'x' } }]))).toEqual(['FORBIDDEN']);
    expect(await refused(() => create('articles', [doomed, { title: 'x', comments: [{ text: 'x' }, 999_999] }]))).toEqual(['FORBIDDEN']);
    expect(await refused(() => create('pages', [{ blocks: [{ collection: 'teams', item: '999999' }] }]))).toEqual(['INVALID_FOREIGN_KEY']);
    expect(await refused(() => update('teams', [team, 999_999], { name: 'x' }))).toEqual(['FORBIDDEN']);
    expect(await refused(() => update('teams', [team], { name: 'x', members: [999_999] }))).toEqual(['FORBIDDEN']);
    expect(await refused(() => update('teams', [999_999], {}))).toEqual(['FORBIDDEN']);
    expect(await refused(() => remove('teams', [team, 999_999]))).toEqual(['FORBIDDEN']);
    expect(await refused(() => create('teams', [{ id: team, name: 'x' }]))).toEqual(['RECORD_NOT_UNIQUE']);
  });

  it('names the field and the refused value of a duplicate', async () => {
    await create('tags', [{ name: 'doubled' }]);
    const error = await create('tags', [{ name: 'doubled' }]).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error instanceof ServiceError ? error.entries[0].extensions : null).toEqual({
      collection: 'tags',
      field: 'name',
      value: 'doubled',
    });
  });

  it('takes a dry run back', async () => {
    const before = await room.contents();
    const keys = await room.writer.transaction(room.admin, (inside) => room.writer.create(inside, 'teams', [{ name: 'dry' }]), {
      dryRun: true,
    });
    expect(keys).toHaveLength(1);
    expect(await room.contents()).toBe(before);
  });

  it('runs hooks in bulk, effects only after the commit', async () => {
    const seen: string[] = [];
    room.hooks.before('stamps', 'create', async ({ items }) =>
      items.map((item) => new Map([...item.values, ['name', `${String(item.values.get('name'))}!`]])),
    );
    room.hooks.after('stamps', 'create', async ({ items }) => void seen.push(`after ${items.length}`));
    room.hooks.committed('stamps', 'create', async ({ items }) => void seen.push(`committed ${items.length}`));
    const [key] = await create('stamps', [{ name: 'a' }, { name: 'b' }]);
    expect(await one('stamps', key, ['name'])).toEqual({ name: 'a!' });
    await create('stamps', [{ id: key, name: 'again' }]).catch(() => seen.push('refused'));
    expect(seen).toEqual(['after 2', 'committed 2', 'refused']);
  });

  it('guards rows by the rules of the caller, before and after', async () => {
    const [draft, published] = await create('articles', [
      { title: 'd', status: 'draft' },
      { title: 'p', status: 'published' },
    ]);
    const writer = room.caller([
      { collection: 'articles', action: 'read' },
      { collection: 'articles', action: 'update', rule: { status: { _eq: 'draft' } } },
      { collection: 'articles', action: 'delete', rule: { status: { _eq: 'draft' } } },
    ]);
    await update('articles', [draft], { title: 'changed' }, writer);
    expect(await refused(() => update('articles', [draft, published], { title: 'x' }, writer))).toEqual(['FORBIDDEN']);
    expect(await refused(() => update('articles', [draft], { status: 'published' }, writer))).toEqual(['FORBIDDEN']);
    expect(await refused(() => remove('articles', [published], writer))).toEqual(['FORBIDDEN']);
    await remove('articles', [draft], writer);
  });

  it("children outside of the caller's rows are neither taken nor dropped", async () => {
    const [team] = await create('teams', [{ name: 'mine', members: [{ name: 'seen' }, { name: 'hidden' }] }]);
    const members = await keysIn('teams', team, 'members');
    const caller = room.caller([
      { collection: 'teams', action: 'update' },
      { collection: 'authors', action: 'read', rule: { name: { _eq: 'seen' } } },
      { collection: 'authors', action: 'update', rule: { name: { _eq: 'seen' } } },
    ]);
    await update('teams', [team], { members: [members[0]] }, caller);
    expect(await one('teams', team, ['members'])).toEqual({ members });
    expect(await refused(() => update('teams', [team], { members: [members[1]] }, caller))).toEqual(['FORBIDDEN']);
    await update('teams', [team], { members: [] }, caller);
    expect(await one('teams', team, ['members'])).toEqual({ members: [members[1]] });
  });

  it('an item of another parent cannot be deleted from this one', async () => {
    const [mine, theirs] = await create('articles', [{ title: 'mine' }, { title: 'theirs', comments: [{ text: 'x' }] }]);
    const [comment] = await keysIn('articles', theirs, 'comments');
    expect(await refused(() => update('articles', [mine], { comments: { delete: [comment] } }))).toEqual(['FORBIDDEN']);
  });
});

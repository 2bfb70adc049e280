// All or nothing: a change that fails at any of its statements leaves the structure and the metadata as they were.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection } from '../../src/core/vendor/driver.js';
import { settleUnfinished } from '../../src/service/structure/change/unfinished.js';
import {
  type Change,
  createCollections,
  createField,
  createRelation,
  deleteCollection,
  deleteField,
  updateField,
  updateFields,
  updateRelation,
} from '../../src/service/structure/structure.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openTestStructure, type TestStructure } from './open-structure.js';

/** Fails at the statement of this number that writes; 0: never. */
let failAt = 0;
let writes = 0;
/** The process has come to its end with the failure: nothing is sent any more. */
let ends = false;

class Injected extends Error {}

const failing = (connection: Connection): Connection => ({
  async rows(statement, signal) {
    if (isOver()) throw new Injected(statement.text);
    return connection.rows(statement, signal);
  },
  async run(statement, signal) {
    writes += 1;
    if (writes === failAt || isOver()) throw new Injected(statement.text);
    return connection.run(statement, signal);
  },
});

const isOver = (): boolean => ends && failAt > 0 && writes >= failAt;

const withFailures = (dialect: Dialect): Dialect => ({
  ...dialect,
  driver: { ...dialect.driver, ...failing(dialect.driver) },
  exclusively: (work) => dialect.exclusively((connection) => work(failing(connection))),
});

/** Everything the service knows of the structure, without what the vendor counts in between. */
async function describeAll(test: TestStructure): Promise<unknown> {
  const { database, metadata, permissions } = await test.state();
  const tables = database.tables.map(({ estimatedRows: _, ...table }) => table);
  return structuredClone({ tables, metadata, permissions });
}

describeEachVendor('a change of structure that fails', (vendor) => {
  let test: TestStructure;

  beforeAll(async () => {
    failAt = 0;
    test = await openTestStructure(vendor, null, withFailures);
    await test.run(createCollections({ collection: 'authors', meta: {}, fields: [{ field: 'name', type: 'string', meta: {} }] }));
    await test.run(
      createCollections({
        collection: 'books',
        meta: { sort_field: 'place' },
        fields: [
          { field: 'title', type: 'string', meta: {} },
          { field: 'place', type: 'integer', schema: { is_indexed: true }, meta: {} },
          { field: 'author', type: 'integer', meta: {} },
          { field: 'editor', type: 'integer', meta: {} },
        ],
      }),
    );
    await test.run(createRelation({ collection: 'books', field: 'author', related_collection: 'authors', meta: { one_field: 'books' } }));
    await test.sql("insert into authors (name) values ('Ann')");
    await test.sql("insert into books (title, place, author) values ('One', 1, 1), ('Two', 2, 1)");
  });

  afterAll(() => test.close());

  /** Tries the change with a failure at every statement, then without. */
  const failEverywhere = async (change: Change<unknown>): Promise<void> => {
    const before = await describeAll(test);
    for (failAt = 1; ; failAt += 1) {
      writes = 0;
      const error = await test.run(change).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) break;
      expect(error).toBeInstanceOf(Injected);
      expect(await describeAll(test), `after failing at ${String(error)}`).toEqual(before);
    }
    expect(failAt).toBeGreaterThan(1);
    failAt = 0;
    // The last failure came after the commit, if there was anything to finish.
    await settleUnfinished(test.deps);
    expect(await describeAll(test)).not.toEqual(before);
  };

  /** Ends the process at every statement; the next start finds everything as it was, or, after the commit, as it should be. */
  const endEverywhere = async (change: Change<unknown>, isDone: () => Promise<boolean>): Promise<void> => {
    const before = await describeAll(test);
    for (failAt = 1, ends = true; ; failAt += 1) {
      writes = 0;
      await test.run(change).catch((error: unknown) => expect(error).toBeInstanceOf(Injected));
      const reached = writes >= failAt;
      await settleUnfinished({ ...test.deps, dialect: test.dialect });
      await test.store.refresh();
      const now = await describeAll(test);
      if (!reached || (await isDone())) break;
      expect(now, `after ending at ${failAt}`).toEqual(before);
    }
    [failAt, ends] = [0, false];
    expect(await isDone()).toBe(true);
    expect(JSON.stringify(await describeAll(test), (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'service_dropped',
    );
    expect(await test.rows('select * from service_unfinished')).toEqual([]);
  };
  const field = (collection: string, name: string) => test.store.current().collections.get(collection)?.fields.get(name);

  it('leaves nothing half done when the process ends', async () => {
    const fields = [
      { field: 'note', type: 'string', meta: {}, schema: { is_unique: true } },
      { field: 'book', type: 'integer', schema: { foreign_key_table: 'books' } },
    ];
    await endEverywhere(createCollections({ collection: 'notes', meta: {}, fields }), async () => field('notes', 'book') !== undefined);
    const changed = { type: 'text', schema: { is_unique: false, is_nullable: false, default_value: 'x' } };
    await endEverywhere(updateField('notes', 'note', changed), async () => field('notes', 'note')?.type === 'text');
    await endEverywhere(deleteField('notes', 'book'), async () => field('notes', 'book') === undefined);
    await endEverywhere(deleteCollection('notes'), async () => !test.store.current().collections.has('notes'));
  });

  it('leaves nothing of a new collection', () =>
    failEverywhere(
      createCollections([
        { collection: 'tags', meta: {}, fields: [{ field: 'name', type: 'string', meta: {}, schema: { is_unique: true } }] },
        { collection: 'marks', meta: {} },
      ]),
    ));

  it('leaves nothing of a new field', () =>
    failEverywhere(createField('books', { field: 'isbn', type: 'string', meta: {}, schema: { is_unique: true, comment: 'c' } })));

  it('leaves nothing of a changed field', () =>
    failEverywhere(
      updateField('books', 'place', {
        type: 'bigInteger',
        schema: { is_indexed: false, default_value: 5, is_nullable: false },
        meta: { note: 'n' },
      }),
    ));

  it('leaves nothing of several changed fields', () =>
    failEverywhere(
      updateFields('books', [
        { field: 'title', schema: { max_length: 90 }, meta: { sort: 4 } },
        { field: 'editor', meta: { sort: 1 } },
      ]),
    ));

  it('leaves nothing of a new relation', () =>
    failEverywhere(
      createRelation({ collection: 'books', field: 'editor', related_collection: 'authors', schema: { on_delete: 'CASCADE' }, meta: {} }),
    ));

  it('leaves nothing of a changed relation', () =>
    failEverywhere(updateRelation('books', 'editor', { schema: { on_delete: 'SET NULL' }, meta: { one_field: 'edited' } })));

  it('loses no column', async () => {
    await failEverywhere(deleteField('books', 'author'));
    expect(await test.rows('select title from books order by id')).toEqual([['One'], ['Two']]);
  });

  it('loses no collection', async () => {
    await failEverywhere(deleteCollection('authors'));
    const leftOver = (await test.dialect.introspect(test.dialect.driver)).tables.filter(({ name }) => name.startsWith('service_dropped'));
    expect(leftOver).toEqual([]);
  });
});

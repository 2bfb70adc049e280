// Snapshots of a database that somebody else built, applied to empty databases of every vendor.

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { applyDiff, diffSnapshot, type HashedDiff } from '../../src/service/structure/migrate-structure.js';
import type { DiffMode } from '../../src/service/structure/snapshot/diff-snapshots.js';
import { snapshotDocument } from '../../src/service/structure/snapshot/select-collections.js';
import { type Snapshot, takeSnapshot } from '../../src/service/structure/snapshot/snapshot.js';
import {
  createCollections,
  createField,
  createRelation,
  deleteCollection,
  deleteField,
  updateCollection,
  updateField,
  updateRelation,
} from '../../src/service/structure/structure.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { readFixture, runScript } from '../harness/run-script.js';
import type { Vendor } from '../harness/vendors.js';
import { openTestStructure, type TestStructure } from './open-structure.js';

const snapshotOf = (test: TestStructure): Snapshot => JSON.parse(JSON.stringify(takeSnapshot(test.store.current(), systemDefinitions)));

const diff = (test: TestStructure, wanted: Snapshot, mode: DiffMode = 'mirror'): HashedDiff | null =>
  diffSnapshot(snapshotOf(test), { ...wanted, version: 1 }, mode, (name) => name);

const careful = { force: false, lossy: false };

const nothing: Snapshot = { collections: [], fields: [], relations: [], views: [] };

const facts = async (test: TestStructure): Promise<unknown> => {
  const { database, metadata } = await test.state();
  return structuredClone({ metadata, tables: database.tables.map(({ estimatedRows: _, ...table }) => table) });
};

const openShop = (vendor: Vendor): Promise<TestStructure> =>
  openTestStructure(vendor, async (dialect) => runScript(dialect.driver, await readFixture(`shop.${vendor.name}.sql`)));

describe('a snapshot of a database found', () => {
  const snapshots = new Map<string, Snapshot>();

  beforeAll(async () => {
    for (const vendor of inject('vendors')) {
      const shop = await openShop(vendor);
      snapshots.set(vendor.name, snapshotOf(shop));
      await shop.close();
    }
  });

  it('lists tables with their keys and fields, views by name, and nothing of the service itself', () => {
    for (const { collections, fields, views } of snapshots.values()) {
      expect(views).toEqual(['invoice_totals', 'long_tracks']);
      expect(collections.find(({ collection }) => collection === 'stock_moves')?.schema).toMatchObject({
        foreign_keys: [{ columns: ['shelf', 'track_id'], foreign_key_table: 'stock', foreign_key_columns: ['shelf', 'track_id'] }],
      });
      const names = collections.map(({ collection }) => collection);
      expect(names).toContain('tracks');
      expect(names).not.toContain('long_tracks');
      expect(names.filter((name) => name.startsWith('service_'))).toEqual([]);
      expect(fields.find(({ collection, field }) => collection === 'tracks' && field === 'unit_price')).toMatchObject({ type: 'decimal' });
    }
  });

  for (const vendor of inject('vendors')) {
    it(`of any vendor gives an empty diff when applied to an empty database of ${vendor.name}`, async () => {
      const target = await openTestStructure(vendor);
      for (const snapshot of snapshots.values()) {
        const first = diff(target, snapshot);
        expect(first?.diff.collections.length).toBe(snapshot.collections.length);
        await target.run(applyDiff(first, careful));
        expect(diff(target, snapshot)).toBeNull();
        expect(target.store.current().collections.get('stock_moves')?.table?.foreignKeys).toMatchObject([{ foreignTable: 'stock' }]);
        await target.run(applyDiff(diff(target, nothing), { force: false, lossy: true }));
        expect(snapshotOf(target)).toEqual(nothing);
      }
      await target.close();
    });
  }
});

describeEachVendor('applying a snapshot', (vendor) => {
  let source: TestStructure;
  let target: TestStructure;

  beforeAll(async () => {
    source = await openTestStructure(vendor);
    target = await openTestStructure(vendor);
    await source.run(createCollections({ collection: 'folder', schema: null, meta: {} }));
    await source.run(
      createCollections({
        collection: 'authors',
        meta: { group: 'folder', note: 'Who writes' },
        fields: [{ field: 'name', type: 'string', meta: { width: 'half' } }],
      }),
    );
    await source.run(
      createCollections({
        collection: 'books',
        meta: { sort_field: 'place' },
        fields: [
          { field: 'id', type: 'bigInteger', schema: { is_primary_key: true, has_auto_increment: true } },
          { field: 'title', type: 'string', schema: { max_length: 80, is_nullable: false, comment: 'On the cover' }, meta: {} },
          { field: 'place', type: 'integer', schema: { default_value: 3, is_indexed: true } },
          { field: 'tags', type: 'csv' },
          { field: 'secret', type: 'hash' },
          { field: 'notice', type: 'alias', meta: { special: ['alias', 'no-data'], interface: 'presentation-notice' } },
          { field: 'author', type: 'integer' },
        ],
      }),
    );
    await source.run(createField('authors', { field: 'books', type: 'alias', meta: { special: ['o2m'] } }));
    await source.run(
      createRelation({
        collection: 'books',
        field: 'author',
        related_collection: 'authors',
        schema: { on_delete: 'SET NULL' },
        meta: { one_field: 'books' },
      }),
    );
  });

  afterAll(async () => {
    await source.close();
    await target.close();
  });

  const bringOver = async (options = careful): Promise<void> => {
    await target.run(applyDiff(diff(target, snapshotOf(source)), options));
    expect(diff(target, snapshotOf(source))).toBeNull();
  };

  it('makes what is missing, metadata and relations included', async () => {
    await bringOver();
    expect(snapshotOf(target).relations).toEqual(snapshotOf(source).relations);
  });

  it('follows changes of every part', async () => {
    await source.run(
      updateField('books', 'title', {
        schema: { max_length: 120, is_nullable: true, default_value: "it's" },
        meta: { note: 'New', options: { a: [1] } },
      }),
    );
    await source.run(updateField('books', 'place', { type: 'bigInteger', schema: { is_indexed: false, is_unique: true } }));
    await source.run(updateCollection('authors', { meta: { note: null, hidden: true } }));
    await source.run(updateRelation('books', 'author', { schema: { on_delete: 'CASCADE' }, meta: { one_deselect_action: 'delete' } }));
    await source.run(createField('authors', { field: 'born', type: 'date', meta: { sort: 9 } }));
    await bringOver();
  });

  it('refuses to lose data unless allowed to', async () => {
    await source.run(updateField('books', 'title', { schema: { max_length: 40 } }));
    await source.run(deleteField('books', 'tags'));
    const step = diff(target, snapshotOf(source));
    expect(() => applyDiff(step, careful)).toThrow(/tags.*max_length|max_length.*tags/);
    await bringOver({ force: false, lossy: true });
  });

  it('keeps what the snapshot does not have, when it only merges', async () => {
    await target.run(createCollections({ collection: 'extra', meta: {} }));
    expect(diff(target, snapshotOf(source), 'merge')).toBeNull();
    await source.run(deleteCollection('folder'));
    expect(
      diff(target, snapshotOf(source))
        ?.diff.collections.map(({ collection }) => collection)
        .toSorted(),
    ).toEqual(['authors', 'extra', 'folder']);
    await bringOver({ force: false, lossy: true });
    expect(target.store.current().collections.has('extra')).toBe(false);
  });

  it('follows foreign keys over several columns', async () => {
    const pair = { fields: ['one', 'other'].map((field) => ({ field, type: 'integer', schema: { is_primary_key: true } })) };
    await source.run(createCollections({ collection: 'pairs', ...pair }));
    const two = [
      { field: 'one', type: 'integer' },
      { field: 'other', type: 'integer' },
    ];
    await source.run(createCollections({ collection: 'marks', fields: two }));
    await bringOver();
    const foreignKey = 'foreign key (one, other) references pairs (one, other) on delete cascade';
    // The only way to add one on every vendor, some of which cannot alter a table so.
    await source.sql('drop table marks');
    await source.sql(`create table marks (id integer primary key, one integer, other integer, ${foreignKey})`);
    await source.store.refresh();
    const wanted = snapshotOf(source).collections.filter(({ collection }) => collection === 'marks');
    const step = diff(target, {
      ...snapshotOf(target),
      collections: [...snapshotDocument(snapshotOf(target), null, ['marks']).collections, ...wanted],
    });
    await target.run(applyDiff(step, careful));
    const keys = () => target.store.current().collections.get('marks')?.table?.foreignKeys;
    expect(keys()).toMatchObject([{ columns: ['one', 'other'], foreignTable: 'pairs', onDelete: 'CASCADE' }]);
    const less = snapshotOf(target).collections.map(({ schema, ...rest }) => ({
      ...rest,
      schema: schema && { ...schema, foreign_keys: [] },
    }));
    await target.run(applyDiff(diff(target, { ...snapshotOf(target), collections: less }), careful));
    expect(keys()).toEqual([]);
    for (const test of [source, target]) for (const name of ['marks', 'pairs']) await test.run(deleteCollection(name));
  });

  it('follows defaults that are computed', async () => {
    await source.sql(
      "create table computed (id integer primary key, word varchar(20) default (lower('ABC')), said varchar(20) default 'lower(1)')",
    );
    await source.store.refresh();
    await bringOver();
    await target.sql('insert into computed (id) values (1)');
    expect(await target.rows('select word, said from computed')).toEqual([['abc', 'lower(1)']]);
    await source.run(updateField('computed', 'said', { schema: { default_expression: "upper('d')" } }));
    await source.run(updateField('computed', 'word', { schema: { default_value: 'w' } }));
    await bringOver();
    await target.sql('insert into computed (id) values (2)');
    expect(await target.rows('select word, said from computed where id = 2')).toEqual([['w', 'D']]);
    for (const test of [source, target]) await test.run(deleteCollection('computed'));
  });

  it('touches no view, and drops nothing under one', async () => {
    await target.sql('create view who as select id, name from authors');
    await target.store.refresh();
    expect(diff(target, snapshotOf(source))).toBeNull();
    const step = diff(target, snapshotDocument(snapshotOf(target), null, ['authors']));
    await expect(target.run(applyDiff(step, { force: false, lossy: true }))).rejects.toThrow(/who/);
    expect(target.store.current().collections.has('who')).toBe(true);
    await target.run(deleteCollection('who'));
  });

  it('treats names as names and values as values, whatever the document contains', async () => {
    const evil = 'a"`\'); drop table authors; --';
    const id = { field: 'id', type: 'integer', schema: { is_primary_key: true } };
    const field = { field: 'x', type: 'string', schema: {} as object };
    const table: Readonly<Record<string, unknown>> = { collection: 'evil', schema: {}, meta: null };
    const wanted = (collection: object, ...fields: readonly object[]): HashedDiff | null => {
      const document = {
        collections: [{ ...table, ...collection }],
        fields: fields.map((entry) => ({ collection: 'evil', meta: null, ...entry })),
      };
      return diffSnapshot(snapshotOf(target), { version: 1, relations: [], ...document }, 'merge', (name) => name);
    };
    const before = await facts(target);
    const pair = { columns: ['id', 'x'], foreign_key_table: 'authors', foreign_key_columns: ['id', 'name'] };
    const refused = [
      wanted({ collection: evil }),
      wanted({}, id, { ...field, field: evil }),
      wanted({}, id, { ...field, type: evil }),
      wanted({ schema: { uniques: [['id', evil]] } }, id, field),
      wanted({ schema: { indexes: [[evil, 'id']] } }, id, field),
      wanted({ schema: { foreign_keys: [{ ...pair, foreign_key_table: evil }] } }, id, field),
      wanted({ schema: { foreign_keys: [{ ...pair, columns: ['id', evil] }] } }, id, field),
      wanted({ schema: { foreign_keys: [{ ...pair, on_delete: evil, on_update: evil }] } }, id, field),
      wanted({}, id, { ...field, schema: { is_generated: true, generation_expression: `id || '${evil}` } }),
      wanted({}, id, { ...field, type: 'integer', schema: { default_value: evil } }),
      wanted({}, id, { ...field, schema: { default_expression: "lower('a')), y integer default (1" } }),
      wanted({ schema: { comment: 'a\0b' } }, id, { ...field, schema: { comment: 'a\0b' } }),
    ];
    for (const step of refused) {
      const applied = async () => target.run(applyDiff(step, careful));
      await expect(applied(), JSON.stringify(step?.diff)).rejects.toMatchObject({ code: expect.stringMatching(/^INVALID_PAYLOAD$/) });
      expect(await facts(target)).toEqual(before);
    }
    await target.run(
      applyDiff(wanted({ schema: { comment: evil } }, id, { ...field, schema: { default_value: evil, comment: evil } }), careful),
    );
    expect(snapshotOf(target).fields.find((made) => made.collection === 'evil' && made.field === 'x')?.schema).toMatchObject({
      default_value: evil,
      comment: evil,
    });
    await target.run(deleteCollection('evil'));
  });

  it('refuses a diff made against another structure, unless forced', async () => {
    await source.run(createField('authors', { field: 'born_in', type: 'string' }));
    const stale = diff(target, snapshotOf(source));
    await target.run(createField('authors', { field: 'late', type: 'string' }));
    await expect(target.run(applyDiff(stale, careful))).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    await target.run(applyDiff(stale, { force: true, lossy: false }));
    expect(target.store.current().collections.get('authors')?.fields.has('born_in')).toBe(true);
  });
});

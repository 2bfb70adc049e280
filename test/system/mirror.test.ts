// A database that somebody else built is mirrored as it is: the same collections, fields and relations on every vendor.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildSchema } from '../../src/core/schema/build/build-schema.js';
import type { Collection, Field, Metadata, Schema } from '../../src/core/schema/schema.js';
import { ownHome } from '../../src/core/schema/system-home.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openDialect } from '../harness/open-dialect.js';
import { readFixture, runScript } from '../harness/run-script.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';

const noMetadata: Metadata = { collections: [], fields: [], relations: [] };

/** `name`, `name -> collection` for a key of another item, `name <- collection` for a list, with the other leg of a junction. */
function describeField(field: Field): string {
  if (field.kind === 'relation')
    return `${field.name} <- ${field.relation.related}${field.relation.junctionField === null ? '' : ` (${field.relation.junctionField})`}`;
  if (field.kind === 'reference') return `${field.name} -> ${field.relation.related}`;
  return field.kind === 'column' && field.relation?.kind === 'm2o' ? `${field.name} -> ${field.relation.related}` : field.name;
}

const describeCollection = (collection: Collection): readonly string[] => [...collection.fields.values()].map(describeField);

describeEachVendor('a database found', (vendor) => {
  let database: TestDatabase;
  let dialect: Dialect;
  let schema: Schema;

  beforeAll(async () => {
    database = await createDatabase(vendor, 'system');
    dialect = await openDialect(vendor.name, database.url);
    await runScript(dialect.driver, await readFixture(`shop.${vendor.name}.sql`));
    schema = buildSchema(1, await dialect.introspect(dialect.driver), noMetadata, ownHome([]));
  });

  afterAll(async () => {
    await dialect.driver.close();
    await database.drop();
  });

  const collection = (name: string): Collection => {
    const found = schema.collections.get(name);
    if (!found) throw new Error(`no collection ${name}`);
    return found;
  };

  it('shows every table and view under its name', () => {
    const names = [...schema.collections.keys()].filter((name) => name !== 'archive.invoices');
    expect(names).toEqual([
      'Customer',
      'Price list',
      'albums',
      'artists',
      'employees',
      'genres',
      'invoice_lines',
      'invoice_totals',
      'invoices',
      'log_entries',
      'long_tracks',
      'order',
      'playlist_track',
      'playlists',
      'stock',
      'stock_moves',
      'tracks',
    ]);
  });

  it('makes relations of foreign keys, from both sides', () => {
    expect(describeCollection(collection('artists'))).toEqual(['artist_id', 'name', 'formed', 'albums <- albums']);
    expect(describeCollection(collection('tracks')).filter((name) => name.includes('-'))).toEqual([
      'album_id -> albums',
      'genre_id -> genres',
      'invoice_lines <- invoice_lines',
      'playlist_track <- playlist_track (playlist_id)',
      'stock <- stock',
    ]);
    expect(describeCollection(collection('employees')).filter((name) => name.includes('-'))).toEqual([
      'reports_to -> employees',
      'Customer <- Customer',
      'employees <- employees',
    ]);
  });

  it('makes a relation of a foreign key of two columns, with a field of its own', () => {
    expect(describeCollection(collection('stock_moves'))).toEqual(['move_id', 'shelf', 'track_id', 'moved', 'shelf_track_id -> stock']);
    expect(describeCollection(collection('stock'))).toContain('stock_moves <- stock_moves');
  });

  it('knows composite keys, and what can only be read', () => {
    expect(collection('invoice_lines').primaryKey).toEqual(['invoice_id', 'line_no']);
    expect(collection('stock').primaryKey).toEqual(['shelf', 'track_id']);
    const readOnly = [...schema.collections.values()].filter((entry) => entry.readOnly).map((entry) => entry.name);
    expect(readOnly).toEqual(['invoice_totals', 'log_entries', 'long_tracks']);
  });

  it('gives the columns the same types on every vendor', () => {
    const types = (name: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        [...collection(name).fields.values()].filter((field) => field.kind === 'column').map((field) => [field.name, field.type]),
      );
    expect(types('tracks')).toEqual({
      track_id: 'integer',
      name: 'string',
      album_id: 'integer',
      genre_id: 'integer',
      composer: 'string',
      milliseconds: 'integer',
      bytes: 'bigInteger',
      unit_price: 'decimal',
      seconds: 'integer',
      explicit: 'boolean',
      tags: 'json',
    });
    expect(types('employees')).toMatchObject({ hired: 'date', starts_at: 'time', badge: 'uuid' });
    expect(types('invoices')).toMatchObject({ issued: 'timestamp', due: 'dateTime', note: 'text' });
    expect(types('log_entries')).toMatchObject({ payload: 'binary' });
    expect(types('Customer')).toMatchObject({ Credit: 'float' });
  });

  it('knows generated columns, and names that need quotes', () => {
    expect(collection('tracks').fields.get('seconds')).toMatchObject({ column: { generated: true } });
    expect(describeCollection(collection('Price list'))).toEqual(['code', 'valid from', 'net price']);
    expect(describeCollection(collection('order'))).toEqual(['id', 'select', 'group', 'from']);
  });
});

import { describe, expect, it } from 'vitest';
import { readForeignSnapshot } from './foreign-snapshot.js';

const snapshot = {
  version: 1,
  directus: '12.3.1',
  vendor: 'postgres',
  collections: [
    { collection: 'articles', meta: { note: 'n', autosave_revision_interval: 5, system: false }, schema: { name: 'articles' } },
  ],
  fields: [
    {
      collection: 'articles',
      field: 'id',
      type: 'integer',
      schema: { default_value: "nextval('articles_id_seq'::regclass)", has_auto_increment: true },
    },
    { collection: 'directus_users', field: 'pen_name', type: 'string', meta: { id: 7, collection: 'directus_users', field: 'pen_name' } },
  ],
  systemFields: [{ collection: 'directus_activity', field: 'timestamp', schema: { is_indexed: true } }],
  relations: [
    {
      collection: 'articles',
      field: 'directus_files_id',
      related_collection: 'directus_files',
      schema: { table: 'articles', foreign_key_table: 'directus_files' },
      meta: { one_collection: 'directus_files', one_allowed_collections: ['pages', 'directus_users', 'directus_things'] },
    },
  ],
};

describe('a snapshot of another server', () => {
  const { payload, ignored } = readForeignSnapshot(snapshot, (name) => name);

  it('reports what has no counterpart and leaves it out', () => {
    expect(ignored).toEqual(['meta.autosave_revision_interval of articles', '1 of systemFields']);
    expect(payload.collections).toEqual([{ collection: 'articles', meta: { note: 'n' }, schema: { name: 'articles' } }]);
    expect(payload.systemFields).toEqual([]);
  });

  it('numbers keys by has_auto_increment alone', () => {
    expect(payload.fields).toMatchObject([{ schema: { default_value: null, has_auto_increment: true } }, { collection: 'service_users' }]);
  });

  it('renames whole names of system collections and nothing else', () => {
    expect(payload.relations).toEqual([
      {
        collection: 'articles',
        field: 'directus_files_id',
        related_collection: 'service_files',
        schema: { table: 'articles', foreign_key_table: 'service_files' },
        meta: { one_collection: 'service_files', one_allowed_collections: ['pages', 'service_users', 'directus_things'] },
      },
    ]);
  });

  it('keeps the names where the tables are adopted', () => {
    const adopted = readForeignSnapshot(snapshot, (name) => name.replace('service_', 'directus_')).payload;
    expect(adopted.relations).toEqual(snapshot.relations);
  });
});

// Previews: what a change would do, without doing it.

import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createCollections,
  createField,
  createRelation,
  deleteCollection,
  deleteField,
  updateField,
} from '../../src/service/structure/structure.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openTestStructure, type TestStructure } from './open-structure.js';

describeEachVendor('a preview', (vendor) => {
  let test: TestStructure;

  beforeAll(async () => {
    test = await openTestStructure(vendor);
    await test.run(createCollections({ collection: 'authors', meta: {}, fields: [{ field: 'name', type: 'string' }] }));
    await test.run(
      createCollections({
        collection: 'books',
        meta: {},
        fields: [
          { field: 'title', type: 'string', meta: {} },
          { field: 'author', type: 'integer' },
          { field: 'pages', type: 'integer' },
        ],
      }),
    );
    await test.run(createRelation({ collection: 'books', field: 'author', related_collection: 'authors', meta: {} }));
    await test.sql("insert into books (title) values ('One'), ('Eleven'), (null)");
    await test.sql('create view titles as select id, title from books');
    await test.store.refresh();
  });

  afterAll(() => test.close());

  const facts = async (): Promise<unknown> => {
    const { database, metadata } = await test.state();
    return structuredClone({ metadata, tables: database.tables.map(({ estimatedRows: _, ...table }) => table) });
  };

  it('lists the statements of a change and changes nothing', async () => {
    const before = await facts();
    const { statements, affected, breaks } = await test.preview(createField('books', { field: 'isbn', type: 'string', meta: {} }));
    expect(statements.join(' ')).toMatch(/ALTER TABLE.*isbn/);
    expect(affected).toEqual({ values: [], metadata: { service_fields: 1 } });
    expect(breaks).toEqual([]);
    expect(await facts()).toEqual(before);
  });

  it('counts what would be converted, cut or missing', async () => {
    const before = await facts();
    const effects = async (payload: unknown): Promise<unknown> =>
      (await test.preview(updateField('books', 'pages', payload))).affected.values;
    await test.sql('update books set pages = 3 where id < 3');
    expect(await effects({ type: 'text' })).toEqual([{ collection: 'books', field: 'pages', effect: 'converted', count: 2 }]);
    await test.sql('update books set pages = null');
    expect(await facts()).toEqual(before);
  });

  it('names relations, permissions and views that would break', async () => {
    const [[policy] = []] = await test.rows('select id from service_policies order by id');
    await test.sql(
      `insert into service_permissions (collection, action, fields, policy) values ('books', 'read', 'author,title', '${String(policy)}')`,
    );
    const { affected, breaks } = await test.preview(deleteField('books', 'author'));
    expect(affected.values).toEqual([]);
    expect(breaks).toEqual([
      { kind: 'relation', collection: 'books', field: 'author' },
      { kind: 'permission', id: expect.any(Number), policy: expect.any(String), collection: 'books', action: 'read' },
    ]);
    const all = await test.preview(deleteCollection('authors'));
    expect(all.breaks).toEqual([{ kind: 'relation', collection: 'books', field: 'author' }]);
  });

  it('names the views that prevent a change', async () => {
    const deletion = deleteField('books', 'title');
    const { statements, affected, breaks } = await test.preview(deletion);
    expect(statements.length).toBeGreaterThan(0);
    expect(affected.values).toEqual([{ collection: 'books', field: 'title', effect: 'deleted', count: 2 }]);
    expect(breaks).toMatchObject([{ kind: 'permission' }, { kind: 'view', name: 'titles' }]);
    await expect(test.run(deletion)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD', message: expect.stringContaining('titles') });
    await expect(test.run(deleteCollection('books'))).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    await test.run(deleteCollection('titles'));
    await test.run(deletion);
    expect(test.store.current().collections.get('books')?.fields.has('title')).toBe(false);
  });

  it('gives the answer of a change that would be refused', async () => {
    await test.sql('update books set pages = 3 where id < 3');
    const refusal = test.preview(updateField('books', 'pages', { schema: { is_nullable: false } }));
    if (test.dialect.ddl.transactional) await expect(refusal).rejects.toMatchObject({ code: 'CONTAINS_NULL_VALUES' });
    else expect((await refusal).affected.values).toEqual([{ collection: 'books', field: 'pages', effect: 'null', count: 1 }]);
  });
});

// Fields on real databases: every type and option, changes of type with the data that was there, and what goes with a field.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnTypes, geometryTypes } from '../../src/core/schema/types/field-type.js';
import type { FieldObject } from '../../src/service/structure/describe/describe-field.js';
import {
  createCollections,
  createField,
  createRelation,
  deleteCollection,
  deleteField,
  deleteRelation,
  updateField,
} from '../../src/service/structure/structure.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { openTestStructure, type TestStructure } from './open-structure.js';

const makeable = columnTypes.filter((type) => type !== 'unknown' && !geometryTypes.some((geometry) => geometry === type));

const schemaKeys = [
  'name',
  'table',
  'data_type',
  'default_value',
  'max_length',
  'numeric_precision',
  'numeric_scale',
  'is_generated',
  'generation_expression',
  'is_nullable',
  'is_unique',
  'is_indexed',
  'is_primary_key',
  'has_auto_increment',
  'foreign_key_column',
  'foreign_key_table',
  'comment',
];

describeEachVendor('fields', (vendor) => {
  let test: TestStructure;

  beforeAll(async () => {
    test = await openTestStructure(vendor);
    await test.run(
      createCollections([
        { collection: 'things', meta: {} },
        { collection: 'others', meta: {} },
      ]),
    );
  });

  afterAll(() => test.close());

  const field = (name: string, collection = 'things'): FieldObject => test.structure.visibleTo(test.caller()).field(collection, name);
  const add = (payload: Readonly<Record<string, unknown>>, collection = 'things'): Promise<FieldObject> =>
    test.run(createField(collection, payload));
  const change = (name: string, payload: unknown): Promise<FieldObject> => test.run(updateField('things', name, payload));

  it('of every type read back as that type, with all keys, also after a change to it', async () => {
    for (const type of makeable) {
      const made = await add({ field: `t_${type}`, type });
      expect(made, type).toMatchObject({ type, schema: { name: `t_${type}`, table: 'things', is_nullable: true } });
      expect(Object.keys(made.schema ?? {}).toSorted()).toEqual(schemaKeys.toSorted());
      await add({ field: `c_${type}`, type: 'string' });
      expect((await change(`c_${type}`, { type })).type).toBe(type);
    }
  });

  it('keep a key that counts beyond 32 bits', async () => {
    const key = { field: 'id', type: 'bigInteger', schema: { is_primary_key: true, has_auto_increment: true } };
    await test.run(createCollections({ collection: 'counted', fields: [key] }));
    expect(field('id', 'counted')).toMatchObject({ type: 'bigInteger', schema: { is_primary_key: true, has_auto_increment: true } });
  });

  it('tell their place in a key of several columns, which is not theirs in the table', async () => {
    const part = (name: string, place: number) => ({
      field: name,
      type: 'integer',
      schema: { is_primary_key: true, primary_key_position: place },
    });
    await test.run(createCollections({ collection: 'placed', fields: [part('a', 2), { field: 'b', type: 'integer' }, part('c', 1)] }));
    expect(test.store.current().collections.get('placed')?.primaryKey).toEqual(['c', 'a']);
    expect(field('a', 'placed')).toMatchObject({ schema: { primary_key_position: 2 } });
    expect(field('c', 'placed')).toMatchObject({ schema: { primary_key_position: 1 } });
    expect(field('b', 'placed').schema).not.toHaveProperty('primary_key_position');
    const { type, schema } = field('a', 'placed');
    await test.run(updateField('placed', 'a', { type, schema }));
    await expect(test.run(updateField('placed', 'a', { schema: { primary_key_position: 1 } }))).rejects.toThrow(/cannot be changed/);
  });

  it('tell an expression from the text that is written like it', async () => {
    await add({ field: 'written', type: 'string', schema: { default_value: 'now()' } });
    const made = await add({ field: 'said_when', type: 'timestamp', schema: { default_value: 'now()' } });
    expect(made.schema).toMatchObject({ default_value: 'CURRENT_TIMESTAMP', default_is_expression: true });
    expect(field('written').schema).toMatchObject({ default_value: 'now()' });
    expect(field('written').schema).not.toHaveProperty('default_is_expression');
    await change('said_when', { type: made.type, schema: made.schema });
    await add({ field: 'said_again', type: made.type, schema: { default_value: 'CURRENT_TIMESTAMP', default_is_expression: true } });
    expect(field('said_again').schema).toMatchObject({ default_value: 'CURRENT_TIMESTAMP', default_is_expression: true });
  });

  it('take every option at creation and at a change', async () => {
    const options = { default_value: 'a', is_nullable: false, max_length: 12, is_unique: true, comment: "it's" };
    expect(await add({ field: 'opted', type: 'string', schema: options })).toMatchObject({ schema: options });
    const others = { default_value: null, is_nullable: true, max_length: 20, is_unique: false, is_indexed: true, comment: null };
    expect(await change('opted', { schema: others })).toMatchObject({ schema: others });
    const size = { numeric_precision: 8, numeric_scale: 2, default_value: '1.25' };
    expect(await add({ field: 'priced', type: 'decimal', schema: size })).toMatchObject({ schema: size });
    expect(await change('priced', { schema: { numeric_precision: 12 } })).toMatchObject({ schema: { ...size, numeric_precision: 12 } });
  });

  it('have defaults of their type, the clock among them', async () => {
    const defaults = {
      integer: 5,
      bigInteger: '9007199254740993',
      boolean: false,
      date: '2024-02-29',
      json: { a: [1] },
      text: "'); drop table things; --",
      timestamp: '2024-02-29T10:00:00.000Z',
    };
    for (const [type, value] of Object.entries(defaults)) {
      expect((await add({ field: `d_${type}`, type, schema: { default_value: value } })).schema?.default_value, type).toEqual(value);
    }
    expect(await add({ field: 'd_now', type: 'timestamp', schema: { default_value: 'now()' } })).toMatchObject({
      schema: { default_value: 'CURRENT_TIMESTAMP' },
    });
    await expect(add({ field: 'd_bad', type: 'integer', schema: { default_value: '0); drop table things; --' } })).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
    });
    expect((await test.structure.visibleTo(test.caller()).fieldsIn('things')).some(({ field: name }) => name === 'd_bad')).toBe(false);
  });

  it('can be generated, by one whole expression only', async () => {
    await add({ field: 'base', type: 'integer' });
    const made = await add({ field: 'twice', type: 'integer', schema: { is_generated: true, generation_expression: 'base * 2' } });
    expect(made).toMatchObject({ schema: { is_generated: true } });
    for (const text of ['1) STORED; drop table things; --', '1; drop table things', "'a", 'base /* x */']) {
      const schema = { is_generated: true, generation_expression: text };
      await expect(add({ field: 'evil', type: 'integer', schema })).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    }
  });

  it('carry their data to another type, or refuse and change nothing', async () => {
    await test.run(
      createCollections({
        collection: 'data',
        fields: [
          { field: 'n', type: 'string' },
          { field: 's', type: 'string' },
        ],
      }),
    );
    await test.sql("insert into data (n, s) values ('10', 'ten'), ('20', 'twenty')");
    await test.run(updateField('data', 'n', { type: 'integer' }));
    expect(await test.rows('select n from data order by id')).toEqual([[10], [20]]);
    const refuse = (payload: unknown, code: string): Promise<void> =>
      expect(test.run(updateField('data', 's', payload))).rejects.toMatchObject({ code });
    await refuse({ type: 'integer' }, 'INVALID_PAYLOAD');
    await refuse({ schema: { max_length: 3 } }, 'VALUE_TOO_LONG');
    await test.sql('insert into data (n, s) values (30, null), (30, null)');
    await refuse({ schema: { is_nullable: false } }, 'CONTAINS_NULL_VALUES');
    await expect(test.run(updateField('data', 'n', { schema: { is_unique: true } }))).rejects.toMatchObject({ code: 'RECORD_NOT_UNIQUE' });
    expect(field('s', 'data')).toMatchObject({ type: 'string', schema: { max_length: 255, is_nullable: true } });
    expect(await test.rows('select s from data order by id')).toEqual([['ten'], ['twenty'], [null], [null]]);
  });

  it('of any type become any other with their value, or refuse and stay what they are', { timeout: 240_000 }, async () => {
    const values: Readonly<Record<string, string>> = {
      bigInteger: '9007199254740993',
      boolean: 'true',
      date: "'2024-02-29'",
      dateTime: "'2024-02-29 10:11:12'",
      decimal: '2.25',
      float: '1.5',
      integer: '7',
      json: `'{"a":1}'`,
      string: "'abc'",
      time: "'10:11:12'",
      timestamp: "'2024-02-29 10:11:12'",
      uuid: "'6f2c1a90-0b7e-4d53-9a55-1f3f0c6d8e01'",
    };
    for (const [from, value] of Object.entries(values)) {
      const collection = `from_${from.toLowerCase()}`;
      const others = makeable.filter((type) => type !== from).map((to) => ({ to, field: `to_${to.toLowerCase()}` }));
      await test.run(createCollections({ collection, fields: others.map(({ field: name }) => ({ field: name, type: from })) }));
      const names = others.map(({ field: name }) => name).join(', ');
      await test.sql(`insert into ${collection} (${names}) values (${others.map(() => value).join(', ')})`);
      for (const { to, field: name } of others) {
        const stored = () => test.rows(`select ${name} from ${collection}`);
        const before = [field(name, collection), await stored()];
        const refusal = await test.run(updateField(collection, name, { type: to })).then(
          () => null,
          (error: unknown) => error,
        );
        if (refusal === null) {
          expect(field(name, collection).type, `${from} to ${to}`).toBe(to);
          expect(await stored(), `${from} to ${to}`).toEqual([[expect.toSatisfy((now) => now !== null && now !== '')]]);
        } else {
          expect(refusal, `${from} to ${to}`).toMatchObject({ status: 400 });
          expect([field(name, collection), await stored()], `${from} to ${to}`).toEqual(before);
        }
      }
      await test.run(deleteCollection(collection));
    }
  });

  it('remember a type that the column alone does not show, and forget it with the type', async () => {
    await add({ field: 'listed', type: 'csv', meta: { special: ['something'] } });
    expect(field('listed')).toMatchObject({ type: 'csv', meta: { special: 'cast-csv,something' } });
    expect(await change('listed', { meta: { special: null } })).toMatchObject({ type: 'csv', meta: { special: 'cast-csv' } });
    expect(await change('listed', { type: 'text' })).toMatchObject({ type: 'text', meta: { special: null } });
  });

  it('accept their own object back and change nothing', async () => {
    const whole = await add({ field: 'whole', type: 'decimal', schema: { default_value: '2.5' }, meta: { note: 'n' } });
    expect(await change('whole', JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  });

  it('refuse what cannot be chosen, is unknown or of the wrong kind', async () => {
    const refused: readonly unknown[] = [
      { schema: { data_type: 'bytea' } },
      { schema: { colour: 'red' } },
      { schema: { is_unique: 'yes' } },
      { schema: { max_length: -1 } },
      { meta: { width: 'wide' } },
      { meta: { colour: 'red' } },
      { meta: { hidden: 'yes' } },
      { meta: { id: 999 } },
      { field: 'other' },
      { collection: 'others' },
      { type: 'alias' },
      { type: 'unknown' },
    ];
    const before = field('base');
    for (const payload of refused)
      await expect(change('base', payload), JSON.stringify(payload)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    expect(field('base')).toEqual(before);
  });

  it('take no names that could do harm', async () => {
    const names = [
      'id; drop table x',
      'a"b',
      "a'b",
      'a`b',
      'a\0b',
      'x'.repeat(300),
      '__proto__',
      'constructor',
      '',
      ' a',
      'a/b',
      'a.b',
      'BASE',
    ];
    for (const name of names) await expect(add({ field: name, type: 'string' }), name).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    for (const name of ['select', 'Order', '_private', 'größe', 'group'])
      expect((await add({ field: name, type: 'string' })).field).toBe(name);
    for (const name of ['service_mine', 'Service_mine', 'sqlite_x', 'THINGS', 'a/b', 'x'.repeat(64), '__type']) {
      await expect(test.run(createCollections({ collection: name, meta: {} })), name).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    }
  });

  it('go with their relation, its alias, and every mention in grants and collections', async () => {
    await test.run(createCollections({ collection: 'parents', meta: {} }));
    await test.run(
      createCollections({
        collection: 'children',
        meta: { sort_field: 'place', archive_field: 'place' },
        fields: [
          { field: 'place', type: 'integer', meta: {} },
          { field: 'parent', type: 'integer', meta: {} },
          { field: 'kept', type: 'string', meta: { group: 'box' } },
          { field: 'box', type: 'alias', meta: { special: ['alias', 'group'] } },
        ],
      }),
    );
    await add({ field: 'children', type: 'alias', meta: { special: ['o2m'] } }, 'parents');
    await test.run(
      createRelation({
        collection: 'children',
        field: 'parent',
        related_collection: 'parents',
        meta: { one_field: 'children', sort_field: 'place' },
      }),
    );
    const [[policy] = []] = await test.rows('select id from service_policies order by id');
    const permit = (fields: string, rule: string): Promise<number> =>
      test.sql(
        `insert into service_permissions (collection, action, fields, permissions, policy) values ('children', 'read', '${fields}', '${rule}', '${String(policy)}')`,
      );
    await permit('place,kept', '{}');
    await permit('*', '{"_and":[{"place":{"_gt":3}}]}');
    const permissions = (): Promise<readonly (readonly unknown[])[]> =>
      test.rows("select fields from service_permissions where collection = 'children' order by id");

    await test.run(deleteField('children', 'place'));
    expect(await permissions()).toEqual([['kept']]);
    expect(test.store.current().collections.get('children')?.meta).toMatchObject({ sort_field: null, archive_field: null });
    expect((await test.structure.visibleTo(test.caller()).relation('children', 'parent')).meta).toMatchObject({
      one_field: 'children',
      sort_field: null,
    });

    await test.run(deleteField('children', 'box'));
    expect(field('kept', 'children').meta).toMatchObject({ group: null });

    await test.run(deleteField('children', 'parent'));
    expect(() => field('children', 'parents')).toThrow(/permission/);
    await expect(test.structure.visibleTo(test.caller()).relation('children', 'parent')).rejects.toThrow(/permission/);

    await test.run(deleteCollection('children'));
    expect(await permissions()).toEqual([]);
    expect(await test.rows("select count(*) from service_fields where collection = 'children'")).toEqual([
      [expect.toSatisfy((count) => Number(count) === 0)],
    ]);
  });

  it('that are aliases only lose their place in the relation', async () => {
    await test.run(
      createCollections([
        { collection: 'ones', meta: {} },
        { collection: 'manys', meta: {}, fields: [{ field: 'one', type: 'integer' }] },
      ]),
    );
    await test.run(createRelation({ collection: 'manys', field: 'one', related_collection: 'ones', meta: { one_field: 'list' } }));
    await test.run(deleteField('ones', 'list'));
    expect((await test.structure.visibleTo(test.caller()).relation('manys', 'one')).meta).toMatchObject({ one_field: null });
    await test.run(deleteRelation('manys', 'one'));
    expect(field('one', 'manys').schema).toMatchObject({ foreign_key_table: null });
    await test.run(createRelation({ collection: 'manys', field: 'one', related_collection: 'ones' }));
    expect(field('manys', 'ones')).toMatchObject({ type: 'alias', meta: null });
    await test.run(updateField('ones', 'manys', { meta: { note: 'all of them' } }));
    expect(field('manys', 'ones')).toMatchObject({ type: 'alias', meta: { note: 'all of them', special: 'o2m' } });
    await test.run(deleteField('ones', 'manys'));
    expect((await test.structure.visibleTo(test.caller()).fieldsIn('ones')).map(({ field: name }) => name)).toEqual(['id']);
  });

  it('can point at another collection and at their own', async () => {
    expect(await add({ field: 'far', type: 'integer', schema: { foreign_key_table: 'others' } })).toMatchObject({
      schema: { foreign_key_table: 'others', foreign_key_column: 'id' },
    });
    expect(await change('far', { schema: { foreign_key_table: null, foreign_key_column: null } })).toMatchObject({
      schema: { foreign_key_table: null },
    });
    await test.run(createCollections({ collection: 'tree', fields: [{ field: 'above', type: 'integer' }] }));
    await test.run(
      createRelation({
        collection: 'tree',
        field: 'above',
        related_collection: 'tree',
        schema: { on_delete: 'SET NULL' },
        meta: { one_field: 'below' },
      }),
    );
    await test.run(deleteCollection('tree'));
    expect(test.store.current().collections.has('tree')).toBe(false);
  });

  it('that other collections point at lose those foreign keys with their collection', async () => {
    await test.run(
      createCollections([
        { collection: 'target', meta: {} },
        { collection: 'pointer', fields: [{ field: 'to', type: 'integer' }] },
      ]),
    );
    await test.run(createRelation({ collection: 'pointer', field: 'to', related_collection: 'target', meta: {} }));
    await test.run(deleteCollection('target'));
    expect(field('to', 'pointer').schema).toMatchObject({ foreign_key_table: null });
  });
});

import {
  buildClientSchema,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  getIntrospectionQuery,
  graphqlSync,
  printSchema,
  validateSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { newsroomMetadata, newsroomSchema, newsroomTables } from '../../../../test/fixtures/newsroom-schema.js';
import { type Grants, noGrants, type Permission } from '../../../core/access/permission.js';
import { type Caller, makeView, serviceCaller } from '../../../core/access/view.js';
import { defaultQueryLimits } from '../../../core/query/query.js';
import { buildSchema } from '../../../core/schema/build/build-schema.js';
import type { RawTable } from '../../../core/schema/raw.js';
import type { Metadata, Schema } from '../../../core/schema/schema.js';
import { ownHome } from '../../../core/schema/system-home.js';
import type { LazySchema } from '../schema/roots/lazy-schema.js';
import { SchemaCache } from './schema-cache.js';

const makeCache = (): SchemaCache =>
  new SchemaCache(defaultQueryLimits, () => {
    throw new Error('this test has no system endpoint');
  });

const schemaOf = (caller: Caller): LazySchema => makeCache().get(caller, 'items').schema;
const adminSchema = (schema: Schema): LazySchema => schemaOf(serviceCaller(schema));

function fieldsOf(schema: LazySchema, type: string): readonly string[] {
  const found = schema.getType(type) as GraphQLObjectType | GraphQLInputObjectType | undefined;
  return found === undefined ? [] : Object.keys(found.getFields());
}

function limited(
  schema: Schema,
  permissions: readonly (Pick<Permission, 'collection' | 'action'> & Partial<Permission>)[],
  key = 'limited',
): Caller {
  const byCollection = new Map<string, Record<string, Permission[]>>();
  for (const permission of permissions) {
    const actions = byCollection.get(permission.collection) ?? {};
    byCollection.set(permission.collection, {
      ...actions,
      [permission.action]: [{ rule: null, validation: null, presets: null, fields: '*', ...permission }],
    });
  }
  const grants: Grants = { ...noGrants, key, byCollection };
  return { view: makeView(schema, grants), accountability: { ...serviceCaller(schema).accountability, admin: false } };
}

const table = (name: string, columns = newsroomTables[0]?.columns ?? []): RawTable => ({
  ...(newsroomTables[0] as RawTable),
  name,
  columns,
});
const noMetadata: Metadata = { collections: [], fields: [], relations: [] };
const made = (tables: readonly RawTable[]): Schema => buildSchema(1, { tables }, noMetadata, ownHome([]));

describe('the schema of a caller', () => {
  it('is valid as a whole, and clients can read it', () => {
    const schema = adminSchema(newsroomSchema);
    const { data, errors } = graphqlSync({ schema, source: getIntrospectionQuery() });
    expect(errors).toBeUndefined();
    const copy = buildClientSchema(data as never);
    expect(validateSchema(copy)).toEqual([]);
    expect(printSchema(copy)).toContain('type articles {');
  });

  it('is made only where it is looked at', () => {
    const cache = makeCache();
    const known = cache.get(serviceCaller(newsroomSchema), 'items');
    known.document('{ teams { name } }');
    const few = known.schema.size;
    known.schema.getTypeMap();
    expect(few).toBeLessThan(known.schema.size);
    expect(known.schema.getType('comments')).toBe(known.schema.getTypeMap()['comments']);
  });

  it('remembers queries with their variables, and neither what failed nor what writes', () => {
    const known = makeCache().get(serviceCaller(newsroomSchema), 'items');
    const run = (text: string, variables = {}) => known.apply(known.document(text).operation(null), variables);
    const teams = 'query ($name: String) { teams(filter: {name: {_eq: $name}}) { name } }';
    expect(run(teams, { name: 'a' })).toBe(run(teams, { name: 'a' }));
    expect(run(teams, { name: 'b' })).not.toBe(run(teams, { name: 'a' }));
    expect(run(`${teams} `, { name: 'a' })).not.toBe(run(teams, { name: 'a' }));
    const long = { name: 'a'.repeat(600) };
    expect(run(teams, long)).not.toBe(run(teams, long));
    const sorted = 'query ($by: [String]) { teams(sort: $by) { name } }';
    const failing = { by: ['-'] };
    expect(run(sorted, failing).fields[0]?.task.kind).toBe('failed');
    expect(run(sorted, failing)).not.toBe(run(sorted, failing));
    const deletes = 'mutation ($id: ID!) { delete_teams_item(id: $id) { id } }';
    expect(run(deletes, { id: 1 })).not.toBe(run(deletes, { id: 1 }));
  });

  it('holds only what the caller may do', () => {
    const schema = schemaOf(
      limited(newsroomSchema, [
        { collection: 'articles', action: 'read', fields: new Set(['id', 'title', 'author']) },
        { collection: 'comments', action: 'create' },
      ]),
    );
    expect(fieldsOf(schema, 'articles')).toEqual(['id', 'title', 'author']);
    expect(String((schema.getType('articles') as GraphQLObjectType).getFields()['author']?.type)).toBe('Int');
    expect(schema.getType('authors')).toBeUndefined();
    expect(fieldsOf(schema, 'Query')).toEqual(['articles', 'articles_aggregated', 'articles_by_id', 'articles_by_version']);
    expect(fieldsOf(schema, 'Mutation')).toEqual(['create_comments_item', 'create_comments_items']);
  });

  it('has one field and no mutations for a caller without rights', () => {
    const schema = schemaOf({ ...limited(newsroomSchema, []), view: makeView(newsroomSchema, noGrants) });
    expect(fieldsOf(schema, 'Query')).toEqual(['_empty']);
    expect(schema.getMutationType()).toBeUndefined();
  });

  it('takes relations in every form REST takes', () => {
    const schema = adminSchema(newsroomSchema);
    expect(fieldsOf(schema, 'create_authors_input')).toEqual(
      expect.arrayContaining(['team', 'team_key', 'articles', 'articles_keys', 'articles_changes']),
    );
    expect(fieldsOf(schema, 'create_blocks_input')).toEqual(
      expect.arrayContaining(['item', 'item__teams', 'item__countries', 'collection']),
    );
    expect(fieldsOf(schema, 'articles_changes_input')).toEqual(['create', 'update', 'delete']);
  });
});

describe('names', () => {
  it('E07: has an alias for what GraphQL cannot name, and keeps equal aliases apart', () => {
    const schema = adminSchema(
      made(['a-b', 'a_b', '__type', 'Query', 'JSON', 'c', 'c_filter', 'c_by_id', 'c_quantifier'].map((name) => table(name))),
    );
    expect(fieldsOf(schema, 'Query').filter((name) => !/_(aggregated|by_version)_*$/.test(name))).toEqual([
      ...['JSON_', 'Query_', '_type', 'a_b', 'a_b_', 'c', 'c_by_id', 'c_filter', 'c_quantifier'],
      ...['JSON__by_id', 'Query__by_id', '_type_by_id', 'a_b_by_id', 'a_b__by_id', 'c_by_id_', 'c_by_id_by_id', 'c_filter_by_id'],
      'c_quantifier_by_id',
    ]);
    expect(fieldsOf(schema, 'c_filter')).not.toContain('_and');
    expect(fieldsOf(schema, 'c_filter_')).toContain('_and');
    expect(fieldsOf(schema, 'c_quantifier_filter')).toContain('_some');
    expect(fieldsOf(schema, 'c_quantifier_filter_')).not.toContain('_some');
    const copy = buildClientSchema(graphqlSync({ schema, source: getIntrospectionQuery() }).data as never);
    expect(validateSchema(copy)).toEqual([]);
  });

  it('has an alias for fields that cannot be named, and for functions whose name a field has', () => {
    const [id, name] = newsroomTables[0]?.columns ?? [];
    if (id === undefined || name === undefined) throw new Error('no columns');
    const columns = [
      id,
      { ...name, name: 'first name' },
      { ...name, name: '__x' },
      { ...name, name: 'day', type: 'date' as const },
      { ...name, name: 'day_func' },
    ];
    const schema = adminSchema(made([table('t', columns)]));
    expect(fieldsOf(schema, 't')).toEqual(['id', 'first_name', '_x', 'day', 'day_func_', 'day_func']);
    expect(String((schema.getType('t') as GraphQLObjectType).getFields()['day_func']?.type)).toBe('String');
  });

  it('names tables of other SQL schemas by both names', () => {
    const schema = adminSchema(made([{ ...table('items'), schema: 'stock' }]));
    expect(fieldsOf(schema, 'Query')[0]).toBe('stock__items');
  });
});

describe('the cache of schemas', () => {
  it('E08: builds once for many requests at once', () => {
    const cache = makeCache();
    const caller = serviceCaller(newsroomSchema);
    const seen = new Set(Array.from({ length: 100 }, () => cache.get({ ...caller }, 'items')));
    expect([seen.size, cache.builds]).toEqual([1, 1]);
    const changed = serviceCaller(buildSchema(2, { tables: newsroomTables }, newsroomMetadata, ownHome([])));
    expect(cache.get(changed, 'items')).not.toBe([...seen][0]);
    expect(cache.builds).toBe(2);
  });

  it('keeps few, and the ones used last', () => {
    const cache = makeCache();
    const callers = Array.from({ length: 40 }, (_, index) =>
      limited(newsroomSchema, [{ collection: 'teams', action: 'read' }], `policies ${index}`),
    );
    const [first] = callers;
    for (const caller of callers) {
      cache.get(caller, 'items');
      if (first !== undefined) cache.get(first, 'items');
    }
    expect(cache.builds).toBe(40);
    for (const caller of callers.slice(-5)) cache.get(caller, 'items');
    expect(cache.builds).toBe(40);
    for (const caller of callers.slice(1, 6)) cache.get(caller, 'items');
    expect(cache.builds).toBe(45);
  });

  it('draws a thousand collections in time', () => {
    const [id, name] = newsroomTables[0]?.columns ?? [];
    if (id === undefined || name === undefined) throw new Error('no columns');
    const columns = [id, ...Array.from({ length: 19 }, (_, index) => ({ ...name, name: `c${index}` }))];
    const caller = serviceCaller(made(Array.from({ length: 1000 }, (_, index) => table(`t${index}`, columns))));
    const cache = makeCache();
    const spent = (): number => process.cpuUsage().user / 1000;
    const start = spent();
    cache.get(caller, 'items').document('{ t500(filter: {c3: {_eq: "x"}}) { id c1 } }');
    const first = spent() - start;
    const all = Object.values(cache.get(caller, 'items').schema.getTypeMap());
    for (const type of all) if ('getFields' in type) type.getFields();
    const whole = spent() - start;
    expect({ first: first < 1500, whole: whole < 6000, types: all.length > 10_000 }).toEqual({ first: true, whole: true, types: true });
  });
});

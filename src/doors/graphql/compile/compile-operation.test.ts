import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { serviceCaller } from '../../../core/access/view.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import { defaultQueryLimits, type ParsedQuery, type Selection } from '../../../core/query/query.js';
import { shapeOf } from '../../../core/query/query-shape.js';
import { applyVariables } from './apply-variables.js';
import type { Variables } from './compile-context.js';
import type { CompiledOperation } from './compile-operation.js';
import type { RootTask } from './root-task.js';
import { SchemaCache } from './schema-cache.js';

const schemas = new SchemaCache(defaultQueryLimits, () => {
  throw new Error('this test has no system endpoint');
});

const compiled = (text: string): CompiledOperation => schemas.get(serviceCaller(newsroomSchema), 'items').document(text).operation(null);

function compile(text: string, given: Variables = {}): Readonly<Record<string, RootTask>> {
  const { fields } = applyVariables(compiled(text), given);
  return Object.fromEntries(fields.map(({ key, task }) => [key, task]));
}

function parsedOf(task: RootTask | undefined): ParsedQuery {
  if (task === undefined || !('parsed' in task)) throw new Error('nothing is read');
  return task.parsed;
}

const only = (text: string, given?: Variables): ParsedQuery => parsedOf(Object.values(compile(text, given))[0]);

/** Without GraphQL's own forms of keys and type names, the query REST would have. */
function plain(selections: readonly Selection[]): readonly Selection[] {
  return selections.flatMap((selection): readonly Selection[] => {
    if (selection.kind !== 'field') return [];
    const { cast: _, ...rest } = selection;
    return [{ ...rest, children: plain(selection.children) }];
  });
}

const sameAsRest = (text: string, query: object): void => {
  const [ours, theirs] = [only(text), parseQueryObject(query, defaultQueryLimits)];
  expect(shapeOf({ ...ours.query, fields: plain(ours.query.fields) })).toBe(shapeOf(theirs.query));
  expect(ours.literals).toEqual(theirs.literals);
};

describe('a root field as the query REST would have', () => {
  it('takes the arguments of lists', () => {
    sameAsRest(
      '{ articles(filter: {title: {_contains: "x"}, author: {team: {name: {_eq: "a"}}}}, sort: ["-id"], limit: 3, page: 2, search: "y") { id title } }',
      {
        fields: 'id,title',
        filter: { title: { _contains: 'x' }, author: { team: { name: { _eq: 'a' } } } },
        sort: '-id',
        limit: 3,
        page: 2,
        search: 'y',
      },
    );
  });

  it('takes functions and scopes in filters', () => {
    sameAsRest('{ articles(filter: {made_func: {year: {_eq: 2024}}, tags_func: {count: {_gt: 1}}}) { title } }', {
      fields: 'title',
      filter: { 'year(made)': { _eq: 2024 }, 'count(tags)': { _gt: 1 } },
    });
    sameAsRest('{ pages(filter: {blocks: {_some: {item__teams: {name: {_eq: "x"}}}}}) { title } }', {
      fields: 'title',
      filter: { blocks: { _some: { 'item:teams': { name: { _eq: 'x' } } } } },
    });
  });

  it('asks the relation itself whether there is one', () => {
    sameAsRest('{ articles(filter: {author: {id: {_null: true}}}) { title } }', { fields: 'title', filter: { author: { _null: true } } });
    sameAsRest('{ articles(filter: {author: {_or: [{id: {_nnull: true, _neq: 3}}, {name: {_eq: "x"}}]}}) { title } }', {
      fields: 'title',
      filter: { author: { _or: [{ _nnull: true, id: { _neq: 3 } }, { name: { _eq: 'x' } }] } },
    });
  });

  it('nests arguments by the key in the answer', () => {
    sameAsRest('{ authors { name mine: articles(limit: 1, filter: {title: {_eq: "x"}}) { title } all: articles { id } } }', {
      fields: 'name,mine.title,all.id',
      alias: { mine: 'articles', all: 'articles' },
      deep: { mine: { _limit: 1, _filter: { title: { _eq: 'x' } } } },
    });
  });

  it('opens fragments, merges repeated fields and obeys directives', () => {
    const text = `query($no: Boolean = false) { articles { ...head author { name } ...head status @include(if: $no) } }
      fragment head on articles { title author { id } }`;
    sameAsRest(text, { fields: 'title,author.id,author.name' });
    expect(only('{ articles { title @skip(if: true) } }').query.fields).toEqual([{ kind: 'nothing' }]);
  });

  it('puts variables where literals are', () => {
    const text = 'query($t: String, $n: Int, $f: articles_filter) { articles(filter: {_and: [$f, {title: {_eq: $t}}]}, limit: $n) { id } }';
    const [one, two] = [only(text, { t: 'a', n: 2 }), only(text, { t: 'b', n: 2 })];
    expect(shapeOf(one.query)).toBe(shapeOf(two.query));
    expect([one.literals, two.literals]).toEqual([['a'], ['b']]);
    expect(only(text, { t: 'a', f: { id: { _in: [1, 2] } } }).literals).toEqual([[1, 2], 'a']);
    // A field of the filter whose variable was not given is not there.
    expect(only(text).query.filter).toBeNull();
  });

  it('answers keys as text, unions by scope, functions as objects', () => {
    const { fields } = only('{ articles { id key: id made_func { year } __typename } }').query;
    expect(fields).toMatchObject([
      { kind: 'field', as: 'id', cast: 'string' },
      { kind: 'field', as: 'key', cast: 'string' },
      { kind: 'object', as: 'made_func', children: [{ field: { name: 'made', fn: 'year' }, as: 'year' }] },
      { kind: 'typename', as: '__typename', name: 'articles' },
    ]);
    const { query } = only('{ blocks { item { __typename ... on teams { name members(limit: 1) { id } } } } }');
    const [item] = query.fields;
    if (item?.kind !== 'field') throw new Error('no field');
    expect(item.scopes['teams']).toMatchObject([{ kind: 'typename' }, { as: 'name' }, { as: 'members' }]);
    expect(item.scopes['countries']).toMatchObject([{ kind: 'typename', name: 'countries' }]);
    expect(query.deep['item:teams']?.deep['members']?.limit).toBe(1);
  });

  it('keeps what needs no variables with the document', () => {
    const constant = '{ articles(limit: 2) { id title } }';
    expect(only(constant).query).toBe(only(constant).query);
    const variable = 'query($n: Int) { articles(limit: $n) { id title } }';
    expect(only(variable, { n: 1 }).query.fields).toBe(only(variable, { n: 2 }).query.fields);
    expect(only(variable, { n: 2 }).query.limit).toBe(2);
  });
});

describe('a compiled operation', () => {
  it('is run again with other variables, and by several callers at once', () => {
    const operation = compiled('query($n: Int, $t: String) { articles(limit: $n, filter: {title: {_eq: $t}}) { id author { name } } }');
    const [one, two, three] = [{ n: 1, t: 'a' }, { n: 2 }, { n: 1, t: 'b' }].map((given) =>
      parsedOf(applyVariables(operation, given).fields[0]?.task),
    );
    expect([one?.query.limit, two?.query.limit]).toEqual([1, 2]);
    expect([one?.literals, two?.literals, three?.literals]).toEqual([['a'], [], ['b']]);
    expect(two?.query.fields).toBe(one?.query.fields);
  });

  it('leaves out of a run what a directive with a variable leaves out', () => {
    const operation = compiled(
      'query($yes: Boolean!) { a: articles { id } b: articles @include(if: $yes) { id } ...more @skip(if: $yes) } fragment more on Query { teams { id } }',
    );
    const keysOf = (yes: boolean): readonly string[] => applyVariables(operation, { yes }).fields.map(({ key }) => key);
    expect([keysOf(true), keysOf(false)]).toEqual([
      ['a', 'b'],
      ['a', 'teams'],
    ]);
  });

  it('fails a field alone whose arguments are wrong, in every run', () => {
    const operation = compiled('query($n: Int) { good: articles(limit: $n) { id } bad: articles(limit: -5) { id } }');
    for (const n of [1, 2]) {
      const { fields } = applyVariables(operation, { n });
      expect(fields.map(({ key, task }) => [key, task.kind])).toEqual([
        ['good', 'items'],
        ['bad', 'failed'],
      ]);
    }
    expect(() => applyVariables(operation, { n: 'many' })).toThrow('GraphQL validation error');
  });

  it('compiles the projection of what does not come from the database', () => {
    const { task } =
      applyVariables(compiled('mutation { delete_articles_items(ids: [1, 2]) { __typename gone: ids } }'), {}).fields[0] ?? {};
    expect(task).toMatchObject({
      kind: 'write',
      keys: ['1', '2'],
      answer: {
        kind: 'keys',
        projection: { fields: [{ name: 'delete_many' }, { as: 'gone', name: 'ids', projection: { kind: 'list' } }] },
      },
    });
  });
});

describe('totals', () => {
  it('asks for what is selected and remembers under which keys', () => {
    const task = compile('{ articles_aggregated(groupBy: ["status"]) { group n: countAll count { id } least: min { title id } } }')[
      'articles_aggregated'
    ];
    if (task?.kind !== 'aggregated') throw new Error('no totals');
    expect(task.parsed.query.aggregate.map(({ fn, path }) => `${fn} ${path?.[0]?.name ?? '*'}`)).toEqual([
      'countAll *',
      'count id',
      'min title',
      'min id',
    ]);
    expect(task.shape).toMatchObject([
      { kind: 'group', names: [{ name: 'status', as: 'status' }] },
      { kind: 'count-all', as: 'n' },
      { kind: 'values', fn: 'count', values: [{ as: 'id', isNumber: true }] },
      {
        kind: 'values',
        as: 'least',
        fn: 'min',
        values: [
          { field: 'title', isNumber: false },
          { field: 'id', isNumber: true },
        ],
      },
    ]);
  });
});

describe('writes', () => {
  const payload = (text: string, given?: Variables): unknown => {
    const task = Object.values(compile(text, given))[0];
    if (task?.kind === 'failed') throw task.error;
    if (task?.kind !== 'write') throw new Error('nothing is written');
    return task.payloads[0];
  };

  it('puts the forms beside a relation back into it', () => {
    expect(
      payload('mutation { create_authors_item(data: {name: "a", articles: [{title: "t"}], articles_keys: [3], team_key: 4}) { id } }'),
    ).toEqual({
      name: 'a',
      articles: [{ title: 't' }, '3'],
      team: '4',
    });
    expect(
      payload(
        'mutation { update_authors_item(id: 1, data: {articles_changes: {create: [{title: "t", author_key: 2}], update: [{id: 5, title: "u"}], delete: [6]}}) { id } }',
      ),
    ).toEqual({ articles: { create: [{ title: 't', author: '2' }], update: [{ id: '5', title: 'u' }], delete: ['6'] } });
    expect(
      payload('mutation { create_pages_item(data: {blocks: [{item__teams: {name: "x"}}, {collection: "countries", item: "no"}]}) { id } }'),
    ).toEqual({
      blocks: [
        { item: { name: 'x' }, collection: 'teams' },
        { collection: 'countries', item: 'no' },
      ],
    });
  });

  it('refuses two forms at once', () => {
    const twice = 'mutation { update_authors_item(id: 1, data: {articles: [], articles_changes: {delete: [1]}}) { id } }';
    expect(() => payload(twice)).toThrow('two forms');
  });

  it('leaves untouched what was not given', () => {
    const text = 'mutation($t: String, $s: String) { update_articles_item(id: 1, data: {title: $t, status: $s}) { id } }';
    expect(payload(text, { s: null })).toEqual({ status: null });
  });
});

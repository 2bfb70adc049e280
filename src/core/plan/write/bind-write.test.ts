import { describe, expect, it } from 'vitest';
import { adminContext, contextWith } from '../../../../test/fixtures/write-context.js';
import { ServiceError } from '../../errors/service-error.js';
import { defaultQueryLimits } from '../../query/query.js';
import { bindBatch, bindCreate, bindCreatePart, bindUpdate, bindUpsert } from './bind-write.js';
import type { WriteContext } from './write-context.js';

interface Failure {
  readonly code: string;
  readonly field?: unknown;
  readonly type?: unknown;
  readonly path?: unknown;
}

function failuresOf(act: () => unknown): readonly Failure[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.entries.map(({ code, extensions }) => ({
      code,
      field: extensions['field'],
      type: extensions['type'],
      path: extensions['path'],
    }));
  }
  return [];
}

const create = (collection: string, payload: unknown, context: WriteContext = adminContext()): readonly Failure[] =>
  failuresOf(() => bindCreate(context, collection, [payload]));
const update = (collection: string, payload: unknown, context: WriteContext = adminContext()): readonly Failure[] =>
  failuresOf(() => bindUpdate(context, collection, [1], payload));
const codes = (failures: readonly Failure[]): readonly string[] => failures.map(({ code }) => code);

describe('bindWrite: names', () => {
  it.each([
    ['an unknown collection', 'nothing', { a: 1 }],
    ['an unknown field', 'teams', { colour: 'red' }],
    ['an unknown field of a nested item', 'authors', { name: 'x', team: { colour: 'red' } }],
    ['the prototype', 'teams', JSON.parse('{"__proto__": {"admin": true}}')],
  ])('%s is FORBIDDEN', (_name, collection, payload) => {
    expect(codes(create(collection, payload))).toEqual(['FORBIDDEN']);
  });

  it('a field outside of the list is FORBIDDEN before its value is checked', () => {
    const context = contextWith([{ collection: 'teams', action: 'create', fields: ['name'] }]);
    expect(codes(create('teams', { members: 'no list' }, context))).toEqual(['FORBIDDEN']);
  });

  it('nested items need rights of their own', () => {
    const context = contextWith([{ collection: 'articles', action: 'create' }]);
    expect(codes(create('articles', { title: 'x', author: { name: 'y' } }, context))).toEqual(['FORBIDDEN']);
    expect(codes(create('articles', { title: 'x', comments: [{ text: 'y' }] }, context))).toEqual(['FORBIDDEN']);
    expect(codes(create('articles', { title: 'x', author: { id: 1, name: 'y' } }, context))).toEqual(['FORBIDDEN']);
  });
});

describe('bindWrite: values', () => {
  it('reports every missing value at once, with its path', () => {
    expect(create('articles', { author: { team: { name: 'x' } }, comments: [] })).toEqual([
      { code: 'FAILED_VALIDATION', field: 'name', type: 'required', path: ['author'] },
      { code: 'FAILED_VALIDATION', field: 'title', type: 'required', path: [] },
    ]);
  });

  it('reports failures of several items of a list', () => {
    expect(create('teams', { members: [{ name: 'a', articles: [{}] }, {}] })).toEqual([
      { code: 'FAILED_VALIDATION', field: 'title', type: 'required', path: ['members', 'articles'] },
      { code: 'FAILED_VALIDATION', field: 'name', type: 'required', path: ['members'] },
    ]);
  });

  it('null in a column that needs a value', () => {
    expect(update('articles', { title: null })).toEqual([{ code: 'FAILED_VALIDATION', field: 'title', type: 'nnull', path: [] }]);
  });

  it('values that do not fit their type', () => {
    expect(codes(create('authors', { name: 'x', team: 'many' }))).toEqual(['INVALID_PAYLOAD']);
    expect(codes(create('authors', { name: 'a\u0000b' }))).toEqual(['INVALID_PAYLOAD']);
    expect(codes(create('countries', { code: 'too long' }))).toEqual(['VALUE_TOO_LONG']);
    expect(codes(create('lines', { order: 99_999_999_999, place: 1 }))).toEqual(['VALUE_OUT_OF_RANGE']);
  });

  it('generated columns and keys are not written', () => {
    expect(codes(create('articles', { title: 'x', shout: 'X' }))).toEqual(['INVALID_PAYLOAD']);
    expect(codes(update('articles', { id: 2 }))).toEqual(['INVALID_PAYLOAD']);
    expect(codes(update('articles', { id: '1' }))).toEqual([]);
  });

  it('rules of fields hold for what was sent', () => {
    expect(create('articles', { title: 'x', status: 'odd' })).toEqual([
      { code: 'FAILED_VALIDATION', field: 'status', type: 'in', path: [] },
    ]);
    expect(create('articles', { title: 'x' })).toEqual([]);
  });

  it('rules of permissions hold beside them', () => {
    const context = (): WriteContext =>
      contextWith([
        { collection: 'lines', action: 'create', validation: { _and: [{ place: { _lt: 5 } }, { text: { _submitted: true } }] } },
      ]);
    expect(create('lines', { order: 1, place: 9 }, context())).toEqual([
      { code: 'FAILED_VALIDATION', field: 'place', type: 'lt', path: [] },
      { code: 'FAILED_VALIDATION', field: 'text', type: 'required', path: [] },
    ]);
    expect(create('lines', { order: 1, place: 1, text: 'x' }, context())).toEqual([]);
  });
});

describe('bindWrite: shapes', () => {
  it('failures of a list name the place of their item', () => {
    const context = adminContext();
    expect(bindCreatePart(context, 'articles', [{ title: 'x' }, {}])).toBeNull();
    expect(bindCreatePart(context, 'articles', [{ title: null }])).toBeNull();
    expect(context.failures.entries.map(({ extensions }) => [extensions['field'], extensions['index']])).toEqual([
      ['title', 1],
      ['title', 2],
    ]);
  });

  it.each([
    ['an item that is a number', () => bindCreate(adminContext(), 'teams', [1])],
    ['a batch item without its key', () => bindBatch(adminContext(), 'teams', [{ name: 'x' }])],
    ['an unknown name in the detailed form', () => bindUpdate(adminContext(), 'teams', [1], { members: { remove: [4] } })],
    ['create that is no list', () => bindUpdate(adminContext(), 'teams', [1], { members: { create: { name: 'x' } } })],
    ['an object in delete', () => bindUpdate(adminContext(), 'teams', [1], { members: { delete: [{ id: 1 }] } })],
    ['a text where a list belongs', () => bindUpdate(adminContext(), 'teams', [1], { members: 'all' })],
    [
      'a collection that is not allowed',
      () => bindUpdate(adminContext(), 'pages', [1], { blocks: [{ collection: 'tags', item: { name: 'x' } }] }),
    ],
    ['an item without its collection', () => bindUpdate(adminContext(), 'pages', [1], { blocks: [{ item: { name: 'x' } }] })],
  ])('%s is INVALID_PAYLOAD', (_name, act) => {
    expect(codes(failuresOf(act))).toEqual(['INVALID_PAYLOAD']);
  });

  it.each([
    ['a key of the wrong type', () => bindUpdate(adminContext(), 'teams', ['abc'], {})],
    ['a linked key of the wrong type', () => bindUpdate(adminContext(), 'teams', [1], { members: ['abc'] })],
    ['half of a composite key', () => bindUpdate(adminContext(), 'lines', [1], {})],
  ])('%s is FORBIDDEN', (_name, act) => {
    expect(codes(failuresOf(act))).toEqual(['FORBIDDEN']);
  });

  it('items nested too deeply are refused', () => {
    const payload = { members: [{ name: 'x', articles: [{ title: 'x', comments: [{ text: 'x' }] }] }] };
    const context = (depth: number): WriteContext => ({ ...adminContext(), limits: { ...defaultQueryLimits, depth } });
    expect(codes(create('teams', payload, context(3)))).toEqual([]);
    expect(codes(create('teams', payload, context(2)))).toEqual(['INVALID_PAYLOAD']);
  });

  it('the field that holds the parent is set by the relation', () => {
    expect(codes(create('teams', { members: [{ name: 'x', team: { name: 'another' } }] }))).toEqual(['INVALID_PAYLOAD']);
  });

  it('an upsert needs a unique key and its values', () => {
    expect(codes(failuresOf(() => bindUpsert(adminContext(), 'tags', [{ name: 'x' }], ['id', 'name'])))).toEqual(['INVALID_QUERY']);
    expect(codes(failuresOf(() => bindUpsert(adminContext(), 'authors', [{ name: 'x' }], ['name'])))).toEqual(['INVALID_QUERY']);
    expect(codes(failuresOf(() => bindUpsert(adminContext(), 'authors', [{ name: 'x' }], ['email'])))).toEqual(['INVALID_PAYLOAD']);
    expect(codes(failuresOf(() => bindUpsert(adminContext(), 'authors', [{ email: 'x' }], ['email'])))).toEqual([]);
  });
});

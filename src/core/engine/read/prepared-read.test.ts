import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { contextWith } from '../../../../test/fixtures/write-context.js';
import { postgresSyntax } from '../../../dialects/postgres/sql/syntax.js';
import { type Caller, serviceCaller } from '../../access/view.js';
import { ServiceError } from '../../errors/service-error.js';
import { parseUrlQuery } from '../../query/parse/parse-url-query.js';
import { defaultQueryLimits } from '../../query/query.js';
import { type PreparedRead, ReadPreparer, type ReadQuestion, type Target } from './prepared-read.js';

const admin = serviceCaller(newsroomSchema);
const list: Target = { kind: 'list' };

function question(search: string, target: Target = list, keys: readonly unknown[] = [], collection = 'articles'): ReadQuestion {
  const { query, literals } = parseUrlQuery(search, defaultQueryLimits);
  return { collection, query, literals: [...literals, ...keys], target, streamed: false };
}

const preparing = () => {
  const preparer = new ReadPreparer({ syntax: postgresSyntax, mirrored: null }, defaultQueryLimits);
  return (asked: ReadQuestion, caller: Caller = admin): PreparedRead => preparer.prepare(caller, asked);
};

describe('a prepared read is found again', () => {
  it('by the shape of the query, not by its values', () => {
    const prepare = preparing();
    const one = prepare(question('filter[title][_eq]=a&limit=5'));
    expect(prepare(question('filter[title][_eq]=b&limit=5'))).toBe(one);
    expect(prepare(question('filter[title][_neq]=b&limit=5'))).not.toBe(one);
    expect(prepare(question('filter[title][_eq]=a&limit=6'))).not.toBe(one);
  });

  it('by the same query object', () => {
    const prepare = preparing();
    const asked = question('sort=-title');
    expect(prepare({ ...asked })).toBe(prepare({ ...asked }));
  });

  it('not for another target, way of reading or window', () => {
    const prepare = preparing();
    const asked = question('fields=title');
    const reads = [
      asked,
      { ...asked, streamed: true },
      { ...asked, window: { backwards: false, nulls: null } },
      { ...asked, window: { backwards: true, nulls: null } },
      { ...asked, target: { kind: 'one' } as const, literals: [1] },
      { ...asked, target: { kind: 'keys', count: 1 } as const, literals: [[1, 2]] },
      { ...asked, target: { kind: 'new' } as const },
    ].map((each) => prepare(each));
    expect(new Set(reads).size).toBe(reads.length);
  });

  it('not by a caller who sees something else', () => {
    const prepare = preparing();
    const asked = question('fields=title');
    const reader = contextWith([{ collection: 'articles', action: 'read', rule: { title: { _eq: 'x' } } }]).caller;
    const [all, some] = [prepare(asked), prepare(asked, reader)];
    expect(some).not.toBe(all);
    expect(some.statement.text).toContain('WHERE');
    expect(prepare(asked, reader)).toBe(some);
    expect(() => prepare(question('', list, [], 'authors'), reader)).toThrow(ServiceError);
  });
});

describe('a prepared read knows', () => {
  it('the tables it names', () => {
    const { statement } = preparing()(question('fields=title,author.name,comments.text'));
    expect([...statement.tables].sort()).toEqual(['articles', 'authors', 'comments']);
  });

  it('its limit, without the item that a window reads in addition', () => {
    const prepare = preparing();
    const asked = question('limit=7');
    expect([prepare(asked).limit, prepare({ ...asked, window: { backwards: false, nulls: null } }).limit]).toEqual([7, 7]);
    expect(prepare(question('limit=-1')).limit).toBeNull();
  });

  it('whether one item is cheap to read: without lists', () => {
    const prepare = preparing();
    const cheap = (search: string): boolean => prepare(question(search, { kind: 'one' }, [1])).cheap;
    expect([cheap('fields=title'), cheap('fields=title,author.name'), cheap('fields=title,comments.text')]).toEqual([true, true, false]);
  });

  it('whether the INSERT of a new item can return it', () => {
    const prepare = preparing();
    const answer = (search: string): boolean => prepare(question(search, { kind: 'new' })).answer !== null;
    expect([answer('fields=title'), answer('fields=title,comments.text')]).toEqual([true, false]);
  });
});

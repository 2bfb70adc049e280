import { describe, expect, it } from 'vitest';
import { postgresSyntax } from '../../../dialects/postgres/sql/syntax.js';
import { ServiceError } from '../../errors/service-error.js';
import { KeyBatch } from '../../pipeline/key-batch.js';
import type { ValueSource } from '../../plan/names/value-source.js';
import type { ColumnType } from '../../schema/types/field-type.js';
import { type Param, paramsOf, render, sql } from '../../sql/sql.js';
import { bindValue, checkLiterals, makeStatement, type Resolve } from './statement-values.js';

const slot: ValueSource = { kind: 'slot', slot: 0 };
const asSent: Resolve = (value) => value;

function param(source: ValueSource, type: ColumnType, options?: { readonly list?: boolean; readonly lenient?: boolean }): Param {
  const [only] = paramsOf(postgresSyntax.param(source, type, null, options));
  if (only === undefined) throw new Error('no parameter');
  return only;
}

function refusalOf(act: () => unknown): readonly (string | undefined)[] {
  try {
    act();
    return [];
  } catch (error) {
    return error instanceof ServiceError ? error.entries.flatMap(({ code, message }) => [code, message]) : [String(error)];
  }
}

describe('a value of the request', () => {
  it('is bound in the form of its column', () => {
    expect(bindValue(param(slot, 'integer'), ['5'], asSent)).toEqual(bindValue(param(slot, 'integer'), [5], asSent));
    expect(bindValue(param(slot, 'boolean'), ['true'], asSent)).toBe(true);
    expect(bindValue(param({ kind: 'element', of: slot, index: 1 }, 'string'), [['a', 'b']], asSent)).toBe('b');
  });

  it('that does not fit is refused, and shown as it was sent', () => {
    const [code, message] = refusalOf(() => bindValue({ ...param(slot, 'integer'), field: 'pages' }, ['many'], asSent));
    expect(code).toBe('INVALID_QUERY');
    expect(message).toContain('"many" for "pages"');
  });

  it('that is dynamic is resolved, and never shown', () => {
    const resolve: Resolve = (value, origin) => (value === '$CURRENT_USER' ? `secret of the ${origin}` : value);
    expect(bindValue(param(slot, 'string'), ['$CURRENT_USER'], resolve)).toBe('secret of the request');
    const [, message] = refusalOf(() => bindValue(param(slot, 'integer'), ['$CURRENT_USER'], resolve));
    expect(message).toContain('$CURRENT_USER');
    expect(message).not.toContain('secret');
  });

  it('that does not fit a search binds null', () => {
    expect(bindValue(param(slot, 'integer', { lenient: true }), ['many'], asSent)).toBeNull();
  });

  it('may be a list, whose members are checked one by one', () => {
    const list = param(slot, 'integer', { list: true });
    expect(bindValue(list, [['1', 2]], asSent)).toEqual(bindValue(list, [[1, 2]], asSent));
    expect(refusalOf(() => bindValue(list, [['1', 'x']], asSent))[1]).toContain('"x"');
  });
});

it('a rule whose value does not fit forbids, without a word about the value', () => {
  const refusal = refusalOf(() => bindValue(param({ kind: 'rule', value: 'many' }, 'integer'), [], asSent));
  expect(refusal[0]).toBe('FORBIDDEN');
  expect(refusal[1]).not.toContain('many');
});

it('a pending key passes through, but no statement is made with it before it is known', () => {
  const key = new KeyBatch(0, 1).key(0);
  expect(bindValue(param(slot, 'integer'), [key], asSent)).toBe(key);
  const rendered = render(sql`SELECT ${param(slot, 'integer')}`, postgresSyntax.placeholder);
  expect(() => makeStatement(rendered, [key], asSent)).toThrow('not known yet');
});

it('a statement carries its kind, its tables and the values of a cursor', () => {
  const table = postgresSyntax.table({ schema: null, name: 'books' });
  const mark = postgresSyntax.markParam(0, { sql: sql`id`, type: 'integer', column: null });
  const rendered = render(sql`SELECT 1 FROM ${table} WHERE id > ${mark}`, postgresSyntax.placeholder);
  expect(makeStatement(rendered, [], asSent, { marks: [7] })).toMatchObject({
    kind: 'read',
    tables: ['books'],
    prepare: true,
    cheap: false,
  });
  expect(makeStatement(rendered, [], asSent, { marks: [7], kind: 'write', cheap: true })).toMatchObject({ kind: 'write', cheap: true });
});

it('literals are checked before anything runs, dynamic ones later', () => {
  expect(refusalOf(() => checkLiterals([param(slot, 'integer')], ['many']))[0]).toBe('INVALID_QUERY');
  checkLiterals([param(slot, 'integer')], ['$NOW']);
  checkLiterals([param({ kind: 'rule', value: 'many' }, 'integer')], []);
});

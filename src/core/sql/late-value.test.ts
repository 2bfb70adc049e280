import { describe, expect, it } from 'vitest';
import { createSyntax, mysqlSyntax } from '../../dialects/mysql/syntax.js';
import { postgresSyntax } from '../../dialects/postgres/syntax.js';
import { sqliteSyntax } from '../../dialects/sqlite/syntax.js';
import { Counter, LateText, LateValue } from './late-value.js';
import { bindWritten, renderLate } from './render-late.js';
import { sql } from './sql.js';
import { written } from './written.js';

const counted = (rows: number, row = 0): LateValue => new LateValue(new Counter(2, rows), row);

describe('a late value', () => {
  it('is itself until its counter is told, in the order of the numbers', () => {
    const counter = new Counter(0, 2);
    const [first, second] = [new LateValue(counter, 0), new LateValue(counter, 1)];
    expect(first.now()).toBe(first);
    counter.settle([8, 7]);
    expect([first.now(), second.now()]).toEqual([7, 8]);
  });
});

describe('a statement with late values', () => {
  const insert = (value: unknown) =>
    sql`SELECT ${postgresSyntax.param(written(5), 'integer', null)}, ${postgresSyntax.param(written(value), 'integer', null)}`;

  it('reads them from the transaction (PostgreSQL)', () => {
    const text = (late: LateValue): string => renderLate(postgresSyntax, insert(late), bindWritten).text;
    expect(text(counted(1))).toBe("SELECT $1::bigint, current_setting('tain.counter2')::bigint");
    expect(text(counted(3, 1))).toBe("SELECT $1::bigint, split_part(current_setting('tain.counter2'), ',', 2)::bigint");
  });

  it('puts them into texts (PostgreSQL)', () => {
    const document = sql`SELECT ${postgresSyntax.param(written(new LateText(['{"a":"5 %","b":', counted(1), '}'])), 'json', null)}`;
    expect(renderLate(postgresSyntax, document, bindWritten)).toEqual({
      text: "SELECT format($1::text, current_setting('tain.counter2'))::json",
      values: ['{"a":"5 %%","b":%s}'],
      lates: [],
    });
  });

  it('leaves their places to the worker (SQLite)', () => {
    const late = counted(1);
    const both = sql`SELECT ${sqliteSyntax.param(written(5), 'integer', null)}, ${sqliteSyntax.param(written(late), 'integer', null)}`;
    expect(renderLate(sqliteSyntax, both, bindWritten)).toEqual({ text: 'SELECT ?, ?', values: [5n, null], lates: [{ at: 1, late }] });
  });

  it('reads them from variables and puts them into texts (MariaDB)', () => {
    const syntax = createSyntax(() => ({ mariadb: true, major: 10, minor: 6 }));
    const document = new LateText(['{"a":', counted(3, 2), ',"b":', counted(1), '}']);
    const both = sql`SELECT ${syntax.param(written(counted(1)), 'integer', null)}, ${syntax.param(written(document), 'json', null)}`;
    const second = '(@tain_counter2 + 2 * @@auto_increment_increment)';
    expect(renderLate(syntax, both, bindWritten)).toEqual({
      text: `SELECT @tain_counter2, REPLACE(REPLACE(?, '\u00010\u0001', ${second}), '\u00011\u0001', @tain_counter2)`,
      values: ['{"a":\u00010\u0001,"b":\u00011\u0001}'],
      lates: [],
    });
  });

  it('is refused where every statement waits (MySQL)', () => {
    const one = sql`SELECT ${mysqlSyntax.param(written(counted(1)), 'integer', null)}`;
    expect(() => renderLate(mysqlSyntax, one, bindWritten)).toThrow('no late values');
  });
});

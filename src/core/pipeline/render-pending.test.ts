import { describe, expect, it } from 'vitest';
import { createSyntax, mysqlSyntax } from '../../dialects/mysql/sql/syntax.js';
import { postgresSyntax } from '../../dialects/postgres/sql/syntax.js';
import { sqliteSyntax } from '../../dialects/sqlite/sql/syntax.js';
import { type PendingKey, PendingText } from '../sql/pending-key.js';
import { sql } from '../sql/sql.js';
import { written } from '../sql/written.js';
import { KeyBatch } from './key-batch.js';
import { bindWritten, renderPending } from './render-pending.js';

const counted = (rows: number, row = 0): PendingKey => new KeyBatch(2, rows).key(row);

describe('a statement with pending keys', () => {
  const insert = (value: unknown) =>
    sql`SELECT ${postgresSyntax.param(written(5), 'integer', null)}, ${postgresSyntax.param(written(value), 'integer', null)}`;

  it('reads them from the transaction (PostgreSQL)', () => {
    const text = (key: PendingKey): string => renderPending(postgresSyntax, insert(key), bindWritten).text;
    expect(text(counted(1))).toBe("SELECT $1::bigint, current_setting('tain.keys2')::bigint");
    expect(text(counted(3, 1))).toBe("SELECT $1::bigint, split_part(current_setting('tain.keys2'), ',', 2)::bigint");
  });

  it('puts them into texts (PostgreSQL)', () => {
    const document = sql`SELECT ${postgresSyntax.param(written(new PendingText(['{"a":"5 %","b":', counted(1), '}'])), 'json', null)}`;
    expect(renderPending(postgresSyntax, document, bindWritten)).toMatchObject({
      text: "SELECT format($1::text, current_setting('tain.keys2'))::json",
      values: ['{"a":"5 %%","b":%s}'],
      pending: [],
    });
  });

  it('leaves their places to the worker (SQLite)', () => {
    const key = counted(1);
    const both = sql`SELECT ${sqliteSyntax.param(written(5), 'integer', null)}, ${sqliteSyntax.param(written(key), 'integer', null)}`;
    expect(renderPending(sqliteSyntax, both, bindWritten)).toMatchObject({
      text: 'SELECT ?, ?',
      values: [5n, null],
      pending: [{ at: 1, pending: key }],
    });
  });

  it('reads them from variables and puts them into texts (MariaDB)', () => {
    const syntax = createSyntax(() => ({ mariadb: true, major: 10, minor: 6 }));
    const document = new PendingText(['{"a":', counted(3, 2), ',"b":', counted(1), '}']);
    const both = sql`SELECT ${syntax.param(written(counted(1)), 'integer', null)}, ${syntax.param(written(document), 'json', null)}`;
    const second = '(@tain_keys2 + 2 * @@auto_increment_increment)';
    expect(renderPending(syntax, both, bindWritten)).toMatchObject({
      text: `SELECT @tain_keys2, REPLACE(REPLACE(?, '\u00010\u0001', ${second}), '\u00011\u0001', @tain_keys2)`,
      values: ['{"a":\u00010\u0001,"b":\u00011\u0001}'],
      pending: [],
    });
  });

  it('is refused where every statement waits (MySQL)', () => {
    const one = sql`SELECT ${mysqlSyntax.param(written(counted(1)), 'integer', null)}`;
    expect(() => renderPending(mysqlSyntax, one, bindWritten)).toThrow('cannot refer to pending keys');
  });
});

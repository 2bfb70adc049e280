import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Connection, Driver, Row, Statement } from '../core/vendor/driver.js';
import { openSlowStatements, type SlowStatement } from './slow-statements.js';

/** A database whose statements take as long as their first value says, by a clock of its own. */
function openScripted(thresholdMs: number) {
  let time = 0;
  const lines: SlowStatement[] = [];
  const spend = ({ values }: Statement): readonly Row[] => {
    time += Number(values[0]);
    if (values[1] === 'fails') throw new Error('refused');
    return [];
  };
  const connection: Connection = {
    rows: async (statement) => spend(statement),
    run: async (statement) => spend(statement).length,
    rowsAtOnce: (statement) => (statement.cheap === true ? spend(statement) : null),
  };
  const driver = {
    ...connection,
    async *stream(statement: Statement) {
      yield spend(statement);
      yield spend(statement);
    },
    transaction: <T>(work: (own: Connection) => Promise<T>) => work(connection),
  } as unknown as Driver;
  const exclusively = <T>(work: (own: Connection) => Promise<T>): Promise<T> => work(connection);
  const slow = openSlowStatements({ thresholdMs, now: () => time });
  const log = { warn: (line: SlowStatement) => lines.push(line) };
  slow.follow({ addHook: () => undefined, log } as unknown as FastifyInstance);
  const asked: string[] = [];
  const syntax = {
    explain: (text: string) => {
      asked.push(text);
      return `explain ${text}`;
    },
    readPlan: () => ({ steps: [{ table: 't0', access: 'search', index: 'by_name', rows: 3 }], sorts: true }),
  };
  const dialect = slow.watch({ driver, exclusively, syntax, mirrored: null } as unknown as Dialect);
  return {
    ...{ lines, asked, dialect, driver: dialect.driver, list: slow.list },
    pass: (ms: number): void => {
      time += ms;
    },
  };
}

const taking = (ms: number, more: Partial<Statement> = {}): Statement => ({ kind: 'write', text: 'select ?', values: [ms], ...more });

describe('slow statements', () => {
  it('are logged from the threshold on, whichever way they are sent', async () => {
    const { lines, driver, dialect } = openScripted(100);
    await driver.rows(taking(99));
    driver.rowsAtOnce?.(taking(99, { cheap: true }));
    expect(lines).toEqual([]);
    await driver.rows(taking(100, { text: 'select rows' }));
    await driver.run(taking(101, { text: 'run' }));
    driver.rowsAtOnce?.(taking(102, { text: 'at once', cheap: true }));
    await driver.transaction((own) => own.rows(taking(103, { text: 'in a transaction' })));
    await dialect.exclusively((own) => own.run(taking(104, { text: 'exclusively' })));
    expect(lines.map(({ sql, durationMs }) => [sql, durationMs])).toEqual([
      ['select rows', 100],
      ['run', 101],
      ['at once', 102],
      ['in a transaction', 103],
      ['exclusively', 104],
    ]);
    expect(driver.rowsAtOnce?.(taking(200)), 'not one that is answered at once').toBeNull();
    expect(lines).toHaveLength(5);
  });

  it('name their collections and what was sent along, and no values', async () => {
    const { lines, driver } = openScripted(1);
    const queued = [taking(0, { text: 'insert ?', tables: ['authors'], values: ['a secret'] })];
    await driver.rows(taking(5, { tables: ['books', 'authors'], queued, values: [5, 'another secret'] }));
    await driver.run({ kind: 'ddl', text: "alter table t default 'it''s secret' not null", values: [7] });
    expect(lines).toEqual([
      { durationMs: 5, sql: 'insert ?;\nselect ?', collections: ['authors', 'books'] },
      { durationMs: 7, sql: "alter table t default '…' not null", collections: [] },
    ]);
    await driver.rows(taking(5, { text: 'x'.repeat(100_000) }));
    expect(lines[2]?.sql).toHaveLength(4000);
  });

  it('of reads come with their plan, which the database is asked for rarely', async () => {
    const { lines, asked, driver, pass } = openScripted(10);
    const read = (text: string): Promise<unknown> => driver.rows(taking(10, { kind: 'read', text }));
    await read('one');
    await read('two');
    await expect.poll(() => lines.length).toBe(2);
    expect(asked, 'one at a time').toEqual(['one']);
    expect(lines.find(({ sql }) => sql === 'one')?.plan).toEqual(['search t0 by by_name (about 3 rows)', 'sort']);
    await read('one');
    await driver.rows(taking(10, { text: 'a write' }));
    expect(asked).toEqual(['one']);
    pass(600_000);
    await read('one');
    expect(asked).toEqual(['one', 'one']);
  });

  it('that fail are logged as such, and fail all the same', async () => {
    const { lines, driver } = openScripted(10);
    await expect(driver.rows(taking(20, { values: [20, 'fails'] }))).rejects.toThrow('refused');
    expect(lines).toMatchObject([{ durationMs: 20, failed: true }]);
  });

  it('of a stream count the time of the database, not that of its reader', async () => {
    const { lines, driver, pass } = openScripted(100);
    for await (const _batch of driver.stream(taking(40))) pass(1000);
    expect(lines).toEqual([]);
    for await (const _batch of driver.stream(taking(60))) pass(1000);
    expect(lines).toMatchObject([{ durationMs: 120 }]);
    for await (const _batch of driver.stream(taking(110))) break;
    expect(lines[1], 'one that is left early').toMatchObject({ durationMs: 110 });
  });

  it('are logged twenty times in ten seconds; the next line says how many were left out', async () => {
    const { lines, driver, pass } = openScripted(1);
    for (let count = 0; count < 50; count += 1) await driver.rows(taking(1));
    expect(lines).toHaveLength(20);
    pass(10_000);
    await driver.rows(taking(1));
    await driver.rows(taking(1));
    expect(lines.slice(20).map(({ unlogged }) => unlogged)).toEqual([30, undefined]);
  });

  it('are listed as the log has them, the latest hundred', async () => {
    const { lines, driver, pass, list } = openScripted(1);
    expect(list()).toMatchObject({ threshold_ms: 1, statements: [] });
    await driver.rows(taking(5, { kind: 'read', text: 'select one', tables: ['books'], values: [5, 'a secret'] }));
    await expect.poll(() => lines.length).toBe(1);
    const [only, ...others] = list().statements;
    expect(others).toEqual([]);
    expect(only).toEqual({
      moment: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      duration_ms: 5,
      sql: 'select one',
      collections: ['books'],
      plan: ['search t0 by by_name (about 3 rows)', 'sort'],
      request_id: null,
      failed: false,
      unlogged: 0,
    });
    for (let count = 0; count < 150; count += 1) {
      await driver.rows(taking(1, { text: `statement ${count}` }));
      pass(1000);
    }
    const kept = list().statements.map(({ sql }) => sql);
    expect([kept.length, kept[0], kept[99]]).toEqual([100, 'statement 149', 'statement 50']);
  });
});

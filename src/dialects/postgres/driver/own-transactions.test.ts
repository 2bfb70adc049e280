import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPostgres, openTestPostgres } from '../../../../test/harness/open-postgres.js';
import { defaultDeadlines } from '../../../core/vendor/dialect.js';
import type { Statement } from '../../../core/vendor/driver.js';
import { openDriver, type PostgresDriver } from './connection.js';
import { OwnTransactions } from './own-transactions.js';

const named = (own: OwnTransactions, id: number): Promise<void> => own.named(async (note) => note(String(id)));

describe('what a look finds', () => {
  it('is new at first, and as long as nothing but own transactions have ended it stays', async () => {
    const own = new OwnTransactions();
    const first = await own.look('10:10:');
    expect(await own.look('10:10:')).toBe(first);
    await named(own, 10);
    await named(own, 11);
    expect(await own.look('12:12:')).toBe(first);
    await named(own, 13);
    expect(await own.look('12:14:12'), '12 is under way').toBe(first);
    expect(await own.look('14:14:'), '12 was somebody else').toBe(first + 1);
    expect(await own.look('14:14:')).toBe(first + 1);
  });

  it('is new where somebody else has come between own ones', async () => {
    const own = new OwnTransactions();
    const first = await own.look('10:10:');
    for (const id of [10, 12]) await named(own, id);
    expect(await own.look('13:13:')).toBe(first + 1);
  });

  it('waits for the answers that are under way', async () => {
    const own = new OwnTransactions();
    const first = await own.look('10:10:');
    const late = own.named(async (note) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      note('10');
    });
    expect(await own.look('11:11:')).toBe(first);
    await late;
    const never = own.named(() => new Promise<void>(() => undefined));
    expect(await own.look('12:12:'), 'but not for long').toBe(first + 1);
    void never;
  });

  it('is new after a move to another host, which gives the ids again', async () => {
    const own = new OwnTransactions();
    const first = await own.look('10:10:');
    await named(own, 10);
    own.forget();
    expect(await own.look('11:11:')).toBe(first + 1);
  });
});

describe('own transactions', () => {
  let database: OpenPostgres;
  let driver: PostgresDriver;

  beforeAll(async () => {
    database = await openTestPostgres('own_transactions');
    await database.run('CREATE TABLE items (id integer PRIMARY KEY, title text)', "INSERT INTO items VALUES (1, 'one')");
    driver = openDriver({ url: database.url, poolSize: 4, statementTimeoutMs: 60_000, deadlines: defaultDeadlines, systemSchema: null });
  });
  afterAll(async () => {
    await driver?.close();
    await database?.remove();
  });

  const write = (values: Partial<Statement> = {}): Statement => ({
    kind: 'write',
    text: "UPDATE items SET title = title || '.' WHERE id = 1",
    values: [],
    ...values,
  });
  const read = async (text: string): Promise<string> => String((await driver.rows({ kind: 'read', text, values: [] }))[0]?.[0]);

  /** Whether the latest version of the item counts as an own one. The server has other users, so only its transaction is looked at. */
  async function isOwn(change: () => Promise<unknown>): Promise<boolean> {
    await driver.own.look(`1:${await read('SELECT pg_snapshot_xmax(pg_current_snapshot())::text')}:`);
    const before = await read('SELECT title FROM items WHERE id = 1');
    await change();
    expect(await read('SELECT title FROM items WHERE id = 1')).not.toBe(before);
    const id = Number(await read('SELECT xmin::text FROM items WHERE id = 1'));
    const count = await driver.own.look(`1:${id}:`);
    return (await driver.own.look(`1:${id + 1}:`)) === count;
  }

  it.each([
    ['a statement outside of a transaction', () => driver.run(write())],
    ['one statement with its commit', () => driver.transaction((connection) => connection.run(write({ last: true })))],
    ['one of several in one exchange', () => driver.transaction((connection) => connection.run(write({ queued: [write()], last: true })))],
    [
      'several statements, the last with the commit',
      () =>
        driver.transaction(async (connection) => {
          await connection.run(write());
          await connection.run(write({ last: true, prepare: true }));
        }),
    ],
    ['a transaction that commits by itself', () => driver.transaction((connection) => connection.run(write()))],
  ])('%s names itself', async (_, change) => {
    expect(await isOwn(change)).toBe(true);
  });

  it('answers what the statement answers', async () => {
    await driver.own.look(await read('SELECT pg_current_snapshot()::text'));
    const returning = write({ text: 'UPDATE items SET title = title WHERE id = 1 RETURNING id', last: true });
    expect(await driver.transaction((connection) => connection.rows(returning))).toEqual([[1]]);
    expect(await driver.rows({ ...returning, last: false })).toEqual([[1]]);
    expect(await driver.transaction((connection) => connection.run(returning))).toBe(1);
  });

  it('of the structure, and those of other programs, do not', async () => {
    expect(await isOwn(() => driver.transaction((connection) => connection.run(write()), { structure: true }))).toBe(false);
    expect(await isOwn(() => database.run(write().text))).toBe(false);
  });
});

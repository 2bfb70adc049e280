import { expect, it } from 'vitest';
import { type Reply, ScriptedConnection } from '../../../test/harness/scripted-connection.js';
import { DatabaseError } from '../vendor/database-error.js';
import type { Statement } from '../vendor/driver.js';
import { PipelinedConnection } from './pipelined-connection.js';

const statement = (text: string): Statement => ({ kind: 'insert', text, values: [] });

function open(...replies: readonly Reply[]) {
  const inner = new ScriptedConnection(replies);
  return { connection: new PipelinedConnection(inner), texts: () => inner.exchanges.map(({ texts }) => texts), inner };
}

it('sends queued statements in one exchange with the next one', async () => {
  const { connection, texts } = open();
  connection.enqueue(statement('a'));
  connection.enqueue(statement('b'));
  expect(texts()).toEqual([]);
  await connection.rows(statement('c'));
  await connection.run(statement('d'));
  expect(texts()).toEqual([['a', 'b', 'c'], ['d']]);
});

it('hands each statement its own rows before the call resolves', async () => {
  const { connection } = open([[1]], [], [[3]]);
  const seen: unknown[] = [];
  connection.enqueue(statement('a'), { onRows: (rows) => seen.push(['a', rows]) });
  connection.enqueue(statement('b'));
  expect(await connection.rows(statement('c'))).toEqual([[3]]);
  expect(seen).toEqual([['a', [[1]]]]);
});

it('flush sends what is queued, the last of it with its rows and the hint to commit', async () => {
  const { connection, inner } = open([[1]], [[2]]);
  const seen: unknown[] = [];
  for (const text of ['a', 'b']) connection.enqueue(statement(text), { onRows: (rows) => seen.push([text, rows]) });
  await connection.flush(true);
  expect(inner.exchanges).toMatchObject([{ texts: ['a', 'b'], last: true }]);
  expect(seen).toEqual([
    ['a', [[1]]],
    ['b', [[2]]],
  ]);
  await connection.flush(true);
  expect(inner.exchanges).toHaveLength(1);
});

it('explains the failure of the statement that failed, and of no other', async () => {
  const failure = new DatabaseError('unique', 'twice');
  const explain = (text: string) => (error: unknown) => new Error(`${text}: ${error instanceof DatabaseError ? error.kind : ''}`);
  const middle = open([], failure);
  for (const text of ['a', 'b', 'c']) middle.connection.enqueue(statement(text), { explain: explain(text) });
  await expect(middle.connection.rows(statement('d'))).rejects.toThrow('b: unique');

  const last = open([], failure);
  for (const text of ['a', 'b']) last.connection.enqueue(statement(text), { explain: explain(text) });
  await expect(last.connection.flush()).rejects.toThrow('b: unique');

  const own = open([], failure);
  own.connection.enqueue(statement('a'), { explain: explain('a') });
  await expect(own.connection.run(statement('b'))).rejects.toBe(failure);

  const unexplained = open(failure);
  unexplained.connection.enqueue(statement('a'));
  await expect(unexplained.connection.run(statement('b'))).rejects.toBe(failure);
});

it('sends a long queue in several exchanges, in order', async () => {
  const { connection, texts } = open();
  const names = Array.from({ length: 40 }, (_, index) => `q${index}`);
  for (const name of names) connection.enqueue(statement(name));
  await connection.rows(statement('own'));
  expect(texts().flat()).toEqual([...names, 'own']);
  expect(texts().map(({ length }) => length)).toEqual([16, 16, 9]);
});

it('a nested connection has a queue of its own and continues to number the batches', async () => {
  const { connection, texts } = open();
  expect(connection.newBatch(1).place).toBe(0);
  connection.enqueue(statement('outer'));
  const nested = connection.nested();
  nested.enqueue(statement('dropped'));
  expect(nested.newBatch(2)).toMatchObject({ place: 1, rows: 2 });
  // What the database keeps under the name of a nested batch is still there.
  expect(connection.newBatch(3)).toMatchObject({ place: 2, rows: 3 });
  await connection.run(statement('rollback'));
  expect(texts()).toEqual([['outer', 'rollback']]);
});

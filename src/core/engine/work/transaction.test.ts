import { describe, expect, it } from 'vitest';
import { newsroomSchema } from '../../../../test/fixtures/newsroom-schema.js';
import { type Reply, type ScriptedDriver, scriptedDriver } from '../../../../test/harness/scripted-connection.js';
import { serviceCaller } from '../../access/view.js';
import { forbidden, ServiceError, serviceError } from '../../errors/service-error.js';
import { DatabaseError } from '../../vendor/database-error.js';
import type { Statement } from '../../vendor/driver.js';
import { attempt, rehearse } from './rehearse.js';
import { RetryQueue } from './retry.js';
import { runTransaction, type TransactionWork, type WriteOptions } from './transaction.js';

const caller = serviceCaller(newsroomSchema);
const deadlines = { poolMs: 1_000, lockMs: 1_000, silenceMs: 1_000 };
const statement = (text: string): Statement => ({ kind: 'insert', text, values: [] });

function opening(scripts: readonly (readonly Reply[])[] = []) {
  const driver = scriptedDriver(scripts);
  const effectErrors: unknown[] = [];
  const deps = {
    dialect: { driver, deadlines },
    retries: new RetryQueue(),
    onEffectError: (error: unknown) => effectErrors.push(error),
    changes: null,
  };
  const run = <T>(act: (work: TransactionWork) => Promise<T>, options: WriteOptions = {}): Promise<T> =>
    runTransaction(deps, caller, act, options);
  return { driver, run, effectErrors };
}

const textsOf = ({ connections }: ScriptedDriver): readonly (readonly string[])[] =>
  connections.flatMap(({ exchanges }) => exchanges.map(({ texts }) => texts));

describe('a transaction', () => {
  it('sends what is queued last with the hint to commit, behind the closing steps', async () => {
    const { driver, run } = opening();
    await run(async ({ connection, scope }) => {
      scope.beforeCommit(async () => {
        connection.enqueue(statement('record'));
        scope.beforeCommit(async () => connection.enqueue(statement('record of the record')));
      });
      connection.enqueue(statement('insert'));
    });
    expect(driver.connections[0]?.exchanges).toMatchObject([{ texts: ['insert', 'record', 'record of the record'], last: true }]);
    expect(driver.outcomes).toEqual(['committed']);
  });

  it('runs effects after the commit, each even if others fail', async () => {
    const { driver, run, effectErrors } = opening();
    const seen: string[] = [];
    const effect = (name: string) => () => void seen.push(`${name} ${driver.outcomes.join()}`);
    const answer = await run(async ({ afterCommit }) => {
      afterCommit(effect('first'));
      afterCommit(() => Promise.reject(new Error('mail')));
      afterCommit(effect('second'));
      return 'answer';
    });
    expect([answer, seen, effectErrors.map(String)]).toEqual(['answer', ['first committed', 'second committed'], ['Error: mail']]);
  });

  it('of a dry run answers, and is rolled back without effects and without the hint to commit', async () => {
    const { driver, run } = opening();
    const act = async ({ connection, afterCommit }: TransactionWork): Promise<string> => {
      afterCommit(() => Promise.reject(new Error('must not run')));
      connection.enqueue(statement('insert'));
      return 'answer';
    };
    expect(await run(act, { dryRun: true })).toBe('answer');
    expect([driver.outcomes, driver.connections[0]?.exchanges[0]?.last]).toEqual([['rolled back'], false]);
  });
});

describe('a failed transaction', () => {
  const insert = async ({ connection }: TransactionWork): Promise<void> => void (await connection.run(statement('insert')));

  it('runs again as a whole when it lost a deadlock, with a scope and effects of its own', async () => {
    const { driver, run } = opening([[new DatabaseError('deadlock', 'lost')], []]);
    const effects: number[] = [];
    const scopes = new Set<object>();
    await run(async (work) => {
      scopes.add(work.scope);
      work.afterCommit(() => void effects.push(scopes.size));
      await insert(work);
    });
    expect([driver.outcomes, effects, scopes.size]).toEqual([['rolled back', 'committed'], [2], 2]);
  });

  it('runs again when a step has wrapped the error of the database', async () => {
    const { driver, run } = opening();
    let tries = 0;
    await run(async () => {
      tries += 1;
      if (tries === 1) throw new ServiceError(forbidden().entries, { cause: new DatabaseError('retry', 'busy') });
    });
    expect(driver.outcomes).toEqual(['rolled back', 'committed']);
  });

  it('fails with the service error of a final failure', async () => {
    const { driver, run } = opening([[new DatabaseError('unavailable', 'away')]]);
    await expect(run(insert)).rejects.toMatchObject({ entries: [{ code: 'SERVICE_UNAVAILABLE' }] });
    expect(driver.outcomes).toEqual(['rolled back']);
    const refusal = serviceError('FORBIDDEN', 'no', {});
    await expect(run(() => Promise.reject(refusal))).rejects.toBe(refusal);
  });
});

describe('inside a transaction', () => {
  it('a rehearsal is rolled back, with its own scope and without effects', async () => {
    const { driver, run } = opening();
    const seen: string[] = [];
    await run(async (work) => {
      work.connection.enqueue(statement('before'));
      await rehearse(work, async ({ work: inner, settle }) => {
        expect(inner.scope).not.toBe(work.scope);
        inner.afterCommit(() => void seen.push('effect'));
        inner.scope.beforeCommit(async () => void seen.push('closing check'));
        inner.connection.enqueue(statement('rehearsed'));
        await settle();
        inner.connection.enqueue(statement('dropped'));
      });
    });
    expect(seen).toEqual(['closing check']);
    expect(textsOf(driver)).toEqual([
      ['before'],
      ['SAVEPOINT rehearsal'],
      ['rehearsed'],
      ['ROLLBACK TO SAVEPOINT rehearsal'],
      ['RELEASE SAVEPOINT rehearsal'],
    ]);
  });

  it('a failed attempt is undone, and the transaction continues', async () => {
    const { driver, run } = opening([[[], [], new DatabaseError('unique', 'twice')]]);
    await run(async (work) => {
      work.connection.enqueue(statement('before'));
      const failed = attempt(work, async ({ connection }) => void (await connection.run(statement('refused'))));
      await expect(failed).rejects.toMatchObject({ kind: 'unique' });
      work.connection.enqueue(statement('after'));
    });
    expect(textsOf(driver).flat()).toEqual([
      'before',
      'SAVEPOINT attempt',
      'refused',
      'ROLLBACK TO SAVEPOINT attempt',
      'RELEASE SAVEPOINT attempt',
      'after',
    ]);
    expect(driver.outcomes).toEqual(['committed']);
  });
});

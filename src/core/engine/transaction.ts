// One transaction around one request: all of it or nothing. What the database says may be tried again is tried again as a whole;
// effects wait for the commit and never happen twice.

import type { Caller } from '../access/view.js';
import { ServiceError } from '../errors/service-error.js';
import { DatabaseError } from '../vendor/database-error.js';
import type { Driver } from '../vendor/driver.js';
import type { StopSignal } from '../vendor/stop-signal.js';
import { GatheringConnection } from './gathering-connection.js';
import { translateError } from './translate-error.js';
import type { Work } from './work.js';

export interface TransactionWork extends Work {
  readonly connection: GatheringConnection;
  readonly afterCommit: NonNullable<Work['afterCommit']>;
  /** Runs inside the transaction when everything else is done, once per call. */
  readonly beforeCommit: (act: () => Promise<void>) => void;
}

export interface TransactionEngine {
  readonly driver: Driver;
  /** An effect failed after the commit: what was written stays written. */
  readonly onEffectError: (error: unknown) => void;
}

export interface TransactionChoices {
  readonly signal?: StopSignal | null;
  /** Everything happens and is taken back; no effects. */
  readonly dryRun?: boolean;
}

const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

export async function runTransaction<T>(
  engine: TransactionEngine,
  caller: Caller,
  act: (work: TransactionWork) => Promise<T>,
  choices: TransactionChoices = {},
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(engine, caller, act, choices);
    } catch (error) {
      const again = error instanceof DatabaseError && error.kind === 'retry' && tries < MAX_TRIES && !choices.signal?.aborted;
      if (!again) throw error instanceof DatabaseError ? translateError(caller.view.schema, error) : error;
      await pause(tries);
    }
  }
}

/** Carries the result out of a transaction that is taken back on purpose. */
class TakenBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('taken back');
    this.result = result;
  }
}

async function tryOnce<T>(
  engine: TransactionEngine,
  caller: Caller,
  act: (work: TransactionWork) => Promise<T>,
  { signal, dryRun = false }: TransactionChoices,
): Promise<T> {
  const effects: (() => void | Promise<void>)[] = [];
  const last: (() => Promise<void>)[] = [];
  try {
    const result = await engine.driver.transaction(async (bare) => {
      const connection = new GatheringConnection(bare);
      const afterCommit: TransactionWork['afterCommit'] = (effect) => effects.push(effect);
      const beforeCommit: TransactionWork['beforeCommit'] = (step) => last.push(step);
      const answer = await act({ caller, connection, signal: signal ?? null, afterCommit, beforeCommit });
      for (const step of last) await step();
      await connection.flush(!dryRun);
      if (dryRun) throw new TakenBack(answer);
      return answer;
    });
    await runEffects(engine, effects);
    return result;
  } catch (error) {
    if (error instanceof TakenBack) return error.result as T;
    throw retryCause(error);
  }
}

/** A hook may have wrapped what the database said; trying again is decided by the database's own word. */
function retryCause(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : null;
  return cause instanceof DatabaseError && cause.kind === 'retry' ? cause : error;
}

async function runEffects(engine: TransactionEngine, effects: readonly (() => void | Promise<void>)[]): Promise<void> {
  for (const effect of effects) {
    try {
      await effect();
    } catch (error) {
      engine.onEffectError(error);
    }
  }
}

/** Growing, and never the same for two that met each other. */
function pause(tries: number): Promise<void> {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longest));
}

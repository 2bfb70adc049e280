// A dialect whose calls can be made to fail at the port of the engine: before a call runs, or after it, when only the answer is lost. Calls
// are each statement, the start of a transaction, and its commit.

import { DatabaseError, type DatabaseErrorKind } from '../../src/core/vendor/database-error.js';
import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection, Driver, Statement } from '../../src/core/vendor/driver.js';
import { type FaultPoint, makeFaultPoint } from './fault-point.js';

export interface Fault {
  readonly kind: DatabaseErrorKind;
  readonly when: 'before' | 'after';
}

export interface FaultyDialect {
  readonly dialect: Dialect;
  /** Lets the Nth call from now fail in this way. */
  arm(at: number, fault: Fault): void;
  disarm(): { readonly struck: boolean; readonly committed: boolean };
}

export function makeFaulty(dialect: Dialect): FaultyDialect {
  const point = makeFaultPoint();
  const state = { fault: { kind: 'unavailable', when: 'before' } as Fault, committed: false };
  /** `commits`: the effect of this call is permanent, even if its answer is lost. */
  const call = <T>(act: () => Promise<T>, commits: boolean): Promise<T> => carryOut(point, state, act, commits);
  const transaction =
    (run: Driver['transaction']): Driver['transaction'] =>
    async (work, options) => {
      await call(async () => undefined, false);
      return await call(() => run((connection) => work(faultyConnection(connection, call, false)), options), true);
    };
  const { driver } = dialect;
  const faultyDriver: Driver = {
    ...faultyConnection(driver, call, true),
    stream: async function* (statement, signal) {
      await call(async () => undefined, false);
      yield* driver.stream(statement, signal);
    },
    transaction: transaction((work, options) => driver.transaction(work, options)),
    version: () => call(() => driver.version(), false),
    pool: () => driver.pool(),
    statements: () => driver.statements(),
    close: () => driver.close(),
  };
  return {
    dialect: { ...dialect, driver: faultyDriver, exclusively: transaction((work) => dialect.exclusively(work)) },
    arm(at, fault) {
      [state.fault, state.committed] = [fault, false];
      point.arm(at);
    },
    disarm: () => ({ struck: point.disarm(), committed: state.committed }),
  };
}

type Call = <T>(act: () => Promise<T>, commits: boolean) => Promise<T>;

async function carryOut<T>(
  point: FaultPoint,
  state: { readonly fault: Fault; committed: boolean },
  act: () => Promise<T>,
  commits: boolean,
): Promise<T> {
  const strikes = point.strikes();
  const { kind, when } = state.fault;
  const failure = new DatabaseError(kind, `a fault ${when} the call`);
  if (strikes && when === 'before') throw failure;
  const result = await act();
  if (commits) state.committed = true;
  if (strikes) throw failure;
  return result;
}

/** `alone`: outside of a transaction, where each statement commits by itself. */
function faultyConnection(connection: Connection, call: Call, alone: boolean): Connection {
  const commits = ({ kind, text, last }: Statement): boolean => (alone ? kind !== 'read' : last === true || text === 'COMMIT');
  return {
    rows: (statement, signal) => call(() => connection.rows(statement, signal), commits(statement)),
    run: (statement, signal) => call(() => connection.run(statement, signal), commits(statement)),
  };
}

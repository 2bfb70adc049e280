// A connection whose statements count as the stage `run`.

import type { Connection } from '../../vendor/driver.js';
import type { StageClock } from './stage-clock.js';

/** The connection itself when no clock runs. */
export const timedConnection = (connection: Connection, clock: StageClock | null): Connection =>
  clock === null ? connection : timed(connection, clock);

const timed = (connection: Connection, clock: StageClock): Connection => ({
  rows: (statement, signal) => clock.run(() => connection.rows(statement, signal), statement),
  run: (statement, signal) => clock.run(() => connection.run(statement, signal), statement),
  rowsAtOnce: (statement) => clock.runAtOnce(() => connection.rowsAtOnce?.(statement) ?? null, statement),
});

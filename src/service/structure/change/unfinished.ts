// The undo log for vendors on which every DDL statement commits (MariaDB, MySQL). Before each step, a change stores the statement that
// undoes it in service_unfinished. If the change fails or the process ends, the log is settled at the next start or before the next
// change: steps of an uncommitted change are undone, those of a committed change are finished.

import { definitionOf } from '../../../core/engine/own-rows/definition-of.js';
import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { DatabaseError, isPassing } from '../../../core/vendor/database-error.js';
import type { DdlStep } from '../../../core/vendor/ddl.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { StructureDeps } from './load-state.js';

export interface UnfinishedLog {
  /** Call it before the step: the implicit commit of the step also commits the entry. */
  note(connection: Connection, place: number, step: DdlStep): Promise<void>;
  /** Removes the entry of a step that the database refused. */
  forget(connection: Connection, place: number): Promise<void>;
  /** Commits the change's rows together with the decision that its steps are from now on finished instead of undone. */
  commit(connection: Connection): Promise<void>;
  /** Undoes or finishes the logged steps. The caller must hold the lock for structural changes. */
  settle(connection: Connection): Promise<void>;
  isEmpty(connection: Connection): Promise<boolean>;
}

/** null on vendors with transactional DDL, which need no log. */
export function openUnfinishedLog({ dialect, system }: StructureDeps): UnfinishedLog | null {
  if (dialect.ddl.transactional) return null;
  const rows = systemRows(dialect.syntax, definitionOf(system, 'service_unfinished'), system);
  const commit = (connection: Connection): Promise<number> => connection.run({ kind: 'write', text: 'COMMIT', values: [] });
  return {
    async note(connection, place, { undo, finish = null }) {
      if (undo !== null) await rows.insert(connection, [{ step: place, undo, finish }]);
    },
    async forget(connection, place) {
      await rows.delete(connection, { step: place });
      await commit(connection);
    },
    async commit(connection) {
      await rows.delete(connection, { finish: null });
      await rows.update(connection, { undo: null }, {});
      await commit(connection);
    },
    async settle(connection) {
      const left = await rows.read(connection, 'all');
      for (const { step, undo, finish } of left.toSorted((a, b) => Number(b.step) - Number(a.step))) {
        await runLeft(connection, String(undo ?? finish));
        await rows.delete(connection, { step });
        await commit(connection);
      }
    },
    isEmpty: async (connection) => (await rows.read(connection, ['step'])).length === 0,
  };
}

/** Ignores a refusal: the step was never run or is undone already, if the process ended between an entry and its step. */
async function runLeft(connection: Connection, text: string): Promise<void> {
  try {
    await connection.run({ kind: 'ddl', text, values: [] });
  } catch (error) {
    if (!(error instanceof DatabaseError) || isPassing(error)) throw error;
  }
}

/** Settles what an earlier process left. Resolves to whether there was anything. */
export async function settleUnfinished(deps: StructureDeps): Promise<boolean> {
  const log = openUnfinishedLog(deps);
  if (log === null || (await log.isEmpty(deps.dialect.driver))) return false;
  await deps.dialect.exclusively(log.settle);
  return true;
}

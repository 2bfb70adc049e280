// Where every statement of structure commits by itself, a change writes down how each step is taken back before it is taken. Whatever
// ends in the middle, be it with the process, is then taken back, or finished if it was committed: with the next start, or before the
// next change.

import { definitionOf } from '../../core/engine/definition-of.js';
import { systemRows } from '../../core/engine/system-rows.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { DdlStep } from '../../core/vendor/ddl.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { StructureRules } from './structure-state.js';

export interface UnfinishedLog {
  /** Comes before its step, whose own commit makes it last. */
  note(connection: Connection, place: number, step: DdlStep): Promise<void>;
  /** The step was refused: there is nothing to take back. */
  forget(connection: Connection, place: number): Promise<void>;
  /** With the last of the change's rows: from here on its steps are finished and no longer taken back. */
  commit(connection: Connection): Promise<void>;
  /** Takes back or finishes what was left; the caller holds the lock of structural changes. */
  settle(connection: Connection): Promise<void>;
  isEmpty(connection: Connection): Promise<boolean>;
}

/** null: DDL can be rolled back, so nothing is ever left. */
export function openUnfinishedLog({ dialect, definitions, systemSchema }: StructureRules): UnfinishedLog | null {
  if (dialect.ddl.transactional) return null;
  const rows = systemRows(dialect.syntax, definitionOf(definitions, 'service_unfinished'), systemSchema);
  const commit = (connection: Connection): Promise<number> => connection.run({ text: 'COMMIT', values: [] });
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

/** What the database refuses was never done, or is done already: the end may have come between a step and its note. */
async function runLeft(connection: Connection, text: string): Promise<void> {
  try {
    await connection.run({ text, values: [] });
  } catch (error) {
    if (!(error instanceof DatabaseError) || passing.includes(error.kind)) throw error;
  }
}

const passing: readonly string[] = ['retry', 'timeout', 'cancelled', 'unavailable'] satisfies readonly DatabaseError['kind'][];

/** Resolves to whether there was anything. */
export async function settleUnfinished(rules: StructureRules): Promise<boolean> {
  const log = openUnfinishedLog(rules);
  if (log === null || (await log.isEmpty(rules.dialect.driver))) return false;
  await rules.dialect.exclusively(log.settle);
  return true;
}

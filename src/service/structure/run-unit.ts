// Runs a unit: all of it or nothing. Where DDL commits by itself, its steps are logged, so that whoever comes next can take them back.

import { definitionOf } from '../../core/engine/definition-of.js';
import { systemRows } from '../../core/engine/system-rows.js';
import { unreachable } from '../../core/errors/service-error.js';
import { collectionName } from '../../core/schema/collection-name.js';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { DdlStep, StructureChange } from '../../core/vendor/ddl.js';
import type { Connection } from '../../core/vendor/driver.js';
import { explainRefusal } from './explain-refusal.js';
import type { StructureRules } from './structure-state.js';
import type { UnfinishedLog } from './unfinished.js';
import type { RowChange, Unit } from './unit.js';

export interface UnitRun {
  readonly rules: StructureRules;
  readonly connection: Connection;
  readonly unit: Unit;
  /** The facts the unit was planned from. */
  readonly before: RawDatabase;
  /** null: everything is one transaction. */
  readonly log: UnfinishedLog | null;
  /** The last thing inside of the transaction. */
  readonly last: () => Promise<void>;
}

/** Inside of the change's transaction. Answers the steps taken. */
export async function runUnit(run: UnitRun): Promise<readonly DdlStep[]> {
  const done = await runChanges(run);
  for (const change of run.unit.rows) await runRow(run, change);
  await run.last();
  await run.log?.commit(run.connection);
  return done;
}

async function runChanges(run: UnitRun): Promise<readonly DdlStep[]> {
  const { rules, connection, unit, before } = run;
  const done: DdlStep[] = [];
  const changed = new Set<string>();
  let facts = before;
  for (const change of unit.changes) {
    // Statements are written from the facts, so they must not be older than what the statements speak of.
    if (namedTables(change).some((table) => changed.has(collectionName(table)))) {
      facts = await rules.dialect.introspect(connection);
      changed.clear();
    }
    for (const step of rules.dialect.ddl.steps(change, facts)) {
      await runStep(run, change, step, done.length);
      done.push(step);
    }
    changed.add(collectionName(change.table));
  }
  return done;
}

async function runStep({ connection, log }: UnitRun, change: StructureChange, step: DdlStep, place: number): Promise<void> {
  await log?.note(connection, place, step);
  try {
    await connection.run({ text: step.text, values: [] });
  } catch (error) {
    await log?.forget(connection, place).catch(() => undefined);
    throw error instanceof DatabaseError ? explainRefusal(error, change) : error;
  }
}

function namedTables(change: StructureChange): readonly TableName[] {
  switch (change.kind) {
    case 'create-table':
      return [change.table, ...change.foreignKeys.map((key) => ({ schema: key.foreignSchema, name: key.foreignTable }))];
    case 'add-foreign-key':
      return [change.table, { schema: change.foreignKey.foreignSchema, name: change.foreignKey.foreignTable }];
    default:
      return [change.table];
  }
}

async function runRow({ rules, connection }: UnitRun, change: RowChange): Promise<void> {
  const rows = systemRows(rules.dialect.syntax, definitionOf(rules.definitions, change.collection), rules.systemSchema);
  switch (change.kind) {
    case 'insert':
      await rows.insert(connection, [change.row]);
      return;
    case 'update':
      await rows.update(connection, change.set, change.where);
      return;
    case 'delete':
      await rows.delete(connection, change.where);
      return;
    default:
      unreachable(change);
  }
}

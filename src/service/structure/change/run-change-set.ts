// Runs a ChangeSet: all of it or nothing. On vendors with transactional DDL the surrounding transaction guarantees that; elsewhere each
// step is logged first (unfinished.ts), so that it can be undone.

import { definitionOf } from '../../../core/engine/own-rows/definition-of.js';
import { type SystemRows, systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { unreachable } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { DatabaseError, isPassing } from '../../../core/vendor/database-error.js';
import type { DdlStep, StructureChange } from '../../../core/vendor/ddl.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { ChangeSet, ConcealKey, RowChange } from '../plan/change-set.js';
import { explainRefusal } from './explain-refusal.js';
import type { StructureDeps } from './load-state.js';
import type { UnfinishedLog } from './unfinished.js';

export interface ChangeSetRun {
  readonly deps: StructureDeps;
  readonly connection: Connection;
  readonly changeSet: ChangeSet;
  /** The catalogue that the change set was planned from. */
  readonly before: RawDatabase;
  /** null on vendors with transactional DDL. */
  readonly log: UnfinishedLog | null;
  /** Called after all changes, inside the transaction. */
  readonly beforeCommit: () => Promise<void>;
}

/** Must be called inside the transaction of the change. Resolves to the DDL steps that were run. */
export async function runChangeSet(run: ChangeSetRun): Promise<readonly DdlStep[]> {
  const done = await runChanges(run);
  for (const change of run.changeSet.rows) await runRow(run, change);
  await run.beforeCommit();
  await run.log?.commit(run.connection);
  return done;
}

async function runChanges(run: ChangeSetRun): Promise<readonly DdlStep[]> {
  const { deps, connection, changeSet, before } = run;
  const done: DdlStep[] = [];
  const changed = new Set<string>();
  let database = before;
  for (const change of changeSet.changes) {
    // DDL is written from the catalogue, so it is read again if an earlier change altered a table that this one refers to.
    if (tablesIn(change).some((table) => changed.has(collectionName(table)))) {
      database = await deps.dialect.introspect(connection);
      changed.clear();
    }
    for (const step of deps.dialect.ddl.steps(change, database)) {
      await runStep(run, change, step, done.length);
      done.push(step);
    }
    changed.add(collectionName(change.table));
  }
  return done;
}

async function runStep({ connection, log }: ChangeSetRun, change: StructureChange, step: DdlStep, place: number): Promise<void> {
  await log?.note(connection, place, step);
  try {
    await connection.run({ kind: 'ddl', text: step.text, values: [] });
  } catch (error) {
    // A refused step has no effect. If only the answer was lost, the step may have run: its entry stays, and settling undoes it.
    if (!(error instanceof DatabaseError && isPassing(error))) await log?.forget(connection, place).catch(() => undefined);
    throw error instanceof DatabaseError ? explainRefusal(error, change) : error;
  }
}

function tablesIn(change: StructureChange): readonly TableName[] {
  switch (change.kind) {
    case 'create-table':
      return [change.table, ...change.foreignKeys.map((key) => ({ schema: key.foreignSchema, name: key.foreignTable }))];
    case 'add-foreign-key':
      return [change.table, { schema: change.foreignKey.foreignSchema, name: change.foreignKey.foreignTable }];
    default:
      return [change.table];
  }
}

async function runRow({ deps, connection }: ChangeSetRun, change: RowChange): Promise<void> {
  const rows = systemRows(deps.dialect.syntax, definitionOf(deps.system, change.collection), deps.system);
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
    case 'conceal':
      await concealKey(rows, connection, change);
      return;
    default:
      unreachable(change);
  }
}

const rowsAtOnce = 500;

/** A history may be long: only its keys are read at once, and only rows that hold a value are written. */
async function concealKey(rows: SystemRows<MetaRow>, connection: Connection, { documents, where, ...change }: ConcealKey): Promise<void> {
  const ids = (await rows.read(connection, ['id'], where)).map(({ id }) => id);
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    for (const row of await rows.read(connection, ['id', ...documents], { id: ids.slice(from, from + rowsAtOnce) })) {
      const held = documents.filter((name) => holdsValue(row[name], change.key));
      const set = Object.fromEntries(held.map((name) => [name, withoutValue(row[name], change)]));
      if (held.length > 0) await rows.update(connection, set, { id: row.id });
    }
  }
}

const holdsValue = (document: unknown, key: string): boolean =>
  isPlainObject(document) && Object.hasOwn(document, key) && document[key] !== null;

function withoutValue(document: unknown, { key, instead }: Pick<ConcealKey, 'key' | 'instead'>): unknown {
  const entries = isPlainObject(document) ? Object.entries(document) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (name !== key ? [[name, value]] : instead === null ? [] : [[name, instead]])),
  );
}

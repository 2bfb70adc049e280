// Runs and previews changes of structure, one at a time: a queue orders them inside this process, the dialect's exclusive lock among
// processes. When `change` resolves, the schema that this process serves includes the change.

import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import { translateError } from '../../../core/engine/work/translate-error.js';
import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload, readOnlyCollection } from '../../../core/errors/service-error.js';
import { mirroredReason } from '../../../core/schema/build/build-collection.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import { collectionName } from '../../../core/schema/table-name.js';
import { DatabaseError, mayRetry } from '../../../core/vendor/database-error.js';
import { type DdlStep, findTable, type StructureChange } from '../../../core/vendor/ddl.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { type ChangeSet, type Planner, planAll } from '../plan/change-set.js';
import type { StructureState } from '../plan/structure-state.js';
import { type CheckedKeys, requireCheckedKeys, withCheckedKeys } from './check-named-keys.js';
import { brokenViews } from './find-breaks.js';
import { loadState, type StructureDeps } from './load-state.js';
import { runChangeSet } from './run-change-set.js';
import { openUnfinishedLog, settleUnfinished, type UnfinishedLog } from './unfinished.js';

export interface StructureChanger {
  change(planners: readonly Planner[]): Promise<void>;
  /** Plans the change and calls `inspect` before anything is run. On vendors with transactional DDL it then runs the change and rolls it back. */
  preview<T>(planners: readonly Planner[], inspect: (planned: PlannedChange) => Promise<T>): Promise<Previewed<T>>;
}

export interface PlannedChange {
  readonly connection: Connection;
  /** The state before the change. */
  readonly state: StructureState;
  readonly changeSet: ChangeSet;
}

interface Previewed<T> {
  readonly statements: readonly string[];
  /** The result of `inspect`. */
  readonly inspected: T;
}

const maxTries = 5;
const pauseMs = 50;

export function openStructureChanger(deps: StructureDeps, store: SchemaStore): StructureChanger {
  const log = openUnfinishedLog(deps);
  let last: Promise<unknown> = Promise.resolve();
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    change: (planners) =>
      enqueue(async () => {
        const kept = await withRetry(store, () =>
          withCheckedKeys(deps.dialect, (checked) => changeOnce(deps, store, planners, { log, checked })),
        ).finally(() => settleIfPossible(deps));
        await (kept === null ? store.refresh() : store.refreshMetadata(kept));
      }),
    preview: (planners, inspect) =>
      enqueue(() =>
        withRetry(store, () => withCheckedKeys(deps.dialect, (checked) => previewOnce(deps, store, planners, { inspect, checked }))),
      ),
  };
}

/** Ignores a failure: `changeOnce` settles the log again before the next change, and a committed change stays committed. */
const settleIfPossible = (deps: StructureDeps): Promise<unknown> => settleUnfinished(deps).catch(() => undefined);

const textsOf = (steps: readonly DdlStep[]): readonly string[] =>
  steps.flatMap((step) => (step.finish === undefined ? step.text : [step.text, step.finish]));

/** A mirrored database is only read: its tables keep their structure, and it gets no new ones. Metadata can still be changed. */
function planChange({ dialect }: StructureDeps, state: StructureState, planners: readonly Planner[]): ChangeSet {
  const changeSet = planAll(state, planners);
  const isRefused = ({ kind, table }: StructureChange): boolean =>
    dialect.mirrored !== null && (kind === 'create-table' || findTable(state.database, table)?.mirrored === true);
  const refused = changeSet.changes.find(isRefused);
  if (refused !== undefined) throw readOnlyCollection(collectionName(refused.table), mirroredReason);
  return changeSet;
}

const rightsCollections: readonly string[] = ['service_permissions', 'service_policies', 'service_access', 'service_roles'];

/** Resolves to the structure if only metadata changed, else to null. */
function changeOnce(
  deps: StructureDeps,
  store: SchemaStore,
  planners: readonly Planner[],
  { log, checked }: { readonly log: UnfinishedLog | null; readonly checked: CheckedKeys },
): Promise<RawDatabase | null> {
  return deps.dialect.exclusively(async (connection) => {
    await log?.settle(connection);
    const state = await loadState(deps, store, connection);
    const changeSet = planChange(deps, state, planners);
    if (changeSet.changes.length === 0 && changeSet.rows.length === 0) return null;
    requireCheckedKeys(state, changeSet, checked);
    const broken = await viewsToBreak(deps, connection, changeSet);
    if (broken.length > 0) throw invalidPayload(refusal('views_break', { views: broken }));
    const beforeCommit = async (): Promise<void> => {
      await store.bumpEpoch(connection, 'schema');
      if (changeSet.rows.some((row) => rightsCollections.includes(row.collection))) await store.bumpEpoch(connection, 'policy');
    };
    await runChangeSet({ deps, connection, changeSet, before: state.database, log, beforeCommit });
    return changeSet.changes.length === 0 ? state.database : null;
  });
}

/** Checked before the change, because some vendors refuse to drop what a view uses and others leave a broken view; so all give the same answer. */
async function viewsToBreak({ dialect }: StructureDeps, connection: Connection, { changes }: ChangeSet): Promise<readonly string[]> {
  const drops = changes.some(({ kind }) => kind === 'drop-table' || kind === 'drop-column');
  return drops ? brokenViews(changes, await dialect.views(connection)) : [];
}

/** Thrown to roll back the transaction of a preview; carries its result out. */
class RolledBack<T> extends Error {
  readonly previewed: Previewed<T>;

  constructor(previewed: Previewed<T>) {
    super('rolled back');
    this.previewed = previewed;
  }
}

async function previewOnce<T>(
  deps: StructureDeps,
  store: SchemaStore,
  planners: readonly Planner[],
  { inspect, checked }: { readonly inspect: (planned: PlannedChange) => Promise<T>; readonly checked: CheckedKeys },
): Promise<Previewed<T>> {
  const { ddl } = deps.dialect;
  try {
    return await deps.dialect.exclusively(async (connection) => {
      const state = await loadState(deps, store, connection);
      const changeSet = planChange(deps, state, planners);
      requireCheckedKeys(state, changeSet, checked);
      const inspected = await inspect({ connection, state, changeSet });
      const { database: before } = state;
      const isRefused = (await viewsToBreak(deps, connection, changeSet)).length > 0;
      if (isRefused || !ddl.transactional)
        return { inspected, statements: textsOf(changeSet.changes.flatMap((change) => ddl.steps(change, before))) };
      const done = await runChangeSet({ deps, connection, changeSet, before, log: null, beforeCommit: async () => undefined });
      throw new RolledBack({ inspected, statements: textsOf(done) });
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.previewed as Previewed<T>;
    throw error;
  }
}

/** Runs the whole change again after a busy database or a deadlock with a running request. */
async function withRetry<T>(store: SchemaStore, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (!mayRetry(error) || tries === maxTries) throw translateError(store.current(), error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * tries));
    }
  }
}

// Carries out changes of structure, one after the other: inside of this process by a queue, among processes by the database's own lock.
// When a change is answered, the schema that this process serves knows it.

import type { SchemaStore } from '../../core/engine/schema-store.js';
import { translateError } from '../../core/engine/translate-error.js';
import { invalidPayload } from '../../core/errors/service-error.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { DdlStep } from '../../core/vendor/ddl.js';
import type { Connection } from '../../core/vendor/driver.js';
import { brokenViews } from './find-breaks.js';
import { runUnit } from './run-unit.js';
import { loadState, type StructureRules, type StructureState } from './structure-state.js';
import { openUnfinishedLog, settleUnfinished, type UnfinishedLog } from './unfinished.js';
import { type Plan, planAll, type Unit } from './unit.js';

export interface StructureChanger {
  /** Resolves to the statements that were run. */
  change(plans: readonly Plan[]): Promise<readonly string[]>;
  /** What a change would start from and do. Where DDL can be rolled back it is really tried, and taken back. */
  rehearse<T>(plans: readonly Plan[], look: (rehearsal: Rehearsal) => Promise<T>): Promise<Rehearsed<T>>;
}

export interface Rehearsal {
  readonly connection: Connection;
  readonly state: StructureState;
  readonly unit: Unit;
}

interface Rehearsed<T> {
  readonly statements: readonly string[];
  /** What `look` saw before anything was tried. */
  readonly seen: T;
}

const maxTries = 5;
const pauseMs = 50;

export function openStructureChanger(rules: StructureRules, store: SchemaStore): StructureChanger {
  const log = openUnfinishedLog(rules);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    change: (plans) =>
      inTurn(async () => {
        const done = await tryOften(store, () => changeOnce(rules, store, plans, log)).finally(() => settleIfPossible(rules));
        await store.refresh();
        return textsOf(done);
      }),
    rehearse: (plans, look) => inTurn(() => tryOften(store, () => rehearseOnce(rules, plans, look))),
  };
}

/** What cannot be settled now is settled before the next change; what was committed stays committed. */
const settleIfPossible = (rules: StructureRules): Promise<unknown> => settleUnfinished(rules).catch(() => undefined);

const textsOf = (steps: readonly DdlStep[]): readonly string[] =>
  steps.flatMap((step) => (step.finish === undefined ? step.text : [step.text, step.finish]));

function changeOnce(
  rules: StructureRules,
  store: SchemaStore,
  plans: readonly Plan[],
  log: UnfinishedLog | null,
): Promise<readonly DdlStep[]> {
  return rules.dialect.exclusively(async (connection) => {
    await log?.settle(connection);
    const state = await loadState(rules, connection);
    const unit = planAll(state, plans);
    if (unit.changes.length === 0 && unit.rows.length === 0) return [];
    const broken = await viewsInTheWay(rules, connection, unit);
    if (broken.length > 0)
      throw invalidPayload(`The database has views that use what would be dropped: ${broken.join(', ')}. Drop them first.`);
    const last = async (): Promise<void> => {
      await store.bumpEpoch(connection, 'schema');
      if (unit.rows.some((row) => row.collection === 'service_permissions')) await store.bumpEpoch(connection, 'policy');
    };
    return runUnit({ rules, connection, unit, before: state.database, log, last });
  });
}

/** Some vendors would refuse, some would leave a view that cannot be read: it is the same answer on all of them. */
async function viewsInTheWay({ dialect }: StructureRules, connection: Connection, { changes }: Unit): Promise<readonly string[]> {
  const drops = changes.some(({ kind }) => kind === 'drop-table' || kind === 'drop-column');
  return drops ? brokenViews(changes, await dialect.views(connection)) : [];
}

/** Carries what was learned out of a transaction that is taken back on purpose. */
class TakenBack<T> extends Error {
  readonly rehearsed: Rehearsed<T>;

  constructor(rehearsed: Rehearsed<T>) {
    super('taken back');
    this.rehearsed = rehearsed;
  }
}

async function rehearseOnce<T>(
  rules: StructureRules,
  plans: readonly Plan[],
  look: (rehearsal: Rehearsal) => Promise<T>,
): Promise<Rehearsed<T>> {
  const { ddl } = rules.dialect;
  try {
    return await rules.dialect.exclusively(async (connection) => {
      const state = await loadState(rules, connection);
      const unit = planAll(state, plans);
      const seen = await look({ connection, state, unit });
      const { database: before } = state;
      const isRefused = (await viewsInTheWay(rules, connection, unit)).length > 0;
      if (isRefused || !ddl.transactional)
        return { seen, statements: textsOf(unit.changes.flatMap((change) => ddl.steps(change, before))) };
      const done = await runUnit({ rules, connection, unit, before, log: null, last: async () => undefined });
      throw new TakenBack({ seen, statements: textsOf(done) });
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.rehearsed as Rehearsed<T>;
    throw error;
  }
}

/** A busy database, a deadlock with a running request: the whole change is tried again. */
async function tryOften<T>(store: SchemaStore, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      if (error.kind !== 'retry' || tries === maxTries) throw translateError(store.current(), error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * tries));
    }
  }
}

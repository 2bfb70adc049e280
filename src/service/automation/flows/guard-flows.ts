// Hooks on writes of flows and operations: what could never run is refused, rights that nobody may hand on are not handed on, and what was
// saved is in force with the answer.

import type { SchemaStore } from '../../../core/engine/store/schema-store.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { TransactionScope } from '../../../core/engine/work/transaction-scope.js';
import type { Hooks, WriteEvent } from '../../../core/engine/write/hooks.js';
import { type Refusal, refusal } from '../../../core/errors/refusals.js';
import { forbidden, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { tryParseJson } from '../../../core/util/try-parse-json.js';
import { findFaults } from '../model/find-faults.js';
import { accountabilities, operationColumns, statuses, triggers } from '../model/flow.js';
import { isCron } from '../model/is-cron.js';
import type { FlowTables } from './flow-registry.js';

export interface GuardDeps {
  readonly tables: FlowTables;
  readonly store: Pick<SchemaStore, 'bumpEpoch' | 'check'>;
  /** Reads the flows again. */
  readonly refresh: () => Promise<void>;
}

const flows = 'service_flows';
const operations = 'service_operations';

type Values = ReadonlyMap<string, unknown>;

export function guardFlows(hooks: Hooks, deps: GuardDeps): void {
  for (const action of ['create', 'update'] as const) {
    hooks.before(flows, action, async ({ items }) => {
      for (const { values } of items) checkFlow(values);
      return undefined;
    });
    hooks.before(operations, action, async ({ work, items }) => {
      for (const { values } of items) checkOperation(values, work.caller.accountability.admin);
      return undefined;
    });
    for (const collection of [flows, operations]) hooks.after(collection, action, (event) => checkLater(deps, event));
  }
  hooks.before(operations, 'delete', async ({ work, items }) => {
    const keys = items.map(({ key }) => String(key));
    // Not every database has keys that do this.
    await deps.tables.operations.update(work.connection, { resolve: null }, { resolve: keys });
    await deps.tables.operations.update(work.connection, { reject: null }, { reject: keys });
    await deps.tables.flows.update(work.connection, { operation: null }, { operation: keys });
    return undefined;
  });
  for (const collection of [flows, operations])
    for (const action of ['create', 'update', 'delete'] as const) hooks.after(collection, action, ({ work }) => announce(deps, work));
}

function checkFlow(values: Values): void {
  oneOf(values, 'status', statuses);
  oneOf(values, 'trigger', triggers);
  oneOf(values, 'accountability', accountabilities);
  const { cron } = objectOf(values.get('options'));
  if (cron !== undefined && cron !== null && cron !== '' && !isCron(cron))
    throw refused(flows, 'options', 'cron', refusal('flow_time_table', { detail: String(cron).slice(0, 100) }));
}

/** null is for what can be left out; the database refuses it elsewhere. */
function oneOf(values: Values, field: string, allowed: readonly string[]): void {
  const value = values.get(field) ?? null;
  if (value === null || allowed.includes(String(value))) return;
  const { sentence, facts } = refusal('one_of', { choices: allowed });
  throw refused(flows, field, 'in', { sentence: `It ${sentence}.`, facts });
}

const template = /\{\{\s*[$\w][\w$.[\]-]*\s*\}\}/;

function checkOperation(values: Values, isAdmin: boolean): void {
  const options = values.get('options');
  const { code } = objectOf(options);
  if (!isAdmin && hasOtherRights(options)) throw forbidden();
  if (typeof code === 'string' && template.test(code))
    throw refused(operations, 'options', 'template', refusal('flow_script_template', nameOf(values)));
}

/** Whoever may save flows, but is no administrator, must not make operations do what they may not do themselves. */
function hasOtherRights(options: unknown): boolean {
  const { permissions = null } = objectOf(options);
  return permissions !== null && !['', '$trigger', '$public'].includes(String(permissions));
}

function objectOf(value: unknown): PlainObject {
  const options = typeof value === 'string' ? tryParseJson(value) : value;
  return isPlainObject(options) ? options : {};
}

/** An operation is told by its key, if the request names that. */
const nameOf = (values: Values): { readonly name?: string } => {
  const key = values.get('key');
  return typeof key === 'string' ? { name: key } : {};
};

const refused = (collection: string, field: string, type: string, { sentence, facts }: Refusal): ServiceError =>
  serviceError('FAILED_VALIDATION', `Validation failed for field "${field}". ${sentence}`, { ...facts, collection, field, type, path: [] });

/** The flows that a transaction has touched, checked once it has written everything. */
const touched = new WeakMap<TransactionScope, Set<string>>();

async function checkLater(deps: GuardDeps, { work, collection, items }: WriteEvent): Promise<void> {
  const known = touched.get(work.scope);
  const ids = known ?? new Set<string>();
  if (known === undefined) {
    touched.set(work.scope, ids);
    work.scope.beforeCommit(() => checkFlows(deps, work, ids));
  }
  const isFlow = (collection.codeName ?? collection.name) === flows;
  if (isFlow) for (const { key } of items) ids.add(String(key));
  else {
    const rows = await deps.tables.operations.read(work.connection, ['flow'], { id: items.map(({ key }) => String(key)) });
    for (const { flow } of rows) ids.add(flow);
  }
}

async function checkFlows({ tables }: GuardDeps, { connection, caller }: TransactionWork, ids: ReadonlySet<string>): Promise<void> {
  const rows = await tables.flows.read(connection, ['id', 'operation'], { id: [...ids] });
  if (rows.length === 0) return;
  const nodes = await tables.operations.read(connection, operationColumns, { flow: rows.map(({ id }) => id) });
  // What starts such an operation, and what comes before it, decide what it does.
  if (!caller.accountability.admin && nodes.some(({ options }) => hasOtherRights(options))) throw forbidden();
  const known = new Set(nodes.map(({ id }) => id));
  const named = [...rows.map(({ operation }) => operation), ...nodes.flatMap(({ resolve, reject }) => [resolve, reject])];
  const unknown = [...new Set(named.filter((id) => id !== null && !known.has(id)))] as string[];
  const elsewhere = unknown.length === 0 ? [] : await tables.operations.read(connection, ['id'], { id: unknown });
  for (const row of rows) {
    const own = nodes.filter(({ flow }) => flow === row.id);
    const others = new Set([...elsewhere, ...nodes.filter(({ flow }) => flow !== row.id)].map(({ id }) => id));
    const [fault] = findFaults(row, own, others);
    if (fault !== undefined) throw refused(fault.field === 'operation' ? flows : operations, fault.field, fault.type, fault.refusal);
  }
}

const announced = new WeakSet<TransactionScope>();

/** Once for a transaction. After the commit every process reads the flows again. */
async function announce({ store, refresh }: GuardDeps, work: TransactionWork): Promise<void> {
  if (announced.has(work.scope)) return;
  announced.add(work.scope);
  await store.bumpEpoch(work.connection, 'flow');
  work.afterCommit(async () => {
    await store.check();
    await refresh();
  });
}

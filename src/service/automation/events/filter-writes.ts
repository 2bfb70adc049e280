// Flows that see a write before it happens: they change its values, or refuse it. Items that a caller names are seen as they were sent, those
// nested in them as they are about to be written.

import { findField } from '../../../core/access/view.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import { filteredAs } from '../../../core/engine/write/filter-writes.js';
import type { BeforeEvent, FilterEvent, WrittenItem } from '../../../core/engine/write/hooks.js';
import { forbiddenField, invalidPayload, ServiceError } from '../../../core/errors/service-error.js';
import { coerceField } from '../../../core/plan/write/write-value.js';
import type { Collection } from '../../../core/schema/schema.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { storedValues } from '../../history/revisions/stored-values.js';
import { refusalOf } from '../chain/failure.js';
import type { Flow } from '../model/flow.js';
import type { Run } from '../model/run.js';
import { deepest, depthOf, type RunScope } from '../rights/scope.js';
import { resultOf } from '../runs/run-flow.js';
import { eventName } from './listeners.js';
import { isSameValue, knownValues, settledText } from './written-values.js';

export type StartFilter = (flow: Flow, trigger: PlainObject, scope: RunScope) => Promise<Run>;

/** The values that a caller sent, as the flow wants them. */
export async function filterSent(start: StartFilter, flow: Flow, event: FilterEvent): Promise<unknown> {
  const { work, collection, action, keys, payload } = event;
  if (action !== 'delete' && !isPlainObject(payload)) return payload;
  const named = action === 'update' ? { keys } : {};
  const trigger = {
    payload: action === 'delete' ? keys : payload,
    event: eventName(collection, action),
    ...named,
    collection: collection.name,
  };
  const result = await filtered(start, flow, trigger, work);
  return action === 'delete' || result === null ? payload : result;
}

/** The same for nested items: for all of an update with the same values at once. */
export async function filterNested(
  start: StartFilter,
  flow: Flow,
  event: BeforeEvent,
): Promise<ReadonlyMap<string, unknown>[] | undefined> {
  const { work, collection, action, items } = event;
  const isRoot = ({ item, parent }: WrittenItem): boolean =>
    item !== null && parent === null && work.filtered === filteredAs(action, collection);
  if (action === 'delete') {
    if (work.filtered === filteredAs(action, collection)) return undefined;
    const payload = items.map(({ key }) => key);
    await filtered(start, flow, { payload, event: eventName(collection, action), collection: collection.name }, work);
    return undefined;
  }
  const made = items.map(({ values }) => values);
  for (const [values, indexes] of groupsOf(collection, items, action === 'update', isRoot)) {
    const keys = indexes.map((index) => items[index]?.key ?? null);
    const payload = JSON.parse(values) as PlainObject;
    const trigger = {
      payload,
      event: eventName(collection, action),
      ...(action === 'update' ? { keys } : {}),
      collection: collection.name,
    };
    const result = await filtered(start, flow, trigger, work);
    if (result === null) continue;
    for (const index of indexes) made[index] = replaced(work, event, made[index] ?? new Map(), payload, result);
  }
  return made;
}

/** The numbers of the items that the flow sees at once, by their values. */
function groupsOf(
  collection: Collection,
  items: readonly WrittenItem[],
  together: boolean,
  isRoot: (item: WrittenItem) => boolean,
): readonly (readonly [string, number[]])[] {
  const groups: [string, number[]][] = [];
  const byText = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (isRoot(item)) continue;
    const text = settledText(storedValues(collection, knownValues(item.values)));
    const known = together ? byText.get(text) : undefined;
    if (known !== undefined) known.push(index);
    else {
      const indexes = [index];
      groups.push([text, indexes]);
      byText.set(text, indexes);
    }
  }
  return groups;
}

const limits = { usual: 1_000, most: 5_000 } as const;

/** null: the values stay. */
async function filtered(start: StartFilter, flow: Flow, trigger: PlainObject, work: TransactionWork): Promise<PlainObject | null> {
  const { origin = null } = work;
  if (origin?.isSilent === true) return null;
  const depth = depthOf({ origin }) + 1;
  if (depth > deepest) throw invalidPayload(`The flow "${flow.name}" leads back to itself.`);
  const wanted = Number(flow.options['timeout']);
  const limitMs = wanted > 0 ? Math.min(wanted, limits.most) : limits.usual;
  const follows = { depth, trail: origin?.trail ?? [], isSilent: false, isRehearsal: origin?.isRehearsal === true };
  const scope = { starter: work.caller, write: work, origin: follows, rehearsal: null, until: performance.now() + limitMs };
  const run = await start(flow, trigger, scope);
  if (run.end === 'failed') throw refusalOf(run.error);
  const result = resultOf(run, flow.options['return']) ?? null;
  if (result !== null && !isPlainObject(result)) throw invalidPayload(`The flow "${flow.name}" returns no object.`);
  return result;
}

/** The fields of the result, and of what was there those that the service itself has set. */
function replaced(
  { caller }: TransactionWork,
  { collection, action }: BeforeEvent,
  values: ReadonlyMap<string, unknown>,
  payload: PlainObject,
  result: PlainObject,
): ReadonlyMap<string, unknown> {
  const made = new Map([...values].filter(([name]) => isOfService(collection, name, payload)));
  for (const [name, value] of Object.entries(result)) {
    const present = values.get(name);
    if (present !== undefined && Object.hasOwn(payload, name) && isSameValue(payload[name], value)) made.set(name, present);
    else made.set(name, coerced(collection, name, value, findField(caller.view, collection, name, action)));
  }
  return made;
}

const stamps = ['uuid', 'date-created', 'user-created', 'role-created', 'date-updated', 'user-updated', 'role-updated'];

function isOfService({ fields, primaryKey }: Collection, name: string, payload: PlainObject): boolean {
  const field = fields.get(name);
  if (primaryKey.includes(name) || !Object.hasOwn(payload, name)) return true;
  return field?.kind === 'column' && (field.relation !== null || stamps.some((stamp) => field.special.has(stamp)));
}

function coerced(collection: Collection, name: string, value: unknown, field: ReturnType<typeof findField>): unknown {
  if (field?.kind !== 'column') throw forbiddenField(name, collection.name);
  if (value === null) return null;
  const result = coerceField(field, value);
  if (!result.ok) throw new ServiceError([result.entry]);
  return result.value;
}

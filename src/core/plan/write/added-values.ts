// Values that the service adds to a payload: presets of permissions below the client's values, and special fields above them.

import { grantOf, type SchemaView } from '../../access/view.js';
import type { Collection, ColumnField } from '../../schema/schema.js';
import type { NamedValues } from '../../util/named-values.js';
import type { PlainValue, WriteValue } from './bound-write.js';
import type { Payload } from './payload.js';
import type { WriteContext } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

/** Adds the presets of the caller's permissions, in the order of the policies. They may set fields that the caller may not write. */
export function withPresets(context: WriteContext, collection: Collection, action: 'create' | 'update', payload: Payload): Payload {
  const grant = grantOf(context.caller.view, collection.name, action);
  if (grant === null || grant === 'all' || grant.every((permission) => permission.presets === null)) return payload;
  const presets = Object.assign({}, ...grant.map((permission) => permission.presets ?? {}));
  return { ...Object.fromEntries(Object.entries(presets).map(([name, value]) => [name, context.resolve(value)])), ...payload };
}

/** Removes values that may come from a preset: the caller did not send them and may not be allowed to see them. */
export function withoutPresets(view: SchemaView, { name }: Collection, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const grants = (['create', 'update'] as const).map((action) => grantOf(view, name, action));
  const permissions = grants.flatMap((grant) => (grant === null || grant === 'all' ? [] : grant));
  return new Map([...values].filter(([field]) => !permissions.some(({ presets }) => presets !== null && Object.hasOwn(presets, field))));
}

type Maker = (context: WriteContext) => unknown;

const stamps: Readonly<Record<'create' | 'update', Readonly<Record<string, Maker>>>> = {
  create: {
    'date-created': (context) => context.now.toISOString(),
    'user-created': (context) => context.caller.accountability.user,
    'role-created': (context) => context.caller.accountability.role,
  },
  update: {
    'date-updated': (context) => context.now.toISOString(),
    'user-updated': (context) => context.caller.accountability.user,
    'role-updated': (context) => context.caller.accountability.role,
  },
};

/**
 * Sets the fields whose special flags fill them automatically (contract items 5): UUID keys, and who wrote when. These override the
 * client's values. `changes`: whether the payload names any field; an update without changes sets no stamp.
 */
export function applySpecials(
  context: WriteContext,
  collection: Collection,
  action: 'create' | 'update',
  values: NamedValues<WriteValue>,
  changes: boolean,
): void {
  if (action === 'update' && !changes) return;
  for (const field of writingFacts(collection, context.limits).special) {
    if (action === 'create') fillUuid(context, field, values);
    for (const flag of field.special) {
      const make = Object.hasOwn(stamps[action], flag) ? stamps[action][flag] : undefined;
      if (make !== undefined) stamp(context, field, flag, make, values);
    }
  }
}

function fillUuid(context: WriteContext, field: ColumnField, values: NamedValues<WriteValue>): void {
  if (!field.special.has('uuid') || field.relation !== null) return;
  const present = values.get(field.name);
  if (present === undefined || present === null || present === '') values.set(field.name, context.makeUuid());
}

function stamp(context: WriteContext, field: ColumnField, flag: string, make: Maker, values: NamedValues<WriteValue>): void {
  const name = `${flag} ${field.collection}.${field.name}`;
  if (!context.stamps.has(name)) context.stamps.set(name, makeStamp(field, make(context)));
  values.set(field.name, context.stamps.get(name));
}

/** A stamp that the column cannot store is null. */
function makeStamp(field: ColumnField, made: unknown): PlainValue {
  const result = coerceField(field, made);
  return result.ok ? result.value : null;
}

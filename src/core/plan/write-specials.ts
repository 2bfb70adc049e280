// Special flags that fill fields by themselves (contract items 5): keys, and who wrote when. What they set overrules the client.

import type { NamedValues } from '../schema/named-values.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import type { PlainValue, WriteValue } from './bound-write.js';
import type { WriteContext } from './write-context.js';
import { coerceField } from './write-value.js';
import { writingFacts } from './writing-facts.js';

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

/** `changes`: whether the payload names anything at all; an update that changes nothing leaves no stamp. */
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

/** A stamp that its column cannot hold is left empty. */
function makeStamp(field: ColumnField, made: unknown): PlainValue {
  const result = coerceField(field, made);
  return result.ok ? result.value : null;
}

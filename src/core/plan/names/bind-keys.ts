// Conditions for items that are requested by key: the key fields compared with literals of the request.

import { forbidden } from '../../errors/service-error.js';
import type { Collection, ColumnField } from '../../schema/schema.js';
import { compare } from './bind-filter.js';
import { allOf, type BoundFilter } from './bound-filter.js';

/** One item. The parts of its key are the literals from `slot` on. */
export function bindKey(collection: Collection, slot: number): BoundFilter {
  const filter = allOf(
    keyFields(collection).map((field, index) => compare({ kind: 'column', field, rule: null }, '_eq', { kind: 'key', slot: slot + index })),
  );
  if (filter === null) throw forbidden();
  return filter;
}

/** Several items. Their keys are one literal, a list; composite keys are a list of `count` lists of parts. */
export function bindKeyList(collection: Collection, slot: number, count: number): BoundFilter {
  const fields = keyFields(collection);
  const [only] = fields;
  if (only === undefined) throw forbidden();
  if (fields.length === 1) return compare({ kind: 'column', field: only, rule: null }, '_in', { kind: 'key', slot });
  const filters = Array.from(
    { length: count },
    (_, item): BoundFilter => ({
      kind: 'and',
      filters: fields.map((field, part) =>
        compare({ kind: 'column', field, rule: null }, '_eq', {
          kind: 'element',
          of: { kind: 'element', of: { kind: 'key', slot }, index: item },
          index: part,
        }),
      ),
    }),
  );
  return filters.length === 0 ? { kind: 'nothing' } : { kind: 'or', filters };
}

/** Cached because every key of a list asks for it. */
const known = new WeakMap<Collection, readonly ColumnField[]>();

export function keyFields(collection: Collection): readonly ColumnField[] {
  const present = known.get(collection);
  if (present !== undefined) return present;
  const fields = collection.primaryKey.flatMap((name) => {
    const field = collection.fields.get(name);
    return field?.kind === 'column' ? [field] : [];
  });
  known.set(collection, fields);
  return fields;
}

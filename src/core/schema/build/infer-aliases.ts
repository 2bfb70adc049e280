// What foreign keys alone tell about the one side of a relation: whether the table is a junction, and what happens to an item that is
// removed from the list.

import type { Deselect, KeyPairs } from '../schema.js';
import type { CollectionSource } from './collection-source.js';
import type { UsableForeignKey } from './link-foreign-keys.js';

/** If `key` is one leg of a junction, returns the field of the other leg. `keys` are all relations that foreign keys of the table make. */
export function otherLeg(many: CollectionSource, key: UsableForeignKey, keys: readonly UsableForeignKey[]): string | null {
  const legs = findLegs(many, keys);
  const other = legs.find((leg) => leg !== key);
  return legs.includes(key) && other !== undefined ? other.field : null;
}

/**
 * A junction has two legs, and either its primary key consists of their columns or it holds nothing but them and its primary key. A foreign
 * key contained in another one, such as a tenant column that both legs share, is no leg.
 */
function findLegs({ table, columns }: CollectionSource, keys: readonly UsableForeignKey[]): readonly UsableForeignKey[] {
  const primaryKey = table?.primaryKey ?? [];
  const inKey = widest(keys.filter((key) => columnsOf(key).every((column) => primaryKey.includes(column))));
  const made = new Set(inKey.flatMap(columnsOf));
  if (inKey.length === 2 && primaryKey.every((column) => made.has(column))) return inKey;
  const legs = widest(keys);
  const held = new Set([...legs.flatMap(columnsOf), ...primaryKey]);
  return legs.length === 2 && primaryKey.length > 0 && [...columns.keys()].every((column) => held.has(column)) ? legs : [];
}

const columnsOf = ({ pairs }: UsableForeignKey): readonly string[] => pairs.map(({ column }) => column);

function widest(keys: readonly UsableForeignKey[]): readonly UsableForeignKey[] {
  const isInside = (key: UsableForeignKey, other: UsableForeignKey): boolean =>
    key.pairs.length < other.pairs.length && columnsOf(key).every((column) => columnsOf(other).includes(column));
  return keys.filter((key) => !keys.some((other) => isInside(key, other)));
}

/**
 * Chooses what removing an item from the list does. Of the nullable columns, those are set to null that no other foreign key needs, or all
 * of them if each is needed: a foreign key with one null points at nothing. If no column is nullable, a junction row is deleted and any
 * other item cannot be removed.
 */
export function chooseDeselect(many: CollectionSource, pairs: KeyPairs, isJunction: boolean, stated: string | null): Deselect {
  if (stated === 'delete') return { kind: 'delete' };
  const primaryKey = many.table?.primaryKey ?? [];
  const nullable = pairs
    .map(({ column }) => column)
    .filter((name) => {
      const column = many.columns.get(name);
      return column?.nullable === true && !column.generated && !primaryKey.includes(name);
    });
  if (nullable.length === 0) return { kind: isJunction ? 'delete' : 'refuse' };
  const free = nullable.filter((name) => (many.table?.foreignKeys.filter(({ columns }) => columns.includes(name)).length ?? 0) <= 1);
  return { kind: 'nullify', columns: free.length > 0 ? free : nullable };
}

// Which fields a form offers, in which group, and which of them only the service writes.

import type { Collection, Field } from './model.js';

export const isGroup = (field: Field): boolean => field.special.includes('group') || (field.interface?.startsWith('group-') ?? false);

/** A new item has no generated values yet. */
export const isOffered = (field: Field, isNew: boolean): boolean => !isNew || !(field.isGenerated || (field.isKey && isMade(field)));

/** Whether the key is a counter of the database, or made by the service. Other defaults of keys are for those who leave the key out. */
const isMade = ({ column, special }: Field): boolean =>
  (column?.standard.kind === 'made' && column.standard.expression === null) || special.includes('uuid');

/** Whether a new item gets a value where none is sent. */
export const isFilled = ({ column, special }: Field): boolean =>
  (column !== null && column.standard.kind !== 'none') || special.includes('uuid');

export const isFixed = (field: Field, isNew: boolean): boolean =>
  field.readonly || field.isGenerated || (field.isKey && !isNew) || field.special.some((flag) => /^(date|user|role)-/.test(flag));

/** The fields directly in a group; null: those in none, and those whose group is not part of the collection. */
export function fieldsIn({ fields, fieldsByName }: Collection, group: string | null): readonly Field[] {
  const groupOf = (field: Field): string | null => {
    const named = field.group === null ? undefined : fieldsByName.get(field.group);
    return named !== undefined && isGroup(named) && named !== field ? named.name : null;
  };
  return fields.filter((field) => groupOf(field) === group);
}

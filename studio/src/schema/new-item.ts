// What a new item gets where nobody sets a field: the presets of the person's permissions, what the service fills in, and the defaults of the
// database. A form begins with what is known of it, and does not send it, so that what is shown is what is stored. Pure.

import type { Collection, Field } from './model.js';
import type { Permissions } from './permissions.js';

type Values = Readonly<Record<string, unknown>>;

/** The values that are known before the item is stored. */
export function newItem(collection: Collection, permissions: Permissions): Values {
  const presets = presetsOf(collection, permissions);
  return Object.fromEntries(
    collection.fields.flatMap((field) => {
      const { name, column } = field;
      if (column === null || madeWhenStored(field, presets) !== null) return [];
      if (Object.hasOwn(presets, name)) return [[name, presets[name]]];
      return column.standard.kind === 'value' ? [[name, column.standard.value]] : [];
    }),
  );
}

/** Who makes the value of a field while the item is stored: an expression of the database, in its words, or something else. */
export type Maker = { readonly expression: string | null };

/** Null: the value is known before, or there is none. */
export function makerOf(field: Field, collection: Collection, permissions: Permissions): Maker | null {
  return madeWhenStored(field, presetsOf(collection, permissions));
}

const presetsOf = ({ name }: Collection, permissions: Permissions): Values => permissions[name]?.['create']?.presets ?? {};

function madeWhenStored({ name, column, special }: Field, presets: Values): Maker | null {
  if (special.some((flag) => flag === 'uuid' || /^(date|user|role)-created$/.test(flag))) return { expression: null };
  if (Object.hasOwn(presets, name)) return isDynamic(presets[name]) ? { expression: null } : null;
  return column?.standard.kind === 'made' ? column.standard : null;
}

/** `$NOW`, `$CURRENT_USER` and their like get their values when the item is stored. */
const isDynamic = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$');

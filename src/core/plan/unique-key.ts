// Which fields may tell an item apart: the primary key, a unique column, a unique index over several columns.

import { lookUpField } from '../access/view.js';
import type { Collection } from '../schema/schema.js';
import type { WriteContext } from './write-context.js';

/** The named fields when they are together unique, in the order they were named; null when they are not. */
export function findUniqueKey(context: WriteContext, collection: Collection, names: readonly string[]): readonly string[] | null {
  const fields = names.map((name) => lookUpField(context.caller.view, collection, name, 'read'));
  if (fields.length === 0 || fields.some((field) => field.kind !== 'column' || field.concealed)) return null;
  return uniqueKeysOf(collection).some((key) => sameNames(key, names)) ? names : null;
}

function uniqueKeysOf(collection: Collection): readonly (readonly string[])[] {
  const indexes = collection.table?.indexes.filter((index) => index.unique && !index.partial) ?? [];
  const columns = collection.table?.columns.filter((column) => column.unique) ?? [];
  return [collection.primaryKey, ...indexes.map((index) => index.columns), ...columns.map((column) => [column.name])];
}

const sameNames = (key: readonly string[], names: readonly string[]): boolean =>
  key.length === names.length && new Set([...key, ...names]).size === key.length;

// What an import would write: which column goes into which field, and the items that come of it. Pure, imports no framework.

import type { Item } from '../../draft/item.js';
import type { Collection, Field } from '../../schema/model.js';
import type { Reading } from '../../schema/typed.js';
import type { Language } from '../../text/use-text.js';
import { readValue as readText } from '../../values/read-value.js';
import type { Table } from './read-table.js';

/** The field of each column, by place; null: the column is left out. */
export type Mapping = readonly (string | null)[];

export interface RowRefusal {
  /** From 0. */
  readonly row: number;
  readonly field: string | null;
  readonly message: string;
}

/** Fields that a file can fill. */
export const fillable = ({ fields }: Collection): readonly Field[] =>
  fields.filter(({ column, isGenerated, relation }) => column !== null && !isGenerated && relation?.kind !== 'm2a');

/** Columns find the fields of their name or title. */
export function guessMapping(collection: Collection, { columns }: Table): Mapping {
  const fields = fillable(collection);
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const taken = new Set<string>();
  return columns.map((column) => {
    const found = fields.find(({ name, title }) => !taken.has(name) && [plain(name), plain(title)].includes(plain(column)));
    if (found !== undefined) taken.add(found.name);
    return found?.name ?? null;
  });
}

/** What becomes of the empty cells of a column: nothing is stored (null), or new items get the default of the field. */
export interface EmptyCells {
  readonly field: Field;
  readonly becomes: 'null' | 'default';
  readonly count: number;
}

export interface PlannedItems {
  readonly items: readonly Item[];
  readonly refusals: readonly RowRefusal[];
  readonly empty: readonly EmptyCells[];
}

/** Finds an item by its title or key. */
export type RelatedFinder = (field: Field, text: string) => unknown;

export function planItems(
  collection: Collection,
  { rows }: Table,
  mapping: Mapping,
  language: Language,
  findRelated: RelatedFinder,
): PlannedItems {
  const refusals: RowRefusal[] = [];
  const empty = new Map<Field, number>();
  const fields = mapping.map((name) => (name === null ? undefined : collection.fieldsByName.get(name)));
  const items = rows.map((row, index) => {
    const item: Record<string, unknown> = {};
    for (const [column, field] of fields.entries()) {
      const cell = row[column];
      if (field === undefined || cell === undefined) continue;
      // An empty key means that the item is new.
      if (field.isKey && (cell === null || cell === '')) continue;
      if (cell === null) {
        const becomes = fateOfEmpty(field);
        if (becomes === 'refused') refusals.push({ row: index, field: field.name, message: language.text.requiredMissing });
        else empty.set(field, (empty.get(field) ?? 0) + 1);
        if (becomes === 'null') item[field.name] = null;
        continue;
      }
      const { value, fault } = readValue(field, cell, language, findRelated);
      item[field.name] = value;
      if (fault !== null) refusals.push({ row: index, field: field.name, message: language.text.list.faults[fault] });
    }
    return item;
  });
  const fates = [...empty].map(
    ([field, count]) => ({ field, becomes: fateOfEmpty(field) === 'null' ? 'null' : 'default', count }) as const,
  );
  return { items, refusals, empty: fates };
}

/** Never an empty text: nobody wrote one. */
function fateOfEmpty({ column }: Field): EmptyCells['becomes'] | 'refused' {
  if (column?.nullable !== false) return 'null';
  return column.standard.kind === 'none' ? 'refused' : 'default';
}

function readValue(field: Field, cell: unknown, language: Language, findRelated: RelatedFinder): Reading {
  if (field.relation?.kind === 'm2o' && cell !== null && cell !== '' && typeof cell !== 'object') {
    const key = findRelated(field, String(cell).trim());
    return key === undefined ? { value: cell, fault: 'unknown' } : { value: key, fault: null };
  }
  return typeof cell === 'string' ? readText(field, cell, language) : { value: cell, fault: null };
}

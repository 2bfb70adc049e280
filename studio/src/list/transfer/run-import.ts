// Checks and imports items. The check is a dry run of the service in parts, so that its progress can be shown: every row that it refuses is
// found. The import itself is one request and one transaction.

import { ApiError, request } from '../../api/client.js';
import type { Item } from '../../draft/item.js';
import type { ErrorEntry } from '../../schema/error-entry.js';
import type { Collection } from '../../schema/model.js';
import type { RowRefusal } from './import-plan.js';

export type ImportMode = 'add' | 'merge';

const partSize = 500;
/** Rows that the database refuses are found one by one; this bounds their number. */
const mostRounds = 50;

interface NumberedItem {
  readonly row: number;
  readonly item: Item;
}

interface CheckOptions {
  readonly mode: ImportMode;
  readonly signal: AbortSignal;
  /** Rows checked so far. */
  readonly onProgress: (done: number) => void;
}

/** Refusals of the service, besides those rows that are known not to fit. */
export async function checkItems(
  collection: Collection,
  items: readonly Item[],
  known: ReadonlySet<number>,
  { mode, signal, onProgress }: CheckOptions,
): Promise<readonly RowRefusal[]> {
  const refusals: RowRefusal[] = [];
  for (let start = 0; start < items.length; start += partSize) {
    const part = items
      .slice(start, start + partSize)
      .flatMap((item, index) => (known.has(start + index) ? [] : [{ row: start + index, item }]));
    refusals.push(...(await checkPart(collection, part, mode, signal)));
    onProgress(Math.min(items.length, start + partSize));
  }
  return refusals;
}

/** Until the service takes what is left of the part. */
async function checkPart(
  collection: Collection,
  part: readonly NumberedItem[],
  mode: ImportMode,
  signal: AbortSignal,
): Promise<readonly RowRefusal[]> {
  const refusals: RowRefusal[] = [];
  let rest = part;
  for (let round = 0; round < mostRounds && rest.length > 0; round += 1) {
    const errors = await tryItems(collection, rest, mode, signal);
    if (errors === null) return refusals;
    let placed = errors.map((error) => placeError(rest, error)).filter(({ row }) => row >= 0);
    if (placed.length === 0) {
      const [{ message, extensions } = { message: '', extensions: null }] = errors;
      placed = [{ row: (await findRefused(collection, rest, mode, signal))?.row ?? 0, field: extensions?.field ?? null, message }];
    }
    refusals.push(...placed);
    const refused = new Set(placed.map(({ row }) => row));
    rest = rest.filter(({ row }) => !refused.has(row));
  }
  return refusals;
}

/** Databases do not always name the row they refuse, so it is found by bisection: it is the last row of the shortest prefix that is refused. */
async function findRefused(
  collection: Collection,
  part: readonly NumberedItem[],
  mode: ImportMode,
  signal: AbortSignal,
): Promise<NumberedItem | undefined> {
  let [low, high] = [0, part.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await tryItems(collection, part.slice(0, middle + 1), mode, signal)) === null) low = middle + 1;
    else high = middle;
  }
  return part[low];
}

async function tryItems(
  { name }: Collection,
  part: readonly NumberedItem[],
  mode: ImportMode,
  signal: AbortSignal,
): Promise<readonly ErrorEntry[] | null> {
  try {
    const body = formOf(
      name,
      part.map(({ item }) => item),
    );
    await request('POST', '/utils/import', { body, query: { mode, dryRun: 'true' }, signal });
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status < 400 || error.status >= 500 || error.status === 401) throw error;
    return error.entries;
  }
}

/** Finds the row by the index in the error if there is one, else by the refused value. Row -1: unknown. */
function placeError(part: readonly NumberedItem[], { message, extensions }: ErrorEntry): RowRefusal {
  const { field = null, index, value } = extensions;
  const at = index === undefined ? undefined : part[index];
  if (at !== undefined) return { row: at.row, field, message };
  // Of two rows with the same unique value, the last one is reported.
  const holder = field === null ? undefined : part.findLast(({ item }) => value !== undefined && String(item[field]) === String(value));
  return { row: holder?.row ?? -1, field: holder === undefined ? null : field, message };
}

function formOf(collection: string, items: readonly Item[]): FormData {
  const form = new FormData();
  form.set('file', new Blob([JSON.stringify([{ collection, items }])], { type: 'application/json' }), 'items.json');
  return form;
}

export interface Imported {
  readonly created: readonly unknown[];
  readonly updated: readonly unknown[];
}

interface ImportAnswer {
  readonly collections: Readonly<Record<string, { readonly existing: readonly unknown[]; readonly new: readonly unknown[] } | undefined>>;
}

export async function importItems(
  { name }: Collection,
  items: readonly Item[],
  mode: ImportMode,
  idempotencyKey: string,
): Promise<Imported> {
  const { data } = await request<ImportAnswer>('POST', '/utils/import', { body: formOf(name, items), query: { mode }, idempotencyKey });
  const { existing = [], new: created = [] } = data.collections[name] ?? {};
  return { created, updated: existing };
}

/** Where the refusals of the import itself are, such as a value that occurs twice in the file. */
export const placeImportErrors = (items: readonly NumberedItem[], error: unknown): readonly RowRefusal[] =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 ? error.entries.map((entry) => placeError(items, entry)) : [];

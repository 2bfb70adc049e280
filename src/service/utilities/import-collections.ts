// Items of several collections as one JSON body: added, or laid over those of the same key. One transaction for all.

import { lookUpCollection } from '../../core/access/view.js';
import type { TransactionWork } from '../../core/engine/transaction.js';
import type { Writer } from '../../core/engine/writer.js';
import { invalidPayload, invalidQuery } from '../../core/errors/service-error.js';

export const importModes = ['add', 'merge'] as const;
export type ImportMode = (typeof importModes)[number];

export interface CollectionItems {
  readonly collection: string;
  readonly items: readonly unknown[];
}

export interface Imported {
  readonly existing: number;
  readonly new: number;
  readonly deleted: number;
  readonly mapped: number;
}

export function readImportMode(text: string | null): ImportMode {
  const mode = importModes.find((name) => name === (text ?? 'add'));
  if (mode === undefined) throw invalidQuery(`"mode" has to be one of ${importModes.join(', ')}.`);
  return mode;
}

export function readCollectionItems(body: unknown): readonly CollectionItems[] {
  if (!Array.isArray(body)) throw invalidPayload('The body has to be a list of {"collection", "items"}.');
  return body.map((entry: unknown) => {
    const { collection, items } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<Record<string, unknown>>;
    if (typeof collection !== 'string' || !Array.isArray(items))
      throw invalidPayload('Every entry needs "collection" and a list of "items".');
    return { collection, items };
  });
}

export async function importCollections(
  writer: Writer,
  work: TransactionWork,
  entries: readonly CollectionItems[],
  mode: ImportMode,
): Promise<Readonly<Record<string, Imported>>> {
  const result: Record<string, Imported> = {};
  for (const { collection, items } of entries) {
    if (lookUpCollection(work.caller.view, collection, 'create').system) throw invalidPayload(`"${collection}" cannot be imported into.`);
    const existing = mode === 'merge' ? await merge(writer, work, collection, items) : await add(writer, work, collection, items);
    const before = result[collection] ?? { existing: 0, new: 0, deleted: 0, mapped: 0 };
    result[collection] = { ...before, existing: before.existing + existing, new: before.new + items.length - existing };
  }
  return result;
}

async function add(writer: Writer, work: TransactionWork, collection: string, items: readonly unknown[]): Promise<number> {
  await writer.create(work, collection, items);
  return 0;
}

/** Items without a key are new. */
async function merge(writer: Writer, work: TransactionWork, name: string, items: readonly unknown[]): Promise<number> {
  const { primaryKey } = lookUpCollection(work.caller.view, name, 'update');
  const isKeyed = (item: unknown): boolean => typeof item === 'object' && item !== null && primaryKey.every((key) => key in item);
  await writer.create(
    work,
    name,
    items.filter((item) => !isKeyed(item)),
  );
  const { updated } = await writer.upsert(work, name, items.filter(isKeyed), primaryKey);
  return updated;
}

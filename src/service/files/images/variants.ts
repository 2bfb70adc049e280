// Bounds the stored variants: a number and a size per original, and an age for all. A removed variant is made again on request.

import { variantFolder, variantPrefix } from '../storage/content-name.js';
import type { Storage, Storages, StoredContent } from '../storage/storage.js';

const maxPerOriginal = 100;
const maxBytesPerOriginal = 100 * 1024 * 1024;
const maxAgeMs = 30 * 86_400_000;

/** Removes the oldest variants beyond the bounds. Call it after a variant was stored. */
export async function trimVariants(storage: Storage, original: string): Promise<void> {
  const kept = await listAll(storage, `${variantFolder(original)}/`);
  let [count, bytes] = [0, 0];
  for (const { name, size, changedAt } of kept.toSorted((a, b) => b.changedAt - a.changedAt)) {
    count += 1;
    bytes += size;
    if (count > 1 && (count > maxPerOriginal || bytes > maxBytesPerOriginal || isOld(changedAt))) await storage.remove(name);
  }
}

export async function removeOldVariants(storages: Storages): Promise<void> {
  for (const storage of storages)
    for await (const { name, changedAt } of storage.list(variantPrefix)) if (isOld(changedAt)) await storage.remove(name);
}

const isOld = (changedAt: number): boolean => changedAt < Date.now() - maxAgeMs;

async function listAll(storage: Storage, prefix: string): Promise<readonly StoredContent[]> {
  const all: StoredContent[] = [];
  for await (const content of storage.list(prefix)) all.push(content);
  return all;
}

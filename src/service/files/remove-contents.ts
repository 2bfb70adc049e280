// Removes contents with everything derived from them. A failure leaves bytes behind, never an answer that fails.

import { variantFolder } from './content-name.js';
import type { FilesContext } from './files-context.js';
import { findStorage } from './storage.js';

export interface ContentPlace {
  readonly storage?: unknown;
  readonly filename_disk?: unknown;
}

export async function removeContents(context: Pick<FilesContext, 'storages' | 'report'>, places: readonly ContentPlace[]): Promise<void> {
  for (const { storage: name, filename_disk: content } of places) {
    const storage = findStorage(context.storages, name);
    if (storage === null || typeof content !== 'string') continue;
    try {
      await storage.remove(content);
      await storage.removeFolder(variantFolder(content));
    } catch (error) {
      context.report(error);
    }
  }
}

// Width and height of a stored image, read from its header; null for what is no image, or none worth opening.

import type { FilesContext } from './files-context.js';
import { loadSharp, maxImageBytes } from './load-sharp.js';
import { readAll } from './read-all.js';
import type { ReceivedContent } from './receive-content.js';
import { findStorage } from './storage.js';

export interface Measures {
  readonly width: number | null;
  readonly height: number | null;
}

const unknown: Measures = { width: null, height: null };

export async function measureImage(context: FilesContext, content: ReceivedContent): Promise<Measures> {
  if (!content.type.startsWith('image/') || content.type === 'image/svg+xml' || content.size > maxImageBytes) return unknown;
  return context.imageTurns.run(async () => {
    const stream = await findStorage(context.storages, content.storage)?.read(content.name);
    if (stream === undefined || stream === null) return unknown;
    const bytes = await readAll(stream);
    const sharp = await loadSharp();
    try {
      const { width, height, orientation = 1 } = await sharp(bytes).metadata();
      // From 5 on the image lies on its side.
      return orientation >= 5 ? { width: height, height: width } : { width, height };
    } catch {
      return unknown;
    }
  });
}

// Connects stored contents with the write of their items. They are registered under a caller object made for one write; the hooks in
// guard-files.ts find them there and set the fields that no payload may set. Contents whose write did not commit are removed.

import type { Caller } from '../../../core/access/view.js';
import { type Measures, maxImageBytes } from '../images/image-jobs.js';
import { variantFolder } from '../storage/content-name.js';
import { findStorage, readAll } from '../storage/storage.js';
import { type ContentFacts, type FilesDeps, filesCollection } from './files-deps.js';
import type { ReceivedContent } from './receive-content.js';

/** `write`: writes the items of the contents, in their order, as the given caller. */
export async function keepContents<T>(
  deps: FilesDeps,
  caller: Caller,
  contents: readonly ReceivedContent[],
  write: (author: Caller) => Promise<T>,
): Promise<T> {
  const author: Caller = { ...caller };
  deps.pending.set(author, { facts: await describeContents(deps, contents), kept: false });
  try {
    return await write(author);
  } finally {
    await discardUnkept(deps, author);
  }
}

async function describeContents(deps: FilesDeps, contents: readonly ReceivedContent[]): Promise<readonly ContentFacts[]> {
  const facts: ContentFacts[] = [];
  try {
    for (const content of contents) facts.push(await describeContent(deps, content));
    return facts;
  } catch (error) {
    await discardContents(deps, contents);
    throw error;
  }
}

async function describeContent(deps: FilesDeps, content: ReceivedContent): Promise<ContentFacts> {
  const { storage, name, size } = content;
  const measures = await measureImage(deps, content);
  return { storage, filename_disk: name, filesize: size, ...measures, uploaded_on: new Date().toISOString() };
}

/** Removes contents that were received before the upload failed. */
export const discardContents = (deps: FilesDeps, contents: readonly ReceivedContent[]): Promise<void> =>
  removeContents(
    deps,
    contents.map(({ storage, name }) => ({ storage, filename_disk: name })),
  );

async function discardUnkept(deps: FilesDeps, caller: Caller): Promise<void> {
  const pending = deps.pending.get(caller);
  if (pending === undefined) return;
  deps.pending.delete(caller);
  if (pending.kept) return;
  try {
    const names = await readKeptNames(deps, pending.facts);
    await removeContents(
      deps,
      pending.facts.filter(({ filename_disk: name }) => !names.has(name)),
    );
  } catch (error) {
    // In doubt the contents stay: unused bytes do less harm than an item without its content.
    deps.report(error);
  }
}

/** If the connection broke during the commit, only the database knows whether the items exist. */
async function readKeptNames(deps: FilesDeps, facts: readonly ContentFacts[]): Promise<ReadonlySet<string>> {
  const work = { caller: deps.serviceCaller(), connection: deps.connection, signal: null, afterCommit: null };
  const filter = { filename_disk: { _in: facts.map(({ filename_disk: name }) => name) } };
  const items = await deps.reader.objects(work, filesCollection, { fields: ['filename_disk'], filter, limit: -1 });
  return new Set(items.map((item) => String(item['filename_disk'])));
}

const unknown: Measures = { width: null, height: null };

/** Width and height of a stored image; null for other contents and for images that are too large to open. */
async function measureImage(deps: FilesDeps, content: ReceivedContent): Promise<Measures> {
  if (!content.type.startsWith('image/') || content.type === 'image/svg+xml' || content.size > maxImageBytes) return unknown;
  const prepare = async () => {
    const stream = (await findStorage(deps.storages, content.storage)?.read(content.name)) ?? null;
    return { kind: 'measure', bytes: stream === null ? Buffer.alloc(0) : await readAll(stream) } as const;
  };
  const result = await deps.images.run({ prepare, slow: false }, null);
  return result.kind === 'measured' ? { width: result.width, height: result.height } : unknown;
}

/** The columns of a file item that say where its content is stored. */
interface ContentPlace {
  readonly storage?: unknown;
  readonly filename_disk?: unknown;
}

/** Removes contents with their variants. A failure is reported and leaves bytes behind; it never fails the request. */
export async function removeContents(deps: Pick<FilesDeps, 'storages' | 'report'>, places: readonly ContentPlace[]): Promise<void> {
  for (const { storage: name, filename_disk: content } of places) {
    const storage = findStorage(deps.storages, name);
    if (storage === null || typeof content !== 'string') continue;
    try {
      await storage.remove(content);
      await storage.removeFolder(variantFolder(content));
    } catch (error) {
      deps.report(error);
    }
  }
}

// Ties stored contents to the write of their items: facts that no payload may name are set by a hook while the items are written, for
// the caller that was made for this one write. What no write has kept is removed.

import type { Caller } from '../../core/access/view.js';
import type { ContentFacts, FilesContext } from './files-context.js';
import { measureImage } from './measure-image.js';
import type { ReceivedContent } from './receive-content.js';
import { removeContents } from './remove-contents.js';

export async function expectWrite(context: FilesContext, caller: Caller, contents: readonly ReceivedContent[]): Promise<Caller> {
  const facts: ContentFacts[] = [];
  for (const content of contents) facts.push(await describeContent(context, content));
  const own: Caller = { ...caller };
  context.pending.set(own, { facts, kept: false });
  return own;
}

async function describeContent(context: FilesContext, content: ReceivedContent): Promise<ContentFacts> {
  const { storage, name, size } = content;
  const measures = await measureImage(context, content);
  return { storage, filename_disk: name, filesize: size, ...measures, uploaded_on: new Date().toISOString() };
}

/** Contents that were received before something went wrong. */
export const discardContents = (context: FilesContext, contents: readonly ReceivedContent[]): Promise<void> =>
  removeContents(
    context,
    contents.map(({ storage, name }) => ({ storage, filename_disk: name })),
  );

/** Call it when the write is over, however it went. */
export async function discardUnkept(context: FilesContext, caller: Caller): Promise<void> {
  const pending = context.pending.get(caller);
  if (pending === undefined) return;
  context.pending.delete(caller);
  if (!pending.kept) await removeContents(context, pending.facts);
}

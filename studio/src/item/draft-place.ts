// Under which name the browser keeps the draft of an item. Drafts belong to a person: somebody else who signs in at the same browser does
// not see them.

import { browserKeeper } from '../draft/draft-store.js';
import type { Edits } from '../draft/item.js';
import type { Collection } from '../schema/model.js';
import type { SaveTarget } from './item-saver.js';

export const draftPlace = (user: string, { name }: Collection, { kind, path, version }: SaveTarget): string =>
  `draft:${user}:${kind === 'new' ? `${name}/+` : path}${version === undefined ? '' : `?version=${version.key}`}`;

/** Keeps edits for the next time that the item is opened. */
export const keepDraft = (place: string, edits: Edits): void => browserKeeper(place).write(edits, {}, {});

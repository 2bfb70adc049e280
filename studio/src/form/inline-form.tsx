// The form of a related item inside the form that refers to it. Its edits are staged with each keystroke.

import { useEffect, useRef, useState } from 'react';
import { type Item, isEqual } from '../draft/draft.js';
import { DraftStore, entryKeeper } from '../draft/draft-store.js';
import type { Refusal } from '../draft/refusals.js';
import type { StagedEntry } from '../draft/staged.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useMay } from '../studio-context.js';
import { Form } from './form.js';

interface InlineFormProps {
  readonly collection: Collection;
  readonly entry: StagedEntry;
  readonly base: Item;
  readonly leftOut: readonly string[];
  readonly isReadOnly: boolean;
  readonly refusals: readonly Refusal[];
  readonly onChange: (entry: StagedEntry) => void;
}

export function InlineForm({ collection, entry, base, leftOut, isReadOnly, refusals, onChange }: InlineFormProps) {
  const may = useMay(collection);
  const latest = useRef({ entry, onChange });
  latest.current = { entry, onChange };
  const [store] = useState(() => {
    const write = (edits: Item) => {
      const { entry: now, onChange: notify } = latest.current;
      if (!isEqual(now.edits, edits)) notify({ ...now, edits });
    };
    return new DraftStore(base, entryKeeper(entry.edits, write), refusals);
  });
  // The edits may also change from outside: discarded, saved, merged.
  useEffect(() => {
    if (!isEqual(store.edits, entry.edits) || !isEqual(store.base, base)) store.replace(base, entry.edits);
  }, [store, entry.edits, base]);
  useEffect(() => store.refuse(refusals), [store, refusals]);
  return (
    <Form
      collection={collection}
      itemKey={entry.key === null ? null : plainText(entry.key)}
      store={store}
      isReadOnly={isReadOnly || !may(entry.key === null ? 'create' : 'update')}
      leftOut={leftOut}
    />
  );
}

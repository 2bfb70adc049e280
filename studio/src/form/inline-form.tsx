// The form of a related item inside the form that refers to it. Its edits are staged with each keystroke.

import { useEffect, useMemo, useRef, useState } from 'react';
import { isEqual } from '../draft/draft.js';
import { DraftStore, entryKeeper } from '../draft/draft-store.js';
import type { Item } from '../draft/item.js';
import type { InlineFormProps } from '../interfaces/relations/related-forms.js';
import { newItem } from '../schema/new-item.js';
import { plainText } from '../schema/templates.js';
import { useMay, useStudio } from '../studio-context.js';
import { Form } from './form.js';

export function InlineForm({ collection, entry, base: stored, leftOut, isReadOnly, refusals, onChange }: InlineFormProps) {
  const may = useMay();
  const { permissions } = useStudio().boot;
  const fresh = useMemo(() => newItem(collection, permissions), [collection, permissions]);
  const base = entry.key === null ? fresh : stored;
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
      isReadOnly={isReadOnly || !may(collection, entry.key === null ? 'create' : 'update')}
      leftOut={leftOut}
    />
  );
}

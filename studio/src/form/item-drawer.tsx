// A related item in a drawer over the form that refers to it. Its edits are staged in the draft below with each keystroke, so closing the
// drawer, by Esc too, loses nothing; "Discard changes" goes back to what it was when the drawer opened.

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { DraftStore, entryKeeper, useChangeCount } from '../draft/draft-store.js';
import type { Item } from '../draft/item.js';
import type { ItemDrawerProps } from '../interfaces/relations/related-forms.js';
import { Icon } from '../primitives/icon.js';
import { keySegment } from '../schema/item-key.js';
import { newItem } from '../schema/new-item.js';
import { plainText, renderTemplate, templateOf } from '../schema/templates.js';
import { itemsPath, useMay, useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { Form } from './form.js';
import { readItem } from './read-item.js';
import { useDiscard } from './use-discard.js';
import { useFirstFocus } from './use-first-focus.js';

export function ItemDrawer(props: ItemDrawerProps) {
  const text = useText();
  const { collection, entry, onClose } = props;
  const { schema, permissions } = useStudio().boot;
  const fresh = useMemo(() => newItem(collection, permissions), [collection, permissions]);
  const key = plainText(entry.key);
  const { data, error } = useQuery({
    queryKey: ['item', collection.name, key],
    queryFn: () => readItem(schema, collection, `${itemsPath(collection)}/${keySegment(collection, key)}`),
    enabled: entry.key !== null,
    refetchOnWindowFocus: false,
  });
  const base = entry.key === null ? fresh : data?.item;
  const shown = { ...entry.shown, ...entry.edits };
  const title = entry.key === null ? text.newOf(collection.title) : renderTemplate(templateOf(collection), shown) || key;
  return (
    <ModalOverlay className="overlay side-overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="drawer">
        <Dialog className="drawer-content">
          <header className="drawer-head">
            <Heading slot="title" level={2} className="cut">
              {title}
            </Heading>
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {base === undefined ? (
            <div className="scroll">{error !== null && <p className="banner">{error.message}</p>}</div>
          ) : (
            <DrawerForm {...props} base={base} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function DrawerForm({
  collection,
  entry,
  filled,
  isReadOnly,
  refusals,
  onChange,
  onClose,
  base,
}: ItemDrawerProps & { readonly base: Item }) {
  const text = useText();
  const may = useMay();
  const [before] = useState(entry.edits);
  const [store] = useState(() => {
    // What the edited fields held is kept with the entry: undoing the save needs it.
    const keeper = entryKeeper(entry.edits, (edits, origin) => onChange({ ...entry, edits, shown: { ...origin, ...entry.shown } }));
    return new DraftStore(base, keeper, refusals);
  });
  const changes = useChangeCount(store);
  const discard = useDiscard(store, before);
  const place = useFirstFocus(true);
  const mayWrite = !isReadOnly && may(collection, entry.key === null ? 'create' : 'update');
  return (
    <>
      <div className="scroll" ref={place}>
        <Form
          collection={collection}
          itemKey={entry.key === null ? null : plainText(entry.key)}
          store={store}
          isReadOnly={!mayWrite}
          leftOut={filled === null ? [] : [filled]}
        />
      </div>
      <footer className="drawer-foot">
        <p className="hint">{text.stagedHint}</p>
        {changes > 0 && (
          <button type="button" className="button quiet" onClick={discard}>
            {text.discard}
          </button>
        )}
        <button type="button" className="button primary" onClick={onClose}>
          {text.done}
        </button>
      </footer>
    </>
  );
}

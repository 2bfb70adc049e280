// What a person should know before they go on editing: changes from an earlier visit, changes of others, edits whose field is gone, an item that they may only read.

import { useState, useSyncExternalStore } from 'react';
import { relativeText } from '../displays/show-value.js';
import { type DraftStore, useChangeCount } from '../draft/draft-store.js';
import { useDiscard } from '../form/use-discard.js';
import { useLastWriter } from '../history/use-last-writer.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useLanguage, useText } from '../text/use-text.js';
import type { Overtaken } from './use-live-item.js';

interface FormNoticesProps {
  readonly collection: Collection;
  readonly store: DraftStore;
  readonly isReadOnly: boolean;
  readonly itemKey: string | null;
  readonly overtaken: Overtaken | null;
}

export function FormNotices({ collection, store, isReadOnly, itemKey, overtaken }: FormNoticesProps) {
  const text = useText();
  return (
    <>
      {isReadOnly && <p className="banner quiet notice">{text.readOnlyHint}</p>}
      {overtaken?.kind === 'gone' && (
        <p className="banner notice amber" role="status">
          {text.itemGone}
        </p>
      )}
      {overtaken?.kind === 'changed' && <OvertakenNotice collection={collection} itemKey={itemKey} change={overtaken.change} />}
      <KeptDraftNotice store={store} />
      <OrphanNotice collection={collection} store={store} />
    </>
  );
}

interface OvertakenNoticeProps {
  readonly collection: Collection;
  readonly itemKey: string | null;
  readonly change: number;
}

function OvertakenNotice({ collection, itemKey, change }: OvertakenNoticeProps) {
  const text = useText();
  return (
    <p className="banner notice quiet" role="status">
      {text.itemOvertaken(useLastWriter(collection, itemKey, change))}
    </p>
  );
}

function KeptDraftNotice({ store }: { readonly store: DraftStore }) {
  const language = useLanguage();
  const { text } = language;
  const [isSeen, setSeen] = useState(false);
  const discard = useDiscard(store);
  const changes = useChangeCount(store);
  if (store.keptSince === null || isSeen || changes === 0) return null;
  return (
    <div className="banner quiet notice" role="status">
      <span>{text.draftKept(relativeText(language, new Date(store.keptSince)))}</span>
      <button type="button" className="button small" onClick={() => setSeen(true)}>
        {text.keepEditing}
      </button>
      <button type="button" className="button small" onClick={discard}>
        {text.discardDraft}
      </button>
    </div>
  );
}

/** Somebody removed a field while it was edited: what was typed is shown, to be copied, until the person lets it go. */
function OrphanNotice({ collection, store }: { readonly collection: Collection; readonly store: DraftStore }) {
  const text = useText();
  const edits = useSyncExternalStore(store.subscribe, () => store.edits);
  const orphans = Object.entries(edits).filter(([name]) => !collection.fieldsByName.has(name));
  if (orphans.length === 0) return null;
  const drop = () =>
    store.replace(store.base, Object.fromEntries(Object.entries(edits).filter(([name]) => collection.fieldsByName.has(name))));
  return (
    <div className="banner amber notice" role="alert">
      <div>
        <p>{text.fieldsGone}</p>
        <dl className="facts">
          {orphans.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{plainText(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <button type="button" className="button small" onClick={drop}>
        {text.dropValues}
      </button>
    </div>
  );
}

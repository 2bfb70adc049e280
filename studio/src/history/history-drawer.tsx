// The history of an item beside its form: who changed what, word by word. Old values are put into the draft, for one field or for all, and
// are saved like any other edit.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { relativeText } from '../displays/show-value.js';
import { isEqual } from '../draft/draft.js';
import { type DraftStore, useDraftValues } from '../draft/draft-store.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { isFixed } from '../schema/form-fields.js';
import type { Collection, Field, Schema } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import type { Messages } from '../text/messages.js';
import { useLanguage, useText } from '../text/use-text.js';
import { ChangeView } from './change-view.js';
import { foundAction, pageSize, type Revision, readHistory } from './revisions.js';

export interface HistoryDrawerProps {
  readonly collection: Collection;
  readonly itemKey: string;
  readonly store: DraftStore;
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

export function HistoryDrawer({ collection, itemKey, store, isReadOnly, onClose }: HistoryDrawerProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const [limit, setLimit] = useState(pageSize);
  const [chosen, setChosen] = useState<number | null>(null);
  const { data, error } = useQuery({
    queryKey: ['history', collection.name, itemKey, limit],
    queryFn: ({ signal }) => readHistory(schema, collection.name, itemKey, limit, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const revisions = data ?? [];
  const place = Math.max(
    0,
    revisions.findIndex(({ id }) => id === chosen),
  );
  const revision = revisions[place];
  return (
    <ModalOverlay className="overlay side-overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="drawer wide">
        <Dialog className="drawer-content">
          <header className="drawer-head">
            <Heading slot="title" level={2}>
              {text.history}
            </Heading>
            <button type="button" className="button quiet icon-only" aria-label={text.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {error !== null && <p className="banner">{error.message}</p>}
          {data?.length === 0 && <p className="empty">{text.noHistory}</p>}
          {revision !== undefined && (
            <div className="history">
              <ol className="timeline" aria-label={text.history}>
                {revisions.map((each) => (
                  <li key={each.id}>
                    <TimelineEntry revision={each} isChosen={each === revision} onChoose={() => setChosen(each.id)} />
                  </li>
                ))}
                {revisions.length === limit && (
                  <li>
                    <button type="button" className="button quiet small" onClick={() => setLimit(limit + pageSize)}>
                      {text.loadMore}
                    </button>
                  </li>
                )}
              </ol>
              <RevisionView
                collection={collection}
                revision={revision}
                previous={revisions[place + 1]}
                store={store}
                isReadOnly={isReadOnly}
                onDone={onClose}
              />
            </div>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

const actionText = (text: Messages, action: string): string =>
  ({ create: text.actionCreate, update: text.actionUpdate, delete: text.actionDelete, [foundAction]: text.actionFound })[action] ?? action;

interface TimelineEntryProps {
  readonly revision: Revision;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function TimelineEntry({ revision: { action, person, time }, isChosen, onChoose }: TimelineEntryProps) {
  const language = useLanguage();
  const { text } = language;
  const moment = action === foundAction ? null : new Date(time);
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose} title={moment === null ? undefined : language.dateTime.format(moment)}>
      <strong>{actionText(text, action)}</strong>
      <span className="hint">{moment === null ? text.foundHint : `${person || text.someone} · ${relativeText(language, moment)}`}</span>
    </button>
  );
}

interface RevisionViewProps {
  readonly collection: Collection;
  readonly revision: Revision;
  readonly previous: Revision | undefined;
  readonly store: DraftStore;
  readonly isReadOnly: boolean;
  readonly onDone: () => void;
}

function RevisionView({ collection, revision, previous, store, isReadOnly, onDone }: RevisionViewProps) {
  const language = useLanguage();
  const { text } = language;
  const values = useDraftValues(store);
  const columns = collection.fields.filter(({ column, name }) => column !== null && name in revision.data);
  const changed = columns.filter(({ name }) =>
    previous === undefined
      ? isNamed((revision.delta ?? revision.data)[name])
      : !isEqual(previous.data[name] ?? null, revision.data[name] ?? null),
  );
  const keyOf = keyReader(useStudio().boot.schema);
  const differs = (field: Field): boolean => !isEqual(keyOf(field, values[field.name]), revision.data[field.name] ?? null);
  const restorable = columns.filter((field) => !isFixed(field, false) && differs(field));
  const restore = (fields: readonly Field[]) => {
    for (const field of fields) {
      const [base, value] = [store.base[field.name] ?? null, revision.data[field.name] ?? null];
      // If the key is the same, sets the stored reference itself, so that it does not count as an edit.
      store.set(field.name, isEqual(keyOf(field, base), value) ? base : value);
    }
  };
  return (
    <section className="revision" aria-label={text.changes}>
      <header>
        <h3>{revision.action === foundAction ? text.foundHint : language.dateTime.format(new Date(revision.time))}</h3>
        {!isReadOnly && (
          <button
            type="button"
            className="button small"
            disabled={restorable.length === 0}
            onClick={() => {
              restore(restorable);
              showToast(text.restoredToForm);
              onDone();
            }}
          >
            <Icon name="undo" />
            {restorable.length === 0 ? text.sameAsNow : text.restoreState}
          </button>
        )}
      </header>
      {changed.length === 0 && <p className="hint">{text.nothingChanged}</p>}
      <dl>
        {changed.map((field) => (
          <div key={field.name} data-change={field.name}>
            <dt>
              {field.title}
              {!isReadOnly && !isFixed(field, false) && differs(field) && (
                <button
                  type="button"
                  className="button quiet small"
                  aria-label={`${text.useValue}: ${field.title}`}
                  onClick={() => restore([field])}
                >
                  {text.useValue}
                </button>
              )}
            </dt>
            <dd>
              <ChangeView
                field={field}
                before={previous === undefined ? undefined : (previous.data[field.name] ?? null)}
                after={revision.data[field.name] ?? null}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const isNamed = (value: unknown): boolean => value !== null && value !== undefined;

/** A form holds a referenced item with its title, history only its key. */
const keyReader =
  (schema: Schema) =>
  ({ relation }: Field, value: unknown): unknown => {
    const key = relation?.kind === 'm2o' ? schema.get(relation.related)?.key : undefined;
    if (key === undefined || key === null || typeof value !== 'object' || value === null) return value ?? null;
    return (value as Readonly<Record<string, unknown>>)[key] ?? null;
  };

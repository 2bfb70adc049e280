// Both sides changed the same fields: the person chooses per field. Everything else is merged already.

import { type FormEvent, useId } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Merge } from '../draft/draft.js';
import type { Edits } from '../draft/item.js';
import { useLastWriter } from '../history/use-last-writer.js';
import type { Collection } from '../schema/model.js';
import { plainText } from '../schema/templates.js';
import { useText } from '../text/use-text.js';

interface ConflictDialogProps {
  readonly collection: Collection;
  readonly itemKey: string | null;
  readonly merge: Merge;
  readonly onResolve: (edits: Edits | null) => void;
}

export function ConflictDialog({ collection, itemKey, merge: { edits, conflicts }, onResolve }: ConflictDialogProps) {
  const text = useText();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget);
    const dropped = new Set(conflicts.filter(({ field }) => chosen.get(field) === 'theirs').map(({ field }) => field));
    onResolve(Object.fromEntries(Object.entries(edits).filter(([field]) => !dropped.has(field))));
  };
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(open) => !open && onResolve(null)}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {text.conflict(useLastWriter(collection, itemKey))}
          </Heading>
          <p>{text.conflictHint}</p>
          <form onSubmit={submit}>
            <table className="merge">
              <thead>
                <tr>
                  <th scope="col">{text.field}</th>
                  <th scope="col">{text.mine}</th>
                  <th scope="col">{text.theirs}</th>
                </tr>
              </thead>
              <tbody>
                {conflicts.map(({ field, mine, theirs }) => (
                  <tr key={field}>
                    <th scope="row" id={`${id}-${field}`}>
                      {collection.fieldsByName.get(field)?.title ?? field}
                    </th>
                    {(
                      [
                        ['mine', mine],
                        ['theirs', theirs],
                      ] as const
                    ).map(([side, value]) => (
                      <td key={side} data-title={text[side]}>
                        <label className="switch">
                          <input
                            type="radio"
                            name={field}
                            value={side}
                            defaultChecked={side === 'mine'}
                            aria-describedby={`${id}-${field}`}
                          />
                          {plainText(value) || text.none}
                        </label>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <div className="dialog-actions">
              <button type="button" className="button" onClick={() => onResolve(null)}>
                {text.cancel}
              </button>
              <button type="submit" className="button primary">
                {text.keepChosen}
              </button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

// A version beside what is published, field by field. The chosen fields are promoted in one write.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { request } from '../api/client.js';
import { isEqual } from '../draft/draft.js';
import type { Item } from '../draft/item.js';
import { ChangeView } from '../history/change-view.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { useText } from '../text/use-text.js';
import { nameOfVersion, type Version } from './use-versions.js';

interface Comparison {
  /** Whether the item changed since the version was made. */
  readonly outdated: boolean;
  readonly mainHash: string;
  readonly current: Item;
  readonly main: Item;
}

interface CompareDialogProps {
  readonly collection: Collection;
  readonly version: Version;
  readonly onPromoted: () => void;
  readonly onClose: () => void;
}

export function CompareDialog({ collection, version, onPromoted, onClose }: CompareDialogProps) {
  const text = useText();
  const path = `/versions/${encodeURIComponent(version.id)}`;
  const { data, error } = useQuery({
    queryKey: ['comparison', version.id],
    queryFn: async ({ signal }) => (await request<Comparison>('GET', `${path}/compare`, { signal })).data,
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Modal className="dialog-frame">
        <Dialog className="dialog roomy">
          <Heading slot="title" level={2}>
            {text.compareTitle(nameOfVersion(version))}
          </Heading>
          {error !== null && <p className="banner">{error.message}</p>}
          {data !== undefined && (
            <Chooser collection={collection} comparison={data} path={path} onPromoted={onPromoted} onClose={onClose} />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ChooserProps {
  readonly collection: Collection;
  readonly comparison: Comparison;
  readonly path: string;
  readonly onPromoted: () => void;
  readonly onClose: () => void;
}

function Chooser({ collection, comparison, path, onPromoted, onClose }: ChooserProps) {
  const text = useText();
  const cache = useQueryClient();
  const { outdated, mainHash, current, main } = comparison;
  const [problem, setProblem] = useState<string | null>(null);
  const changed = collection.fields.filter(({ name, isKey }) => !isKey && name in current && !isEqual(current[name], main[name]));
  const promote = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget).getAll('field').map(String);
    try {
      await request('POST', `${path}/promote`, { body: { mainHash, fields } });
      onClose();
      onPromoted();
      await cache.invalidateQueries();
      showToast(text.promoted(fields.length));
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : text.unreachable);
    }
  };
  return (
    <form className="stack" onSubmit={promote}>
      {outdated && <p className="banner amber">{text.outdatedVersion}</p>}
      {changed.length === 0 && <p>{text.sameAsPublished}</p>}
      {changed.map((field) => (
        <div key={field.name} data-change={field.name}>
          <label className="switch">
            <input type="checkbox" name="field" value={field.name} defaultChecked />
            {field.title}
          </label>
          <ChangeView field={field} before={main[field.name] ?? null} after={current[field.name] ?? null} />
        </div>
      ))}
      {problem !== null && (
        <p className="refusal" role="alert">
          {problem}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {text.cancel}
        </button>
        <button type="submit" className="button primary" disabled={changed.length === 0}>
          {text.promote}
        </button>
      </div>
    </form>
  );
}

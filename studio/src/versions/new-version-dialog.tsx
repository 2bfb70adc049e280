// Makes a version of an item. Its key in the address follows from its name.

import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { request } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import type { Collection } from '../schema/model.js';
import { useText } from '../text/use-text.js';

interface NewVersionDialogProps {
  readonly collection: Collection;
  readonly itemKey: string;
  readonly onMade: (key: string) => void;
  readonly onClose: () => void;
}

export function NewVersionDialog({ collection, itemKey, onMade, onClose }: NewVersionDialogProps) {
  const text = useText();
  const id = useId();
  const cache = useQueryClient();
  const make = async (form: FormData) => {
    const name = String(form.get('name')).trim();
    const key = keyFrom(name);
    await request('POST', '/versions', { body: { collection: collection.name, item: itemKey, key, name } });
    await cache.invalidateQueries({ queryKey: ['versions'] });
    onMade(key);
  };
  return (
    <FormDialog title={text.newVersion} action={text.makeVersion} onSubmit={make} onClose={onClose}>
      <p>{text.newVersionHint}</p>
      <div>
        <label className="label" htmlFor={id}>
          {text.versionName}
        </label>
        <input id={id} className="input" name="name" maxLength={60} defaultValue={text.draft} required autoComplete="off" />
      </div>
    </FormDialog>
  );
}

const keyFrom = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '') || 'draft';

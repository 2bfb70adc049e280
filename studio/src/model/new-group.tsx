// A new group of fields: a part of forms without a column, so it needs no card and can be taken back.

import { request } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { showToast } from '../primitives/toasts.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { Labelled } from './fields/field-parts.js';
import { groupInterfaces } from './fields/interface-names.js';
import { NameInput, useModelText } from './model-base.js';
import { announceLayout } from './use-change-meta.js';

export function GroupDialog({ collection, onClose }: { readonly collection: Collection; readonly onClose: () => void }) {
  const text = useModelText();
  const { reload } = useStudio();
  const path = `/fields/${encodeURIComponent(collection.name)}`;
  const create = async (form: FormData) => {
    const field = String(form.get('name')).trim();
    const meta = { special: ['alias', 'no-data', 'group'], interface: String(form.get('interface')), sort: collection.fields.length + 1 };
    await request('POST', path, { body: { field, type: 'alias', schema: null, meta } });
    await reload();
    const undo = async () => {
      await request('DELETE', `${path}/${encodeURIComponent(field)}`);
      await reload();
    };
    announceLayout(text.groupMade(field), text.undo, () => void undo().catch((error: Error) => showToast(error.message)));
  };
  return (
    <FormDialog title={text.newGroup} action={text.makeGroup} onSubmit={create} onClose={onClose}>
      <Labelled title={text.name} hint={text.nameHint}>
        {(id) => <NameInput id={id} name="name" required aria-describedby={`${id}-hint`} />}
      </Labelled>
      <Labelled title={text.groupKind}>
        {(id) => (
          <select id={id} name="interface" className="input" defaultValue="group-detail">
            {groupInterfaces.map((name) => (
              <option key={name} value={name}>
                {text.groupKinds[name]}
              </option>
            ))}
          </select>
        )}
      </Labelled>
    </FormDialog>
  );
}

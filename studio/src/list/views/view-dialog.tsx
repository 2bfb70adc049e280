// Names a view and says who sees it.

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { ApiError, request } from '../../api/client.js';
import { showToast } from '../../primitives/toasts.js';
import { mayAll } from '../../schema/permissions.js';
import type { Preset } from '../../schema/preset.js';
import { useStudio } from '../../studio-context.js';
import { useText } from '../../text/use-text.js';
import type { Audience } from './presets.js';

interface ViewDialogProps {
  /** Undefined: a new view. */
  readonly renamed: Preset | undefined;
  readonly onSubmit: (name: string, audience: Audience, role: string | null) => Promise<void>;
  readonly onClose: () => void;
}

interface Role {
  readonly id: string;
  readonly name: string;
}

export function ViewDialog({ renamed, onSubmit, onClose }: ViewDialogProps) {
  const text = useText();
  const [audience, setAudience] = useState<Audience>('own');
  const [refusal, setRefusal] = useState<string | null>(null);
  const mayShare = mayAll(useStudio().boot.permissions, 'presets', 'create');
  const { data: roles = [] } = useQuery({
    queryKey: ['roles'],
    queryFn: async () => (await request<readonly Role[]>('GET', '/roles', { query: { fields: 'id,name', limit: -1, sort: 'name' } })).data,
    enabled: audience === 'role',
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    try {
      await onSubmit(String(form.get('name') ?? '').trim(), audience, audience === 'role' ? String(form.get('role') ?? '') : null);
      showToast(text.list.viewSaved);
      onClose();
    } catch (error) {
      setRefusal(error instanceof ApiError && error.status > 0 ? error.message : text.unreachable);
    }
  };
  return (
    <ModalOverlay className="overlay" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal>
        <Dialog className="dialog">
          <Heading slot="title" level={2}>
            {renamed === undefined ? text.list.newView : text.list.renameView}
          </Heading>
          <form onSubmit={submit} className="stack">
            <div>
              <label className="label" htmlFor="view-name">
                {text.list.viewName}
              </label>
              <input
                id="view-name"
                name="name"
                className="input"
                required
                maxLength={255}
                autoFocus
                defaultValue={renamed?.bookmark ?? ''}
              />
            </div>
            {renamed === undefined && mayShare && (
              <fieldset className="plain-set">
                <legend className="label">{text.list.forWhom}</legend>
                {(['own', 'role', 'all'] as const).map((each) => (
                  <label key={each} className="switch radio">
                    <input type="radio" name="audience" value={each} checked={audience === each} onChange={() => setAudience(each)} />
                    {text.list.forAudience[each]}
                  </label>
                ))}
              </fieldset>
            )}
            {audience === 'role' && (
              <div>
                <label className="label" htmlFor="view-role">
                  {text.list.role}
                </label>
                <select id="view-role" name="role" className="input" required>
                  {roles.map((role) => (
                    <option key={role.id} value={role.id}>
                      {role.name}
                    </option>
                  ))}
                </select>
              </div>
            )}
            {refusal !== null && (
              <p className="refusal" role="alert">
                {refusal}
              </p>
            )}
            <div className="dialog-actions">
              <button type="button" className="button" onClick={onClose}>
                {text.cancel}
              </button>
              <button type="submit" className="button primary">
                {text.list.saveAsView}
              </button>
            </div>
          </form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

// The static token of a person. It is made here, shown once, and kept by the service as a digest only.

import { useState } from 'react';
import { randomKey, request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useAccessText } from './access-data.js';
import { Part, useAct } from './person-parts.js';

export function TokenPart({ person }: { readonly person: { readonly id: string; readonly token: string | null } }) {
  const access = useAccessText();
  const act = useAct();
  const [asks, setAsks] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const path = `/users/${person.id}`;
  const make = async () => {
    setAsks(false);
    const token = randomKey() + randomKey();
    if (await act(() => request('PATCH', path, { body: { token } }), access.saveDone)) setShown(token);
  };
  const remove = async () => {
    setShown(null);
    await act(() => request('PATCH', path, { body: { token: null } }), access.tokenRemoved);
  };
  const copy = async () => {
    await navigator.clipboard.writeText(shown ?? '');
    showToast(access.copied);
  };
  return (
    <Part title={access.token}>
      {shown !== null ? (
        <div className="shown-token" role="status">
          <p>{access.tokenShown}</p>
          <div className="token-row">
            <input className="input code" readOnly aria-label={access.token} value={shown} onFocus={(event) => event.target.select()} />
            <button type="button" className="button" onClick={copy}>
              <Icon name="copy" />
              {access.copy}
            </button>
          </div>
        </div>
      ) : (
        <p className="hint">{person.token === null ? access.noToken : access.hasToken}</p>
      )}
      <div className="link-row">
        <button type="button" className="button small" onClick={() => (person.token === null ? make() : setAsks(true))}>
          {person.token === null ? access.newToken : access.replaceToken}
        </button>
        {person.token !== null && (
          <button type="button" className="button small" onClick={remove}>
            {access.removeToken}
          </button>
        )}
      </div>
      {asks && (
        <ConfirmDialog
          title={access.replaceTokenAsk}
          hint={access.replaceTokenHint}
          action={access.replaceToken}
          onConfirm={make}
          onCancel={() => setAsks(false)}
        />
      )}
    </Part>
  );
}

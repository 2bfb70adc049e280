// One's own access keys: making one, whose token is shown once, and revoking one.

import { useState } from 'react';
import { useAccessText } from '../access/access-data.js';
import { RevokeButton, RevokeDialog } from '../access/all-keys.js';
import { type AccessKey, KeyList } from '../access/key-list.js';
import { Part } from '../access/person-parts.js';
import { request } from '../api/client.js';
import { Icon } from '../primitives/icon.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { showToast } from '../primitives/toasts.js';
import { useTask } from './account-data.js';
import { MakeKeyDialog } from './make-key-dialog.js';

export function KeysPart({ keys }: { readonly keys: readonly AccessKey[] }) {
  const { accessKeys } = useAccessText();
  const { run, refusal } = useTask();
  const [isMaking, setMaking] = useState(false);
  const [token, setToken] = useState<string | null>(null);
  const [asked, setAsked] = useState<AccessKey | null>(null);
  return (
    <Part title={accessKeys.title} hint={accessKeys.hint}>
      {keys.length === 0 ? (
        <p className="hint">{accessKeys.none}</p>
      ) : (
        <KeyList keys={keys}>{(key) => <RevokeButton accessKey={key} onAsk={setAsked} />}</KeyList>
      )}
      <RefusalText text={refusal} />
      {token !== null && <ShownToken token={token} onClose={() => setToken(null)} />}
      <button type="button" className="button small" onClick={() => setMaking(true)}>
        {accessKeys.make}
      </button>
      {isMaking && <MakeKeyDialog onMade={setToken} onClose={() => setMaking(false)} />}
      {asked !== null && (
        <RevokeDialog
          accessKey={asked}
          onRevoke={() => {
            setToken(null);
            void run(() => request('DELETE', `/users/me/keys/${asked.id}`), accessKeys.revoked);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Part>
  );
}

function ShownToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  const { accessKeys, copy, copied } = useAccessText();
  const copyToken = async () => {
    await navigator.clipboard.writeText(token);
    showToast(copied);
  };
  return (
    <div className="shown-token" role="status">
      <p>{accessKeys.shown}</p>
      <div className="token-row">
        <input className="input code" readOnly aria-label={accessKeys.token} value={token} onFocus={(event) => event.target.select()} />
        <button type="button" className="button" onClick={copyToken}>
          <Icon name="copy" />
          {copy}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {accessKeys.done}
        </button>
      </div>
    </div>
  );
}

// One's own passkeys: adding, renaming, removing. The password is asked for when the service wants it.

import { useState } from 'react';
import { useAccessText, useRefreshAccess } from '../access/access-data.js';
import { browserName, Part, type Passkey, PasskeyList } from '../access/person-parts.js';
import { ApiError, request } from '../api/client.js';
import { addPasskey, hasPasskeys, isKnownHere, wasCancelled } from '../api/passkeys.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { showToast } from '../primitives/toasts.js';
import { Labelled, PasswordInput } from '../session/sign-in-parts.js';
import { useText } from '../text/use-text.js';
import { useAccountText, useTask } from './account-data.js';

type Asked = { readonly kind: 'add' } | { readonly kind: 'rename' | 'remove'; readonly passkey: Passkey } | null;

export function PasskeysPart({ passkeys, isOn }: { readonly passkeys: readonly Passkey[]; readonly isOn: boolean }) {
  const own = useAccountText();
  const access = useAccessText();
  const text = useText();
  const refresh = useRefreshAccess();
  const { run, refusal } = useTask();
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  const pathOf = ({ id }: Passkey) => `/users/me/passkeys/${id}`;
  const obstacle = isOn ? (hasPasskeys() ? null : own.passkeysNeedBrowser) : own.passkeysNeedAddress;
  return (
    <Part title={own.passkeys} hint={own.passkeysHint}>
      {passkeys.length === 0 ? (
        <p className="hint">{own.noPasskeys}</p>
      ) : (
        <PasskeyList passkeys={passkeys}>
          {(passkey) => (
            <div className="link-row">
              <button
                type="button"
                className="button small"
                aria-label={own.renamePasskey(passkey.name)}
                onClick={() => setAsked({ kind: 'rename', passkey })}
              >
                {own.rename}
              </button>
              <button
                type="button"
                className="button small"
                aria-label={access.removePasskey(passkey.name)}
                onClick={() => setAsked({ kind: 'remove', passkey })}
              >
                {text.delete}
              </button>
            </div>
          )}
        </PasskeyList>
      )}
      <RefusalText text={refusal} />
      {obstacle === null ? (
        <button type="button" className="button small" onClick={() => setAsked({ kind: 'add' })}>
          {own.addPasskey}
        </button>
      ) : (
        <p className="hint">{obstacle}</p>
      )}
      {asked?.kind === 'add' && <AddDialog onClose={close} />}
      {asked?.kind === 'rename' && (
        <FormDialog
          title={own.renamePasskey(asked.passkey.name)}
          action={own.rename}
          onClose={close}
          onSubmit={async (form) => {
            await request('PATCH', pathOf(asked.passkey), { body: { name: String(form.get('name')).trim() } });
            showToast(own.renamed);
            await refresh();
          }}
        >
          <Labelled label={own.passkeyName} name="name" defaultValue={asked.passkey.name} maxLength={100} required />
        </FormDialog>
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          title={access.removePasskeyAsk(asked.passkey.name)}
          hint={access.removePasskeyHint}
          action={text.delete}
          onConfirm={() => {
            close();
            void run(() => request('DELETE', pathOf(asked.passkey)), access.passkeyRemoved);
          }}
          onCancel={close}
        />
      )}
    </Part>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const own = useAccountText();
  const text = useText();
  const refresh = useRefreshAccess();
  const [asksPassword, setAsksPassword] = useState(false);
  const submit = async (form: FormData) => {
    const name = String(form.get('name')).trim();
    try {
      await addPasskey(name, asksPassword ? String(form.get('password')) : null);
    } catch (error) {
      if (wasCancelled(error)) throw new ApiError(400, [{ message: own.passkeyCancelled, extensions: { code: 'INVALID_PAYLOAD' } }]);
      if (isKnownHere(error)) throw new ApiError(400, [{ message: own.passkeyKnown, extensions: { code: 'INVALID_PAYLOAD' } }]);
      if (error instanceof ApiError && error.code === 'FORBIDDEN' && !asksPassword) {
        setAsksPassword(true);
        throw new ApiError(403, [{ message: own.passwordToAdd, extensions: { code: 'FORBIDDEN' } }]);
      }
      throw error;
    }
    showToast(own.passkeyAdded(name));
    await refresh();
  };
  return (
    <FormDialog title={own.addPasskey} action={own.add} onSubmit={submit} onClose={onClose}>
      <Labelled
        label={own.passkeyName}
        hint={own.passkeyNameHint}
        name="name"
        defaultValue={browserName(navigator.userAgent)}
        maxLength={100}
        required
      />
      {asksPassword && <PasswordInput label={text.password} refused={false} autoFocus />}
    </FormDialog>
  );
}

// The providers by which one signs in to the own account: linking another leads there and back, unlinking the last way in is refused.

import { useEffect, useState } from 'react';
import { type Identity, IdentityList, Part } from '../access/person-parts.js';
import type { Provider } from '../api/boot.js';
import { ApiError, request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { readFailure, spendFailure } from '../session/entry.js';
import { takesPassword } from '../session/providers.js';
import { PasswordInput } from '../session/sign-in-parts.js';
import { useText } from '../text/use-text.js';
import { useAccountText, useTask } from './account-data.js';

interface IdentitiesProps {
  readonly identities: readonly Identity[];
  readonly providers: readonly Provider[];
  /** Without a password, linking an identity needs a recent login. */
  readonly hasPassword: boolean;
}

export function IdentitiesPart({ identities, providers, hasPassword }: IdentitiesProps) {
  const own = useAccountText();
  const text = useText();
  const { run, refusal } = useTask();
  const [asked, setAsked] = useState<Identity | null>(null);
  const [proved, setProved] = useState<Provider | null>(null);
  const [failure] = useState(readFailure);
  // Not while it renders: the page begins anew when its texts have arrived.
  useEffect(spendFailure, []);
  const labelOf = (name: string): string => providers.find((provider) => provider.name === name)?.label ?? name;
  const open = providers.filter(
    (provider) => !takesPassword(provider) && !identities.some((identity) => identity.provider === provider.name),
  );
  const go = async ({ name: provider }: Provider, more: { readonly password?: string }) => {
    const body = { provider, redirect: location.pathname, ...more };
    const { data } = await request<string>('POST', '/users/me/identities', { body });
    location.assign(data);
  };
  /** Asks for the password if the login was not recent enough. */
  const link = async (provider: Provider) => {
    try {
      await go(provider, {});
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'FORBIDDEN')) throw error;
      if (!hasPassword) throw new ApiError(403, [{ message: own.signInToLink, extensions: { code: 'FORBIDDEN' } }]);
      setProved(provider);
    }
  };
  return (
    <Part title={own.providers} hint={own.providersHint}>
      {identities.length === 0 ? (
        <p className="hint">{own.noProviders}</p>
      ) : (
        <IdentityList identities={identities} labelOf={labelOf}>
          {(identity) => (
            <button
              type="button"
              className="button small"
              aria-label={own.unlinkFrom(labelOf(identity.provider))}
              onClick={() => setAsked(identity)}
            >
              {own.unlink}
            </button>
          )}
        </IdentityList>
      )}
      <RefusalText text={refusal ?? (failure === null ? null : own.linkFailed)} />
      <div className="link-row">
        {open.map((provider) => (
          <button key={provider.name} type="button" className="button small" onClick={() => void run(() => link(provider), null)}>
            {own.link(provider.label)}
          </button>
        ))}
      </div>
      {proved !== null && (
        <FormDialog
          title={own.link(proved.label)}
          action={own.goOn}
          onSubmit={(form) => go(proved, { password: String(form.get('password')) })}
          onClose={() => setProved(null)}
        >
          <p>{own.passwordToAdd}</p>
          <PasswordInput label={text.password} refused={false} />
        </FormDialog>
      )}
      {asked !== null && (
        <ConfirmDialog
          title={own.unlinkAsk(labelOf(asked.provider))}
          hint={own.unlinkHint}
          action={own.unlink}
          onConfirm={() => {
            setAsked(null);
            void run(() => request('DELETE', `/users/me/identities/${asked.id}`), own.unlinked);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </Part>
  );
}

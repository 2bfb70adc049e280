// One's own account: the profile, and every way into it.

import { Failed } from '../access/access-head.js';
import { Part, PartLevel, SessionList } from '../access/person-parts.js';
import { TokenPart } from '../access/token-part.js';
import { request } from '../api/client.js';
import { PageHead } from '../frame/page-head.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { fieldsFor } from '../schema/permissions.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { type OwnAccount, requestOfAccount, useAccount, useAccountText, useTask } from './account-data.js';
import { IdentitiesPart } from './identities-part.js';
import { KeysPart } from './keys-part.js';
import { PasskeysPart } from './passkeys-part.js';
import { PasswordPart, ProfilePart } from './profile-part.js';
import { SecondFactorPart } from './second-factor-part.js';
import './account.css';

export function AccountPage() {
  const text = useText();
  const { boot } = useStudio();
  const { data, error } = useAccount();
  return (
    <>
      <PageHead title={text.ownAccount} request={requestOfAccount(boot)} />
      <div className="account-page">
        <Failed error={error} />
        {data !== undefined && <Parts account={data} />}
      </div>
    </>
  );
}

function Parts({ account }: { readonly account: OwnAccount }) {
  const { boot } = useStudio();
  const { me, identities, passkeys, providers } = account;
  const mayChange = fieldsFor(boot.permissions, 'users', 'update');
  const isOurs = (me.provider ?? 'default') === 'default' && !providers.disableDefault;
  return (
    <PartLevel value={2}>
      <ProfilePart me={me} mayChange={mayChange} />
      {isOurs && mayChange('password') && <PasswordPart me={me} />}
      {isOurs && <PasskeysPart passkeys={passkeys} isOn={providers.passkeys} />}
      <SecondFactorPart isOn={(me.tfa_secret ?? null) !== null} hasPassword={me.password !== null} />
      {(identities.length > 0 || providers.data.some(({ driver }) => driver !== 'local')) && (
        <IdentitiesPart identities={identities} providers={providers.data} hasPassword={isOurs && me.password !== null} />
      )}
      <SessionsPart account={account} />
      <KeysPart keys={account.keys} />
      {mayChange('token') && <TokenPart person={{ id: me.id, token: me.token ?? null }} />}
    </PartLevel>
  );
}

function SessionsPart({ account: { sessions } }: { readonly account: OwnAccount }) {
  const own = useAccountText();
  const { run, refusal } = useTask();
  return (
    <Part title={own.sessions} hint={own.sessionsHint}>
      <SessionList sessions={sessions} />
      <RefusalText text={refusal} />
      {sessions.some(({ current }) => !current) && (
        <button
          type="button"
          className="button small"
          onClick={() => run(() => request('POST', '/users/me/sessions/end', { body: { keep: true } }), own.othersEnded)}
        >
          {own.endOthers}
        </button>
      )}
    </Part>
  );
}

/** The refusal of an action, shown beside it until the next attempt. */

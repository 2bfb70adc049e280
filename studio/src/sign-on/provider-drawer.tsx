// Adding or changing a provider: what it speaks, what it needs, the address it has to know, and a try before it is kept. Secrets are written only.

import { type FormEvent, useId, useRef, useState } from 'react';
import { ApiError, request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { Address } from './address.js';
import { type Driver, drivers, fieldsOf, nameFrom, readForm, type SettingField } from './provider-fields.js';
import { SettingInput } from './setting-input.js';
import { type KeptProvider, type SignOn, type Trial, useRefreshSignOn, useSignOnText } from './sign-on-data.js';
import { TrialResult } from './trial-result.js';

interface DrawerProps {
  /** null: a new one. */
  readonly provider: KeptProvider | null;
  readonly signOn: SignOn;
  readonly onClose: () => void;
}

/** By the names of the settings; what belongs to none of them is under ''. */
type Problems = Readonly<Record<string, string>>;

export function ProviderDrawer({ provider, signOn, onClose }: DrawerProps) {
  const own = useSignOnText();
  const refresh = useRefreshSignOn();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const [driver, setDriver] = useState<Driver>(driverOf(provider));
  const [label, setLabel] = useState(provider?.settings['LABEL'] ?? '');
  const [typedName, setTypedName] = useState<string | null>(null);
  const [asksRemoval, setAsksRemoval] = useState(false);
  const name = provider?.name ?? typedName ?? nameFrom(label);
  const { problems, trial, isBusy, attempt, setTrial } = useAttempt();
  const read = () => readForm(new FormData(form.current ?? undefined), driver);
  const tryIt = () =>
    attempt(async () => {
      const body = { name, settings: read(), ...(provider === null ? { driver } : {}) };
      setTrial((await request<Trial>('POST', '/auth/providers/try', { body })).data);
    });
  const save = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      if (provider === null) await request('POST', '/auth/providers', { body: { name, driver, settings: read() } });
      else await request('PATCH', `/auth/providers/${name}`, { body: { settings: read() } });
      showToast(provider === null ? own.added : own.saved);
      await refresh();
      onClose();
    });
  };
  const remove = () => {
    setAsksRemoval(false);
    void attempt(async () => {
      await request('DELETE', `/auth/providers/${name}`);
      showToast(own.removed);
      await refresh();
      onClose();
    });
  };
  return (
    <SideDrawer
      title={provider?.label ?? own.add}
      onClose={onClose}
      foot={
        <>
          {provider !== null && (
            <button type="button" className="button quiet at-start" onClick={() => setAsksRemoval(true)}>
              {own.remove}
            </button>
          )}
          <button type="button" className="button" disabled={isBusy || name === ''} onClick={() => void tryIt()}>
            {isBusy ? own.trying : own.tryIt}
          </button>
          <button type="submit" form={formId} className="button primary" disabled={isBusy}>
            {provider === null ? own.add : own.save}
          </button>
        </>
      }
    >
      <form id={formId} ref={form} onSubmit={save} className="provider-form">
        {provider === null && <KindChoice driver={driver} onChange={setDriver} />}
        <NamePart
          label={label}
          name={name}
          isNew={provider === null}
          problem={problems['LABEL']}
          onLabel={setLabel}
          onName={(typed) => setTypedName(typed)}
        />
        <Addresses base={signOn.auth_kept_providers.public_url} driver={driver} name={name} />
        <Settings key={driver} driver={driver} provider={provider} roles={signOn.roles} problems={problems} />
        {problems[''] !== undefined && (
          <p className="refusal" role="alert">
            {problems['']}
          </p>
        )}
        {trial !== null && <TrialResult trial={trial} />}
      </form>
      {asksRemoval && (
        <ConfirmDialog
          title={own.removeAsk(provider?.label ?? name)}
          hint={own.removeHint}
          action={own.remove}
          onConfirm={remove}
          onCancel={() => setAsksRemoval(false)}
        />
      )}
    </SideDrawer>
  );
}

const driverOf = (provider: KeptProvider | null): Driver => drivers.find((driver) => driver === provider?.driver) ?? 'openid';

function useAttempt() {
  const text = useText();
  const [problems, setProblems] = useState<Problems>({});
  const [trial, setTrial] = useState<Trial | null>(null);
  const [isBusy, setBusy] = useState(false);
  const attempt = async (act: () => Promise<void>) => {
    setBusy(true);
    setProblems({});
    setTrial(null);
    try {
      await act();
    } catch (error) {
      setProblems(error instanceof ApiError && error.status > 0 ? problemsIn(error) : { '': text.unreachable });
    } finally {
      setBusy(false);
    }
  };
  return { problems, trial, isBusy, attempt, setTrial };
}

/** The service says `NAME: why`, a line for each setting. */
function problemsIn({ entries, message }: ApiError): Problems {
  const lines = entries[0]?.extensions.problems ?? [];
  if (lines.length === 0) return { '': message };
  const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const);
  return { ...Object.fromEntries(pairs), '': lines.join('. ') };
}

function KindChoice({ driver, onChange }: { readonly driver: Driver; readonly onChange: (driver: Driver) => void }) {
  const own = useSignOnText();
  return (
    <fieldset className="plain-set">
      <legend className="label">{own.kind}</legend>
      <div className="kind-choice">
        {drivers.map((each) => (
          <label key={each} className="kind-card">
            <input type="radio" name="driver" value={each} checked={driver === each} onChange={() => onChange(each)} />
            <span>
              <strong>{own.kinds[each]}</strong>
              <span className="hint">{own.kindHints[each]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface NamePartProps {
  readonly label: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly problem: string | undefined;
  readonly onLabel: (label: string) => void;
  readonly onName: (name: string) => void;
}

function NamePart({ label, name, isNew, problem, onLabel, onName }: NamePartProps) {
  const own = useSignOnText();
  const id = useId();
  return (
    <div className="provider-pair">
      <div>
        <label className="label" htmlFor={`${id}-label`}>
          {own.label}
        </label>
        <input
          id={`${id}-label`}
          name="LABEL"
          className="input"
          autoComplete="off"
          required={isNew}
          maxLength={100}
          value={label}
          aria-describedby={`${id}-label-hint`}
          onChange={(event) => onLabel(event.target.value)}
        />
        <p className="hint" id={`${id}-label-hint`}>
          {problem ?? own.labelHint(label === '' ? '…' : label)}
        </p>
      </div>
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {own.name}
        </label>
        <input
          id={`${id}-name`}
          className="input code"
          autoComplete="off"
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          readOnly={!isNew}
          value={name}
          aria-describedby={`${id}-name-hint`}
          onChange={(event) => onName(event.target.value)}
        />
        <p className="hint" id={`${id}-name-hint`}>
          {own.nameHint}
        </p>
      </div>
    </div>
  );
}

interface AddressesProps {
  readonly base: string;
  readonly driver: Driver;
  readonly name: string;
}

function Addresses({ base, driver, name }: AddressesProps) {
  const own = useSignOnText();
  if (driver === 'ldap') return null;
  const at = `${base}/auth/login/${name === '' ? '…' : name}`;
  return (
    <>
      <Address title={own.callback} hint={own.callbackHint} value={`${at}/${driver === 'saml' ? 'acs' : 'callback'}`} />
      {driver === 'saml' && <Address title={own.metadata} value={`${at}/metadata`} />}
    </>
  );
}

interface SettingsProps {
  readonly driver: Driver;
  readonly provider: KeptProvider | null;
  readonly roles: SignOn['roles'];
  readonly problems: Problems;
}

function Settings({ driver, provider, roles, problems }: SettingsProps) {
  const own = useSignOnText();
  const { connection, people, more } = fieldsOf[driver];
  const show = (field: SettingField) => (
    <SettingInput key={field.name} field={field} value={provider?.settings[field.name]} problem={problems[field.name]} roles={roles} />
  );
  const isSet = more.some(({ name }) => provider?.settings[name] !== undefined || problems[name] !== undefined);
  return (
    <>
      <fieldset className="plain-set provider-part">
        <legend>{own.connection}</legend>
        {connection.map(show)}
      </fieldset>
      <fieldset className="plain-set provider-part">
        <legend>{own.people}</legend>
        {people.map(show)}
      </fieldset>
      <details className="provider-more" open={isSet}>
        <summary>{own.more}</summary>
        <div className="provider-part">{more.map(show)}</div>
      </details>
    </>
  );
}

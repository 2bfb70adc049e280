// Name, address, language, appearance, and whether notifications come by mail; the password. What the person may not change is shown and greyed out.

import { type FormEvent, useId, useState } from 'react';
import { useAccessText, useRefreshAccess } from '../access/access-data.js';
import { Part } from '../access/person-parts.js';
import { request } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { RefusalText } from '../primitives/refusal-text.js';
import { showToast } from '../primitives/toasts.js';
import { PasswordInput } from '../session/sign-in-parts.js';
import { useStudio } from '../studio-context.js';
import { spoken } from '../text/language-names.js';
import { useText } from '../text/use-text.js';
import { type Me, useAccountText, useTask } from './account-data.js';

interface ProfileProps {
  readonly me: Me;
  readonly mayChange: (field: string) => boolean;
}

const texts = ['first_name', 'last_name', 'email'] as const;
const chosen = ['language', 'appearance'] as const;
const mails = 'email_notifications';

export function ProfilePart({ me, mayChange }: ProfileProps) {
  const own = useAccountText();
  const { reload } = useStudio();
  const { run, refusal } = useTask();
  const fields = [...texts, ...chosen, mails] as const;
  const open = fields.filter(mayChange);
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string): string | boolean | null =>
      name === mails ? form.has(mails) : String(form.get(name) ?? '').trim() || null;
    const body = Object.fromEntries(open.filter((name) => read(name) !== (me[name] ?? null)).map((name) => [name, read(name)]));
    const changes = Object.keys(body).length > 0;
    const done = await run(async () => changes && (await request('PATCH', '/users/me', { body, query: { fields: 'id' } })), own.saved);
    if (done && changes) reload();
  };
  return (
    <Part title={own.profile} {...(open.length < fields.length ? { hint: own.profileHint } : {})}>
      <form onSubmit={(event) => void save(event)} className="person-form account-form">
        <Texts me={me} mayChange={mayChange} />
        <Choices me={me} mayChange={mayChange} />
        <label className="switch whole">
          <input type="checkbox" name={mails} defaultChecked={me[mails] ?? false} disabled={!mayChange(mails)} />
          {own.mailNotifications}
        </label>
        <div className="whole account-save">
          <RefusalText text={refusal} />
          <button type="submit" className="button primary" disabled={open.length === 0}>
            {own.save}
          </button>
        </div>
      </form>
    </Part>
  );
}

function Texts({ me, mayChange }: ProfileProps) {
  const access = useAccessText();
  const text = useText();
  const id = useId();
  const titles = { first_name: access.firstName, last_name: access.lastName, email: text.email };
  const fillIn = { first_name: 'given-name', last_name: 'family-name', email: 'email' };
  return texts.map((name) => (
    <div key={name} className={name === 'email' ? 'whole' : ''}>
      <label className="label" htmlFor={`${id}-${name}`}>
        {titles[name]}
      </label>
      <input
        id={`${id}-${name}`}
        name={name}
        className="input"
        type={name === 'email' ? 'email' : 'text'}
        autoComplete={fillIn[name]}
        maxLength={name === 'email' ? 128 : 50}
        disabled={!mayChange(name)}
        defaultValue={me[name] ?? ''}
      />
    </div>
  ));
}

function Choices({ me, mayChange }: ProfileProps) {
  const own = useAccountText();
  const id = useId();
  const languages = { ...spoken, ...(me.language && !(me.language in spoken) && { [me.language]: me.language }) };
  return (
    <>
      <div>
        <label className="label" htmlFor={`${id}-language`}>
          {own.language}
        </label>
        <select id={`${id}-language`} name="language" className="input" disabled={!mayChange('language')} defaultValue={me.language ?? ''}>
          <option value="">{own.projectLanguage}</option>
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label className="label" htmlFor={`${id}-appearance`}>
          {own.appearance}
        </label>
        <select
          id={`${id}-appearance`}
          name="appearance"
          className="input"
          disabled={!mayChange('appearance')}
          defaultValue={me.appearance === 'light' || me.appearance === 'dark' ? me.appearance : ''}
        >
          <option value="">{own.appearances.auto}</option>
          <option value="light">{own.appearances.light}</option>
          <option value="dark">{own.appearances.dark}</option>
        </select>
      </div>
    </>
  );
}

export function PasswordPart({ me }: { readonly me: Me }) {
  const own = useAccountText();
  const text = useText();
  const [asks, setAsks] = useState(false);
  const refresh = useRefreshAccess();
  const hasPassword = me.password !== null;
  return (
    <Part title={own.password}>
      {!hasPassword && <p className="hint">{own.noPassword}</p>}
      <button type="button" className="button small" onClick={() => setAsks(true)}>
        {hasPassword ? own.changePassword : own.choosePassword}
      </button>
      {asks && (
        <FormDialog
          title={hasPassword ? own.changePassword : own.choosePassword}
          action={text.savePassword}
          onClose={() => setAsks(false)}
          onSubmit={async (form) => {
            await request('PATCH', '/users/me', { body: { password: String(form.get('password')) }, query: { fields: 'id' } });
            showToast(own.passwordSaved);
            await refresh();
          }}
        >
          <p className="hint">{own.passwordHint}</p>
          <PasswordInput label={text.newPassword} refused={false} isNew />
          {/* For password managers. */}
          <input type="hidden" autoComplete="username" name="username" value={me.email ?? ''} />
        </FormDialog>
      )}
    </Part>
  );
}

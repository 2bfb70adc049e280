// One person: their account, role and policies, how they sign in, and where they are signed in.

import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { graphql, request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { useSeeAs } from '../see-as/use-see-as.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { type Link, type Named, type Person as PersonFacts, personName, useAccessText } from './access-data.js';
import { Failed, Status } from './access-head.js';
import { type Identity, IdentityList, Part, type Passkey, PasskeyList, type Session, SessionList, useAct } from './person-parts.js';
import { PolicyChips } from './policy-chips.js';
import { TokenPart } from './token-part.js';

interface Person extends PersonFacts {
  readonly status: string;
  readonly role: Named | null;
  /** Concealed: asterisks where there is one. */
  readonly tfa_secret: string | null;
  readonly token: string | null;
  readonly policies: readonly Link[];
}

interface PersonAnswer {
  readonly users: readonly Person[];
  readonly roles: readonly Named[];
  readonly all: readonly Named[];
  readonly users_sessions: readonly Session[];
  readonly users_identities: readonly Identity[];
  readonly users_passkeys: readonly Passkey[];
}

const personQuery = (id: string): string => `{
  users(limit: 1, filter: { id: { _eq: ${JSON.stringify(id)} } }) {
    id first_name last_name email status tfa_secret token role { id name } policies(limit: -1) { id policy { id name } }
  }
  roles(limit: -1, sort: ["name"]) { id name }
  all: policies(limit: -1, sort: ["name"]) { id name }
  users_sessions(id: ${JSON.stringify(id)}) { created ip user_agent current }
  users_identities(id: ${JSON.stringify(id)}) { id provider email last_used }
  users_passkeys(id: ${JSON.stringify(id)}) { id name created last_used }
}`;

export function PersonDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const access = useAccessText();
  const { data, error } = useQuery({
    queryKey: ['access', 'person', id],
    queryFn: () => graphql<PersonAnswer>(personQuery(id)),
    refetchOnWindowFocus: false,
  });
  const person = data?.users[0];
  return (
    <SideDrawer title={person === undefined ? access.people : personName(person)} onClose={onClose}>
      <Failed error={error} />
      {data !== undefined && person === undefined && <p>{access.personGone}</p>}
      {data !== undefined && person !== undefined && <Details person={person} answer={data} onClose={onClose} />}
    </SideDrawer>
  );
}

interface DetailsProps {
  readonly person: Person;
  readonly answer: PersonAnswer;
  readonly onClose: () => void;
}

function Details({ person, answer, onClose }: DetailsProps) {
  const access = useAccessText();
  const seeAs = useSeeAs();
  const { me } = useStudio().boot;
  const name = personName(person);
  return (
    <div className="person-parts">
      <div className="link-row">
        <Status status={person.status} />
        {person.id !== me.id && person.status === 'active' && (
          <button type="button" className="button small" onClick={() => seeAs({ target: `user:${person.id}`, name }, '/')}>
            <Icon name="eye" />
            {access.seeAsPerson(name)}
          </button>
        )}
      </div>
      <AccountForm person={person} roles={answer.roles} />
      <Part title={access.ownPolicies} hint={access.ownPoliciesHint}>
        <PolicyChips owner={name} to={{ user: person.id }} links={person.policies} policies={answer.all} none={access.noOwnPolicies} />
      </Part>
      <SignIn person={person} />
      <Passkeys person={person} passkeys={answer.users_passkeys} />
      {answer.users_identities.length > 0 && (
        <Part title={access.identities}>
          <IdentityList identities={answer.users_identities} />
        </Part>
      )}
      <TokenPart person={person} />
      <Sessions person={person} sessions={answer.users_sessions} />
      {person.id !== me.id && <Standing person={person} onClose={onClose} />}
    </div>
  );
}

function AccountForm({ person, roles }: { readonly person: Person; readonly roles: readonly Named[] }) {
  const access = useAccessText();
  const text = useText();
  const id = useId();
  const act = useAct();
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string): string | null => String(form.get(name)).trim() || null;
    const body = { first_name: read('first_name'), last_name: read('last_name'), email: read('email'), role: read('role') };
    void act(() => request('PATCH', `/users/${person.id}`, { body }), access.saveDone);
  };
  return (
    <form onSubmit={save} className="person-form">
      {(['first_name', 'last_name', 'email'] as const).map((name) => (
        <div key={name} className={name === 'email' ? 'whole' : ''}>
          <label className="label" htmlFor={`${id}-${name}`}>
            {name === 'email' ? text.email : name === 'first_name' ? access.firstName : access.lastName}
          </label>
          <input
            id={`${id}-${name}`}
            name={name}
            className="input"
            type={name === 'email' ? 'email' : 'text'}
            autoComplete="off"
            maxLength={name === 'email' ? 128 : 50}
            defaultValue={person[name] ?? ''}
          />
        </div>
      ))}
      <div>
        <label className="label" htmlFor={`${id}-role`}>
          {access.role}
        </label>
        <select id={`${id}-role`} name="role" className="input" defaultValue={person.role?.id ?? ''}>
          <option value="">{access.noRole}</option>
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </select>
      </div>
      <div className="person-save">
        <button type="submit" className="button">
          {access.save}
        </button>
      </div>
    </form>
  );
}

function SignIn({ person }: { readonly person: Person }) {
  const access = useAccessText();
  const text = useText();
  const act = useAct();
  const [asks, setAsks] = useState(false);
  const { email } = person;
  return (
    <Part title={access.signInPart}>
      {email !== null && person.status === 'active' && (
        <button
          type="button"
          className="button small"
          onClick={() => act(() => request('POST', '/auth/password/request', { body: { email } }), access.resetSent(email))}
        >
          {access.sendReset}
        </button>
      )}
      <p className="fact-line">
        <span>
          {access.secondFactor}: {person.tfa_secret === null ? access.noSecondFactor : access.hasSecondFactor}
        </span>
        {person.tfa_secret !== null && (
          <button type="button" className="button small" onClick={() => setAsks(true)}>
            {access.removeSecondFactor}
          </button>
        )}
      </p>
      {asks && (
        <ConfirmDialog
          title={`${access.removeSecondFactor}?`}
          hint={access.removeSecondFactorHint}
          action={text.delete}
          onConfirm={() => {
            setAsks(false);
            void act(() => request('POST', `/users/${person.id}/tfa/disable`), access.secondFactorRemoved);
          }}
          onCancel={() => setAsks(false)}
        />
      )}
    </Part>
  );
}

function Passkeys({ person, passkeys }: { readonly person: Person; readonly passkeys: readonly Passkey[] }) {
  const access = useAccessText();
  const text = useText();
  const act = useAct();
  const [asked, setAsked] = useState<Passkey | null>(null);
  if (passkeys.length === 0) return null;
  return (
    <Part title={access.passkeys}>
      <PasskeyList passkeys={passkeys}>
        {(passkey) => (
          <button type="button" className="button small" aria-label={access.removePasskey(passkey.name)} onClick={() => setAsked(passkey)}>
            {text.delete}
          </button>
        )}
      </PasskeyList>
      {asked !== null && (
        <ConfirmDialog
          title={access.removePasskeyAsk(asked.name)}
          hint={access.removePasskeyHint}
          action={text.delete}
          onConfirm={() => {
            setAsked(null);
            void act(() => request('DELETE', `/users/${person.id}/passkeys/${asked.id}`), access.passkeyRemoved);
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </Part>
  );
}

function Sessions({ person, sessions }: { readonly person: Person; readonly sessions: readonly Session[] }) {
  const access = useAccessText();
  const act = useAct();
  return (
    <Part title={access.sessions}>
      {sessions.length === 0 ? (
        <p className="hint">{access.noSessions}</p>
      ) : (
        <>
          <SessionList sessions={sessions} />
          <button
            type="button"
            className="button small"
            onClick={() => act(() => request('POST', `/users/${person.id}/sessions/end`), access.sessionsEnded)}
          >
            {access.endSessions}
          </button>
        </>
      )}
    </Part>
  );
}

function Standing({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const access = useAccessText();
  const text = useText();
  const act = useAct();
  const [asks, setAsks] = useState<'suspend' | 'delete' | null>(null);
  const name = personName(person);
  const path = `/users/${person.id}`;
  const setStatus = (status: string, message: string) => act(() => request('PATCH', path, { body: { status } }), message);
  return (
    <Part title={access.account}>
      <div className="link-row">
        {person.status === 'suspended' || person.status === 'archived' ? (
          <button type="button" className="button" onClick={() => setStatus('active', access.activated(name))}>
            {access.activate}
          </button>
        ) : (
          <button type="button" className="button danger" onClick={() => setAsks('suspend')}>
            {access.suspend}
          </button>
        )}
        <button type="button" className="button quiet danger-text" onClick={() => setAsks('delete')}>
          {access.deletePerson}
        </button>
      </div>
      {asks === 'suspend' && (
        <ConfirmDialog
          title={access.suspendAsk(name)}
          hint={access.suspendHint}
          action={access.suspend}
          onConfirm={() => {
            setAsks(null);
            void setStatus('suspended', access.suspended(name));
          }}
          onCancel={() => setAsks(null)}
        />
      )}
      {asks === 'delete' && (
        <ConfirmDialog
          title={access.deletePersonAsk(name)}
          hint={access.deletePersonHint}
          action={text.delete}
          onConfirm={async () => {
            setAsks(null);
            if (await act(() => request('DELETE', path), access.saveDone)) onClose();
          }}
          onCancel={() => setAsks(null)}
        />
      )}
    </Part>
  );
}

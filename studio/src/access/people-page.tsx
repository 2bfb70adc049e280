// People: who they are, which role they have, whether they may sign in; inviting more of them.

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { request, search } from '../api/client.js';
import { relativeText } from '../displays/show-value.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';
import { type Named, type Person, personName, useAccessText, useRefreshAccess, useRoles } from './access-data.js';
import { AccessHead, Failed, Status } from './access-head.js';
import { type InvitationLink, InvitationLinks } from './invitation-links.js';
import { PersonDrawer } from './person-drawer.js';

interface ListedPerson extends Person {
  readonly status: string;
  readonly last_access: string | null;
  readonly role: Named | null;
}

const pageSize = 100;

export function PeoplePage({ id }: { readonly id: string | null }) {
  const text = useText();
  const access = useAccessText();
  const [, navigate] = useLocation();
  const [address, setAddress] = useSearchParams();
  const [invites, setInvites] = useState(false);
  const [links, setLinks] = useState<readonly InvitationLink[]>([]);
  const { data: roles } = useRoles();
  const [searchText, role] = [address.get('search') ?? '', address.get('role') ?? ''];
  const shown = {
    path: '/users',
    query: {
      fields: ['id', 'first_name', 'last_name', 'email', 'status', 'last_access', 'role.id', 'role.name'],
      sort: ['first_name', 'last_name', 'email'],
      limit: pageSize,
      ...(searchText === '' ? {} : { search: searchText }),
      ...(role === '' ? {} : { filter: { role: { _eq: role } } }),
    },
  };
  const { data, error } = useQuery({
    queryKey: ['access', 'people', searchText, role],
    queryFn: async ({ signal }) => (await search<readonly ListedPerson[]>(shown.path, shown.query, signal)).data,
    placeholderData: (previous) => previous,
  });
  const change = (name: string, value: string) =>
    setAddress(
      (present) => {
        const next = new URLSearchParams(present);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const query = address.size === 0 ? '' : `?${address}`;
  return (
    <>
      <AccessHead request={shown}>
        <button type="button" className="button primary" aria-label={access.invite} onClick={() => setInvites(true)}>
          <Icon name="plus" />
          <span className="wide-label">{access.invite}</span>
        </button>
      </AccessHead>
      <div className="toolbar">
        <input
          className="input search"
          type="search"
          placeholder={access.findPeople}
          aria-label={access.findPeople}
          value={searchText}
          onChange={(event) => change('search', event.target.value)}
        />
        <select
          className="input role-filter"
          aria-label={access.role}
          value={role}
          onChange={(event) => change('role', event.target.value)}
        >
          <option value="">{access.allRoles}</option>
          {roles?.roles.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      </div>
      <div className="scroll">
        <Failed error={error} />
        {data?.length === 0 ? (
          <div className="empty">
            <h2>{access.nobody}</h2>
            <p>{text.noResultsHint}</p>
          </div>
        ) : (
          data !== undefined && <PeopleTable people={data} query={query} />
        )}
      </div>
      {invites && <InviteDialog roles={roles?.roles ?? []} onLinks={setLinks} onClose={() => setInvites(false)} />}
      {links.length > 0 && <InvitationLinks links={links} onClose={() => setLinks([])} />}
      {id !== null && <PersonDrawer key={id} id={id} onClose={() => navigate(`/people${query}`)} />}
    </>
  );
}

function PeopleTable({ people, query }: { readonly people: readonly ListedPerson[]; readonly query: string }) {
  const access = useAccessText();
  const language = useLanguage();
  const { me } = useStudio().boot;
  return (
    <table className="people" aria-label={access.people}>
      <thead className="people-head">
        <tr>
          <th scope="col">{access.name}</th>
          <th scope="col">{access.role}</th>
          <th scope="col">{access.status}</th>
          <th scope="col">{access.lastAccess}</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <th scope="row">
              <Link href={`/people/${person.id}${query}`}>
                <span className="initials" aria-hidden="true">
                  {personName(person).slice(0, 1).toUpperCase()}
                </span>
                <span className="person">
                  <span className="cut">
                    {personName(person)}
                    {person.id === me.id && <span className="hint"> ({access.you})</span>}
                  </span>
                  {person.email !== null && personName(person) !== person.email && <span className="hint cut">{person.email}</span>}
                </span>
              </Link>
            </th>
            <td>{person.role?.name ?? <span className="hint">{access.noRole}</span>}</td>
            <td>
              <Status status={person.status} />
            </td>
            <td className="hint">{person.last_access === null ? access.never : relativeText(language, new Date(person.last_access))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface InviteDialogProps {
  readonly roles: readonly Named[];
  /** Of people who got no mail, because no mail server is set. */
  readonly onLinks: (links: readonly InvitationLink[]) => void;
  readonly onClose: () => void;
}

function InviteDialog({ roles, onLinks, onClose }: InviteDialogProps) {
  const text = useText();
  const access = useAccessText();
  const refresh = useRefreshAccess();
  const id = useId();
  const [typed, setTyped] = useState('');
  const emails = typed.split(/[\s,;]+/).filter((each) => each !== '');
  const send = async (form: FormData) => {
    const body = { email: emails, role: String(form.get('role')) };
    const { data } = await request<readonly InvitationLink[]>('POST', '/users/invite/links', { body });
    const links = data.filter(({ link }) => link !== null);
    const held = data.find(({ mailed, link }) => !mailed && link === null);
    if (held !== undefined) showToast(access.linkHeld(held.email));
    else if (links.length === 0) showToast(access.invited(emails.length));
    onLinks(links);
    await refresh();
  };
  return (
    <FormDialog title={access.invite} action={access.sendInvitations(emails.length)} onSubmit={send} onClose={onClose}>
      <p className="hint">{access.inviteHint}</p>
      <div>
        <label className="label" htmlFor={`${id}-emails`}>
          {access.emails}
        </label>
        <textarea
          id={`${id}-emails`}
          className="input"
          required
          rows={3}
          aria-describedby={`${id}-hint`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className="hint" id={`${id}-hint`}>
          {access.emailsHint}
        </p>
      </div>
      <div>
        <label className="label" htmlFor={`${id}-role`}>
          {access.role}
        </label>
        <select id={`${id}-role`} name="role" className="input" required defaultValue="">
          <option value="">{text.choose}</option>
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </select>
      </div>
    </FormDialog>
  );
}

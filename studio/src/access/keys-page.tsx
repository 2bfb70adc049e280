// The access keys of everybody, and who holds a static token; how to take them away. Keys and tokens themselves stay with the service.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { request, search } from '../api/client.js';
import { relativeText } from '../displays/show-value.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { Icon } from '../primitives/icon.js';
import { useLanguage } from '../text/use-text.js';
import { type Named, type Person, personName, useAccessText } from './access-data.js';
import { AccessHead, Failed, Status } from './access-head.js';
import { AllKeys } from './all-keys.js';
import { PartLevel, useAct } from './person-parts.js';

interface Holder extends Person {
  readonly status: string;
  readonly last_access: string | null;
  readonly role: Named | null;
}

const mostHolders = 500;

const shown = {
  path: '/users',
  query: {
    fields: ['id', 'first_name', 'last_name', 'email', 'status', 'last_access', 'role.id', 'role.name'],
    filter: { token: { _nnull: true } },
    sort: ['first_name', 'last_name', 'email'],
    limit: mostHolders,
  },
};

export function KeysPage() {
  const access = useAccessText();
  const act = useAct();
  const [asked, setAsked] = useState<Holder | null>(null);
  const { data, error } = useQuery({
    queryKey: ['access', 'keys'],
    queryFn: async ({ signal }) => (await search<readonly Holder[]>(shown.path, shown.query, signal)).data,
  });
  const remove = async ({ id }: Holder) => {
    setAsked(null);
    await act(() => request('PATCH', `/users/${id}`, { body: { token: null }, query: { fields: 'id' } }), access.tokenRemoved);
  };
  return (
    <>
      <AccessHead request={shown} />
      <div className="scroll">
        <div className="keys-of-all">
          <PartLevel value={2}>
            <AllKeys />
          </PartLevel>
        </div>
        <Failed error={error} />
        {data?.length === 0 && (
          <div className="empty">
            <h2>{access.noKeys}</h2>
            <p>{access.noKeysHint}</p>
          </div>
        )}
        {data !== undefined && data.length > 0 && (
          <>
            <p className="hint keys-hint">
              {access.keysHint} {data.length === mostHolders && access.firstKeys(mostHolders)}
            </p>
            <Holders holders={data} onRemove={setAsked} />
          </>
        )}
      </div>
      {asked !== null && (
        <ConfirmDialog
          title={access.removeTokenAsk(personName(asked))}
          hint={access.removeTokenHint}
          action={access.removeToken}
          onConfirm={() => void remove(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </>
  );
}

function Holders({ holders, onRemove }: { readonly holders: readonly Holder[]; readonly onRemove: (holder: Holder) => void }) {
  const access = useAccessText();
  const language = useLanguage();
  return (
    <table className="people keys" aria-label={access.keys}>
      <thead className="people-head">
        <tr>
          <th scope="col">{access.name}</th>
          <th scope="col">{access.role}</th>
          <th scope="col">{access.status}</th>
          <th scope="col">{access.lastAccess}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {holders.map((holder) => {
          const { id, email, role, status, last_access: seen } = holder;
          const name = personName(holder);
          return (
            <tr key={id}>
              <th scope="row">
                <Link href={`/people/${id}`}>
                  <span className="person">
                    <span className="cut">{name}</span>
                    {email !== null && name !== email && <span className="hint cut">{email}</span>}
                  </span>
                </Link>
              </th>
              <td>{role?.name ?? <span className="hint">{access.noRole}</span>}</td>
              <td>
                <Status status={status} />
              </td>
              <td className="hint">{seen === null ? access.never : relativeText(language, new Date(seen))}</td>
              <td>
                <button
                  type="button"
                  className="button small icon-only"
                  aria-label={access.removeTokenOf(name)}
                  onClick={() => onRemove(holder)}
                >
                  <Icon name="trash" />
                </button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

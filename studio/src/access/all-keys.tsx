// The access keys of everybody, for administrators: whose they are, what they may do, and how to revoke one.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { request, search } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { type Person, personName, useAccessText } from './access-data.js';
import { Failed } from './access-head.js';
import { type AccessKey, KeyList } from './key-list.js';
import { Part, useAct } from './person-parts.js';

/** The latest; the service answers all of them at once. */
const mostShown = 500;

interface KeysOfAll {
  readonly keys: readonly AccessKey[];
  readonly isCut: boolean;
  readonly owners: ReadonlyMap<string, Person>;
}

async function readKeys(signal: AbortSignal): Promise<KeysOfAll> {
  const { data: all } = await request<readonly AccessKey[]>('GET', '/users/keys', { signal });
  const keys = all.toReversed().slice(0, mostShown);
  const ids = [...new Set(keys.map(({ user }) => user))];
  const query = { fields: ['id', 'first_name', 'last_name', 'email'], filter: { id: { _in: ids } }, limit: ids.length };
  const people = ids.length === 0 ? [] : (await search<readonly Person[]>('/users', query, signal)).data;
  return { keys, isCut: all.length > keys.length, owners: new Map(people.map((person) => [person.id, person])) };
}

export function AllKeys() {
  const access = useAccessText();
  const { accessKeys } = access;
  const act = useAct();
  const [asked, setAsked] = useState<AccessKey | null>(null);
  const { data, error } = useQuery({ queryKey: ['access', 'access keys'], queryFn: ({ signal }) => readKeys(signal) });
  const ownerOf = ({ user }: AccessKey) => {
    const owner = data?.owners.get(user);
    return owner === undefined ? null : <Link href={`/people/${user}`}>{personName(owner)}</Link>;
  };
  return (
    <Part title={accessKeys.title} hint={accessKeys.hintOfAll}>
      <Failed error={error} />
      {data?.keys.length === 0 && <p className="hint">{accessKeys.noneOfAll}</p>}
      {data !== undefined && data.keys.length > 0 && (
        <KeyList keys={data.keys} ownerOf={ownerOf}>
          {(key) => <RevokeButton accessKey={key} onAsk={setAsked} />}
        </KeyList>
      )}
      {data?.isCut === true && <p className="hint">{access.firstKeys(mostShown)}</p>}
      {asked !== null && (
        <RevokeDialog
          accessKey={asked}
          onRevoke={() => void act(() => request('DELETE', `/users/${asked.user}/keys/${asked.id}`), accessKeys.revoked)}
          onClose={() => setAsked(null)}
        />
      )}
    </Part>
  );
}

export function RevokeButton({ accessKey, onAsk }: { readonly accessKey: AccessKey; readonly onAsk: (key: AccessKey) => void }) {
  const { accessKeys } = useAccessText();
  return (
    <button type="button" className="button small" aria-label={accessKeys.revokeKey(accessKey.name)} onClick={() => onAsk(accessKey)}>
      {accessKeys.revoke}
    </button>
  );
}

interface RevokeDialogProps {
  readonly accessKey: AccessKey;
  readonly onRevoke: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ accessKey, onRevoke, onClose }: RevokeDialogProps) {
  const { accessKeys, removeTokenHint } = useAccessText();
  return (
    <ConfirmDialog
      title={accessKeys.revokeAsk(accessKey.name)}
      hint={removeTokenHint}
      action={accessKeys.revoke}
      onConfirm={() => {
        onClose();
        onRevoke();
      }}
      onCancel={onClose}
    />
  );
}

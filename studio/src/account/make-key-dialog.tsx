// The form of a new access key. The password is asked for when the service wants it.

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { type Named, useAccessText, usePolicyText, useRefreshAccess } from '../access/access-data.js';
import { ApiError, request, search } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Labelled, PasswordInput } from '../session/sign-in-parts.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';
import { useAccountText } from './account-data.js';

interface MakeKeyDialogProps {
  readonly onMade: (token: string) => void;
  readonly onClose: () => void;
}

export function MakeKeyDialog({ onMade, onClose }: MakeKeyDialogProps) {
  const own = useAccountText();
  const text = useText();
  const { accessKeys } = useAccessText();
  const { boot } = useStudio();
  const refresh = useRefreshAccess();
  const [asksPassword, setAsksPassword] = useState(false);
  const submit = async (form: FormData) => {
    try {
      const body = { ...readKey(form), ...(asksPassword ? { password: String(form.get('password')) } : {}) };
      const { data } = await request<{ readonly token: string }>('POST', '/users/me/keys', { body });
      onMade(data.token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'FORBIDDEN' || asksPassword) throw error;
      setAsksPassword(true);
      throw new ApiError(403, [{ message: own.passwordToAdd, extensions: { code: 'FORBIDDEN' } }]);
    }
    await refresh();
  };
  return (
    <FormDialog title={accessKeys.make} action={accessKeys.action} onSubmit={submit} onClose={onClose}>
      <Labelled label={accessKeys.name} hint={accessKeys.nameHint} name="name" maxLength={100} required />
      <label className="switch">
        <input type="checkbox" name="write" />
        {accessKeys.write}
      </label>
      {boot.isAdmin && <Policies />}
      <Collections />
      <Labelled label={accessKeys.addresses} hint={accessKeys.addressesHint} name="addresses" maxLength={4_000} />
      <Labelled label={accessKeys.ends} hint={accessKeys.endsHint} name="expires" type="date" />
      {asksPassword && <PasswordInput label={text.password} refused={false} autoFocus />}
    </FormDialog>
  );
}

/** What is left empty is no bound. A key ends with its last day, as it is where the person is. */
function readKey(form: FormData) {
  const read = (name: string): string => String(form.get(name) ?? '').trim();
  const listed = (texts: readonly string[]): readonly string[] | null => (texts.length === 0 ? null : texts);
  const addresses = read('addresses')
    .split(',')
    .flatMap((entry) => entry.trim() || []);
  return {
    name: read('name'),
    write: form.has('write'),
    policy: read('policy') || null,
    collections: listed(form.getAll('collections').map(String)),
    addresses: listed(addresses),
    expires: read('expires') === '' ? null : new Date(`${read('expires')}T23:59:59`).toISOString(),
  };
}

const mostPolicies = 200;

/** For administrators, who may read them all. Others make keys for some collections, or for reading only. */
function Policies() {
  const { accessKeys } = useAccessText();
  const nameOf = usePolicyText();
  const id = useId();
  const { data = [] } = useQuery({
    queryKey: ['access', 'policies of keys'],
    queryFn: async ({ signal }) =>
      (await search<readonly Named[]>('/policies', { fields: ['id', 'name'], sort: ['name'], limit: mostPolicies }, signal)).data,
  });
  return (
    <div>
      <label className="label" htmlFor={id}>
        {accessKeys.policy}
      </label>
      <select id={id} name="policy" className="input">
        <option value="">{accessKeys.anyPolicy}</option>
        {data.map((policy) => (
          <option key={policy.id} value={policy.id}>
            {nameOf(policy.name)}
          </option>
        ))}
      </select>
    </div>
  );
}

function Collections() {
  const { accessKeys } = useAccessText();
  const { schema } = useStudio().boot;
  const id = useId();
  const offered = [...schema.values()].filter(({ isSystem, isFolder }) => !isSystem && !isFolder);
  if (offered.length === 0) return null;
  return (
    <div>
      <label className="label" htmlFor={id}>
        {accessKeys.collections}
      </label>
      <select id={id} name="collections" className="input" multiple size={4} aria-describedby={`${id}-hint`}>
        {offered.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <p className="hint" id={`${id}-hint`}>
        {accessKeys.collectionsHint}
      </p>
    </div>
  );
}

// All policies, with what they are for and who has them.

import { useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { request } from '../api/client.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import {
  type Named,
  type Policy,
  personName,
  policiesRequest,
  useAccessText,
  usePolicies,
  usePolicyText,
  useRefreshAccess,
} from './access-data.js';
import { AccessHead, Failed } from './access-head.js';

export function PoliciesPage() {
  const access = useAccessText();
  const policyText = usePolicyText();
  const { data, error } = usePolicies();
  const [isNew, setNew] = useState(false);
  return (
    <>
      <AccessHead request={policiesRequest}>
        <button type="button" className="button primary" aria-label={access.newPolicy} onClick={() => setNew(true)}>
          <Icon name="plus" />
          <span className="wide-label">{access.newPolicy}</span>
        </button>
      </AccessHead>
      <div className="scroll access-page">
        <p className="hint">{access.policiesHint}</p>
        <Failed error={error} />
        {data?.length === 0 && (
          <div className="empty">
            <h2>{access.noPoliciesYet}</h2>
          </div>
        )}
        <ul className="cards home-cards flush">
          {data?.map((policy) => (
            <li key={policy.id}>
              <Link href={`/policies/${policy.id}`}>
                <strong>{policyText(policy.name)}</strong>
                {policy.description !== null && <span className="hint">{policyText(policy.description)}</span>}
                <span className="hint">{usersOf(policy, access.unused, access.public)}</span>
                <span className="flags">
                  {policy.admin_access && <span className="badge">{access.adminAccess}</span>}
                  {policy.app_access && !policy.admin_access && <span className="badge plain">{access.appAccess}</span>}
                  {policy.enforce_tfa && <span className="badge plain">{access.enforceTfa}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {isNew && <NewPolicyDialog onClose={() => setNew(false)} />}
    </>
  );
}

function usersOf({ uses }: Pick<Policy, 'uses'>, unused: string, everybody: string): string {
  const names = uses.map(({ role, user }) => role?.name ?? (user === null ? everybody : personName(user)));
  return names.length === 0 ? unused : names.join(', ');
}

function NewPolicyDialog({ onClose }: { readonly onClose: () => void }) {
  const access = useAccessText();
  const refresh = useRefreshAccess();
  const [, navigate] = useLocation();
  const id = useId();
  const create = async (form: FormData) => {
    const body = { name: String(form.get('name')).trim(), app_access: form.get('app') !== null };
    const { data } = await request<Named>('POST', '/policies', { body });
    await refresh();
    navigate(`/policies/${data.id}`);
  };
  return (
    <FormDialog title={access.newPolicy} action={access.createPolicy} onSubmit={create} onClose={onClose}>
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {access.policyName}
        </label>
        <input id={`${id}-name`} name="name" className="input" required maxLength={100} />
      </div>
      <label className="switch">
        <input type="checkbox" name="app" defaultChecked />
        {access.appAccess}
      </label>
    </FormDialog>
  );
}

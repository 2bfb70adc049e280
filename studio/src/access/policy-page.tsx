// One policy: what it is, who has it, and the matrix of its permissions.

import { useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { request } from '../api/client.js';
import { NothingHere } from '../frame/nothing-here.js';
import { Crumb, PageHead } from '../frame/page-head.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useSeeAs } from '../see-as/use-see-as.js';
import { useText } from '../text/use-text.js';
import { TextInput } from '../translations/text-input.js';
import {
  type Action,
  type Person,
  type Policy,
  personName,
  requestOfPolicy,
  useAccessText,
  usePolicy,
  usePolicyText,
  useRefreshAccess,
} from './access-data.js';
import { Failed } from './access-head.js';
import { Matrix } from './matrix.js';
import { PermissionDrawer } from './permission-drawer.js';
import './access.css';

export function PolicyPage({ id }: { readonly id: string }) {
  const text = useText();
  const access = useAccessText();
  const { data: policy, error } = usePolicy(id);
  if (policy === null) return <NothingHere message={access.policyGone} way={{ title: access.policies, href: '/policies' }} />;
  if (policy === undefined)
    return (
      <>
        <PageHead title={text.access} />
        <Failed error={error} />
      </>
    );
  return <PolicyView policy={policy} />;
}

interface Place {
  readonly collection: string;
  readonly action: Action;
}

function PolicyView({ policy }: { readonly policy: Policy }) {
  const access = useAccessText();
  const policyText = usePolicyText();
  const [isEdited, setEdited] = useState(false);
  const [place, setPlace] = useState<Place | null>(null);
  // The collection of the last change, which "See as" opens first.
  const [changed, setChanged] = useState<string | null>(null);
  const person = personOf(policy);
  return (
    <>
      <PageHead
        title={
          <>
            <Crumb href="/policies" title={access.policies} />
            {policyText(policy.name)}
          </>
        }
        request={requestOfPolicy(policy.id)}
      >
        {!policy.admin_access && <SeeAsButton policy={policy} person={person} collection={changed} />}
        <button type="button" className="button" aria-label={access.editPolicy(policyText(policy.name))} onClick={() => setEdited(true)}>
          <Icon name="edit" />
          <span className="wide-label">{access.settings}</span>
        </button>
      </PageHead>
      <div className="scroll access-page">
        <Facts policy={policy} />
        {policy.admin_access ? (
          <p className="banner quiet">{access.isAdminPolicy}</p>
        ) : (
          <Matrix policy={policy} onOpen={(collection, action) => setPlace({ collection, action })} />
        )}
      </div>
      {isEdited && <PolicyDialog policy={policy} onClose={() => setEdited(false)} />}
      {place !== null && (
        <PermissionDrawer
          policy={policy}
          person={person}
          {...place}
          onSaved={() => setChanged(place.collection)}
          onClose={() => setPlace(null)}
        />
      )}
    </>
  );
}

/** A person with this policy, as an example for counts and for "See as". */
const personOf = ({ uses }: Policy): Person | null =>
  uses.flatMap(({ role, user }) => (user === null ? (role?.users ?? []) : [user]))[0] ?? null;

interface SeeAsButtonProps {
  readonly policy: Policy;
  readonly person: Person | null;
  readonly collection: string | null;
}

function SeeAsButton({ policy, person, collection }: SeeAsButtonProps) {
  const access = useAccessText();
  const policyText = usePolicyText();
  const seeAs = useSeeAs();
  const name = person === null ? policyText(policy.name) : personName(person);
  const target = person === null ? `policy:${policy.id}` : `user:${person.id}`;
  return (
    <button
      type="button"
      className="button"
      aria-label={access.seeAsPerson(name)}
      onClick={() => seeAs({ target, name }, collection === null ? '/' : `/c/${encodeURIComponent(collection)}`)}
    >
      <Icon name="eye" />
      <span className="wide-label cut">{access.seeAsPerson(name)}</span>
    </button>
  );
}

function Facts({ policy }: { readonly policy: Policy }) {
  const access = useAccessText();
  const policyText = usePolicyText();
  return (
    <div className="policy-facts">
      {policy.description !== null && <p>{policyText(policy.description)}</p>}
      <p className="hint used-by">
        <span>{policy.uses.length === 0 ? access.unused : `${access.usedBy}:`}</span>
        {policy.uses.map(({ id, role, user }) => (
          <Link key={id} href={role !== null ? '/roles' : user === null ? '/public' : `/people/${user.id}`}>
            {role?.name ?? (user === null ? access.public : personName(user))}
          </Link>
        ))}
      </p>
      <span className="flags">
        {policy.admin_access && <span className="badge">{access.adminAccess}</span>}
        {policy.app_access && !policy.admin_access && <span className="badge plain">{access.appAccess}</span>}
        {policy.enforce_tfa && <span className="badge plain">{access.enforceTfa}</span>}
        {(policy.ip_access ?? []).length > 0 && <span className="badge plain">{access.addresses}</span>}
      </span>
    </div>
  );
}

function PolicyDialog({ policy, onClose }: { readonly policy: Policy; readonly onClose: () => void }) {
  const text = useText();
  const access = useAccessText();
  const policyText = usePolicyText();
  const refresh = useRefreshAccess();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState(false);
  const id = useId();
  /** Shows the text of a key that the first start made, because the project has no such key to edit. */
  const editable = (stored: string | null): string => (stored?.startsWith('$t:public_') === true ? policyText(stored) : (stored ?? ''));
  const save = async (form: FormData) => {
    const addresses = String(form.get('addresses'))
      .split(/[\s,]+/)
      .filter((each) => each !== '');
    const body = {
      name: String(form.get('name')).trim(),
      description: String(form.get('description')).trim() || null,
      app_access: form.get('app') !== null,
      admin_access: form.get('admin') !== null,
      enforce_tfa: form.get('tfa') !== null,
      ip_access: addresses.length === 0 ? null : addresses,
    };
    await request('PATCH', `/policies/${policy.id}`, { body });
    showToast(access.saveDone);
    await refresh();
  };
  const remove = async () => {
    try {
      await request('DELETE', `/policies/${policy.id}`);
      navigate('/policies');
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
    await refresh();
  };
  if (asks)
    return (
      <ConfirmDialog
        title={access.deletePolicyAsk(policyText(policy.name))}
        hint={access.deletePolicyHint(policy.uses.length)}
        action={text.delete}
        onConfirm={remove}
        onCancel={() => setAsks(false)}
      />
    );
  const aside = (
    <button type="button" className="button danger at-start" onClick={() => setAsks(true)}>
      {text.delete}
    </button>
  );
  return (
    <FormDialog title={access.editPolicy(policyText(policy.name))} action={access.save} aside={aside} onSubmit={save} onClose={onClose}>
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {access.policyName}
        </label>
        <TextInput id={`${id}-name`} name="name" required maxLength={100} value={editable(policy.name)} />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-description`}>
          {access.description}
        </label>
        <TextInput id={`${id}-description`} name="description" value={editable(policy.description)} />
      </div>
      <div>
        <Flag name="app" title={access.appAccess} hint={access.appHint} isOn={policy.app_access} />
        <Flag name="admin" title={access.adminAccess} hint={access.adminHint} isOn={policy.admin_access} />
        <Flag name="tfa" title={access.enforceTfa} hint={null} isOn={policy.enforce_tfa} />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-addresses`}>
          {access.addresses}
        </label>
        <textarea
          id={`${id}-addresses`}
          name="addresses"
          className="input code"
          rows={2}
          defaultValue={(policy.ip_access ?? []).join('\n')}
          aria-describedby={`${id}-addresses-hint`}
        />
        <p className="hint" id={`${id}-addresses-hint`}>
          {access.addressesHint}
        </p>
      </div>
    </FormDialog>
  );
}

interface FlagProps {
  readonly name: string;
  readonly title: string;
  readonly hint: string | null;
  readonly isOn: boolean;
}

function Flag({ name, title, hint, isOn }: FlagProps) {
  return (
    <label className="flag">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      <span>
        {title}
        {hint !== null && <span className="hint">{hint}</span>}
      </span>
    </label>
  );
}

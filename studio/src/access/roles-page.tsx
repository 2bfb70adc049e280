// Roles as a tree, each with its people and policies, and the public at the end.

import { useId, useState } from 'react';
import { Link as PageLink } from 'wouter';
import { request } from '../api/client.js';
import { ConfirmDialog } from '../primitives/confirm-dialog.js';
import { FormDialog } from '../primitives/form-dialog.js';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useSeeAs } from '../see-as/use-see-as.js';
import { useText } from '../text/use-text.js';
import { type Link, type Role, type Roles, rolesRequest, useAccessText, useRefreshAccess, useRoles } from './access-data.js';
import { AccessHead, Failed } from './access-head.js';
import { PolicyChips } from './policy-chips.js';

export function RolesPage() {
  const access = useAccessText();
  const { data, error } = useRoles();
  const [edited, setEdited] = useState<Role | 'new' | null>(null);
  return (
    <>
      <AccessHead request={rolesRequest}>
        <button type="button" className="button primary" aria-label={access.newRole} onClick={() => setEdited('new')}>
          <Icon name="plus" />
          <span className="wide-label">{access.newRole}</span>
        </button>
      </AccessHead>
      <div className="scroll access-page">
        <p className="hint">{access.rolesHint}</p>
        <Failed error={error} />
        {data !== undefined && (
          <ul className="role-tree">
            <Branch all={data} parent={null} depth={0} onEdit={setEdited} />
            <PublicRow all={data} />
          </ul>
        )}
      </div>
      {edited !== null && data !== undefined && (
        <RoleDialog role={edited === 'new' ? null : edited} all={data.roles} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface BranchProps {
  readonly all: Roles;
  readonly parent: string | null;
  readonly depth: number;
  readonly onEdit: (role: Role) => void;
}

function Branch({ all, parent, depth, onEdit }: BranchProps) {
  const known = new Set(all.roles.map(({ id }) => id));
  const list = all.roles.filter((role) => (role.parent !== null && known.has(role.parent) ? role.parent : null) === parent);
  return list.map((role) => (
    <li key={role.id}>
      <RoleRow role={role} all={all} onEdit={() => onEdit(role)} />
      {all.roles.some((each) => each.parent === role.id) && depth < 20 && (
        <ul>
          <Branch all={all} parent={role.id} depth={depth + 1} onEdit={onEdit} />
        </ul>
      )}
    </li>
  ));
}

interface RoleRowProps {
  readonly role: Role;
  readonly all: Roles;
  readonly onEdit: () => void;
}

function RoleRow({ role, all, onEdit }: RoleRowProps) {
  const access = useAccessText();
  const seeAs = useSeeAs();
  const inherited = inheritedBy(all.roles, role);
  const isAdmin = [...role.policies, ...inherited].some(({ policy }) => policy.admin_access === true);
  return (
    <div className="role-row">
      <div className="role-name">
        <strong>{role.name}</strong>
        {role.description !== null && <span className="hint">{role.description}</span>}
        <PageLink href={`/people?role=${role.id}`} className="hint">
          {access.peopleCount(role.people)}
        </PageLink>
      </div>
      <PolicyChips owner={role.name} to={{ role: role.id }} links={role.policies} policies={all.policies} inherited={inherited} />
      <div className="role-actions">
        {!isAdmin && (
          <button
            type="button"
            className="button quiet small"
            aria-label={access.seeAsPerson(role.name)}
            onClick={() => seeAs({ target: `role:${role.id}`, name: role.name }, '/')}
          >
            <Icon name="eye" />
            <span className="wide-label">{access.seeAs}</span>
          </button>
        )}
        <button type="button" className="button quiet icon-only" aria-label={access.editRole(role.name)} onClick={onEdit}>
          <Icon name="edit" />
        </button>
      </div>
    </div>
  );
}

/** The policies of the roles that a role belongs to, the nearest first. */
function inheritedBy(all: readonly Role[], role: Role): readonly (Link & { readonly from: string })[] {
  const found: (Link & { readonly from: string })[] = [];
  let at = all.find(({ id }) => id === role.parent);
  for (let steps = 0; at !== undefined && steps < all.length; steps += 1) {
    const { name, parent, policies }: Role = at;
    found.push(...policies.map((link) => ({ ...link, from: name })));
    at = all.find(({ id }) => id === parent);
  }
  return found;
}

function PublicRow({ all }: { readonly all: Roles }) {
  const access = useAccessText();
  const seeAs = useSeeAs();
  return (
    <li>
      <div className="role-row">
        <div className="role-name">
          <strong>{access.public}</strong>
          <span className="hint">{access.everyone}</span>
        </div>
        <PolicyChips owner={access.public} to={null} links={all.open} policies={all.policies} />
        <div className="role-actions">
          <button
            type="button"
            className="button quiet small"
            aria-label={access.seeAsPerson(access.public)}
            onClick={() => seeAs({ target: 'public', name: access.public }, '/')}
          >
            <Icon name="eye" />
            <span className="wide-label">{access.seeAs}</span>
          </button>
        </div>
      </div>
    </li>
  );
}

interface RoleDialogProps {
  /** Null: a new one. */
  readonly role: Role | null;
  readonly all: readonly Role[];
  readonly onClose: () => void;
}

function RoleDialog({ role, all, onClose }: RoleDialogProps) {
  const text = useText();
  const access = useAccessText();
  const refresh = useRefreshAccess();
  const id = useId();
  const [asks, setAsks] = useState(false);
  const save = async (form: FormData) => {
    const parent = String(form.get('parent'));
    const body = {
      name: String(form.get('name')).trim(),
      description: String(form.get('description')).trim() || null,
      parent: parent === '' ? null : parent,
    };
    await (role === null ? request('POST', '/roles', { body }) : request('PATCH', `/roles/${role.id}`, { body }));
    showToast(access.saveDone);
    await refresh();
  };
  const remove = async () => {
    if (role === null) return;
    try {
      await request('DELETE', `/roles/${role.id}`);
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
    onClose();
    await refresh();
  };
  if (asks && role !== null)
    return (
      <ConfirmDialog
        title={access.deleteRole(role.name)}
        hint={access.deleteRoleHint(role.people)}
        action={text.delete}
        onConfirm={remove}
        onCancel={() => setAsks(false)}
      />
    );
  const aside = role !== null && (
    <button type="button" className="button danger at-start" onClick={() => setAsks(true)}>
      {text.delete}
    </button>
  );
  return (
    <FormDialog title={role === null ? access.newRole : role.name} action={access.save} aside={aside} onSubmit={save} onClose={onClose}>
      <div>
        <label className="label" htmlFor={`${id}-name`}>
          {access.roleName}
        </label>
        <input id={`${id}-name`} name="name" className="input" required maxLength={100} defaultValue={role?.name ?? ''} />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-description`}>
          {access.description}
        </label>
        <input id={`${id}-description`} name="description" className="input" defaultValue={role?.description ?? ''} />
      </div>
      <div>
        <label className="label" htmlFor={`${id}-parent`}>
          {access.parent}
        </label>
        <select id={`${id}-parent`} name="parent" className="input" defaultValue={role?.parent ?? ''}>
          <option value="">{access.noParent}</option>
          {all
            .filter((each) => role === null || !isBelow(all, each, role.id))
            .map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
        </select>
        <p className="hint">{access.parentHint}</p>
      </div>
    </FormDialog>
  );
}

/** Whether a role is another one, or belongs to it at any depth: it cannot become its parent. */
function isBelow(all: readonly Role[], role: Role, top: string): boolean {
  let at: Role | undefined = role;
  for (let steps = 0; at !== undefined && steps < all.length + 1; steps += 1) {
    if (at.id === top) return true;
    const parent: string | null = at.parent;
    at = all.find(({ id }) => id === parent);
  }
  return false;
}

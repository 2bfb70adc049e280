// What the groups of a user at the provider mean here: a role and further policies. Computed again at every login and refresh, so that
// leaving a group removes its rights. Policies that no group maps to stay as they are.

import type { Connection } from '../../../core/vendor/driver.js';
import { byId, policyColumns, readPolicy } from '../access/access-rows.js';
import { expectAdministrator } from '../access/last-administrator.js';
import { type AccessTables, choosePolicies } from '../access/policy-set.js';
import { readOwnPolicies } from '../account.js';
import type { AuthContext } from '../auth-context.js';
import type { ProvisionSettings } from './settings/provider-settings.js';

export interface GroupRights {
  /** undefined: groups do not decide the role. */
  readonly role: string | null | undefined;
  readonly policies: readonly string[];
  /** The policies that groups give and take. */
  readonly managed: ReadonlySet<string>;
  /** Rights that groups may not give, for the log. */
  readonly withheld: readonly string[];
}

/** `groups` null: the provider reports no groups, which counts as an empty list. `isNew`: the user has no role yet. */
export async function rightsOfGroups(
  { tables }: Pick<AuthContext, 'tables'>,
  connection: Connection,
  settings: ProvisionSettings,
  groups: readonly string[] | null,
  isNew = false,
): Promise<GroupRights> {
  const access = await readTables({ tables }, connection);
  const withheld: string[] = [];
  const mayGive = (what: 'role' | 'policy', id: string): boolean => {
    const isKnown = what === 'role' ? access.roles.has(id) : access.policies.has(id);
    if (!isKnown) withheld.push(`there is no ${what} ${id}`);
    else if (!settings.allowAdmin && makesAdministrator(access, what, id)) withheld.push(`the ${what} ${id} needs ALLOW_ADMIN`);
    else return true;
    return false;
  };
  const given = groups ?? [];
  const mapped = settings.groupsNameRoles ? await namedRole({ tables }, connection, given) : mappedRole(settings.roleMapping, given);
  const role = [mapped, settings.defaultRole].find((id) => id !== null && id !== undefined && mayGive('role', id)) ?? null;
  const decidesRole = isNew || settings.roleMapping !== null || settings.groupsNameRoles;
  const wanted = [...(settings.policyMapping ?? [])].flatMap(([group, policies]) => (given.includes(group) ? policies : []));
  return {
    role: decidesRole ? role : undefined,
    policies: [...new Set(wanted)].filter((id) => mayGive('policy', id)),
    managed: new Set([...(settings.policyMapping?.values() ?? [])].flat()),
    withheld,
  };
}

/** The first group of the mapping that the user is in decides. */
const mappedRole = (mapping: ProvisionSettings['roleMapping'], groups: readonly string[]): string | null =>
  [...(mapping ?? [])].find(([group]) => groups.includes(group))?.[1] ?? null;

async function namedRole(
  { tables }: Pick<AuthContext, 'tables'>,
  connection: Connection,
  groups: readonly string[],
): Promise<string | null> {
  const names = new Set(groups.map((group) => group.toLowerCase()));
  const roles = await tables.roles.read(connection, ['id', 'name']);
  return roles.find(({ name }) => names.has(name.toLowerCase()))?.id ?? null;
}

async function readTables({ tables }: Pick<AuthContext, 'tables'>, connection: Connection): Promise<AccessTables> {
  const roles = await tables.roles.read(connection, ['id', 'parent']);
  const policies = await tables.policies.read(connection, policyColumns);
  const links = await tables.access.read(connection, ['role', 'user', 'policy'], { user: null });
  // Counts policies with an allow-list of addresses as if they always applied, whatever the address of this login.
  const anywhere = policies.map((row) => ({ ...readPolicy(row), addresses: [] }));
  return { roles: byId(roles), policies: byId(anywhere), links };
}

function makesAdministrator(access: AccessTables, what: 'role' | 'policy', id: string): boolean {
  const owner = what === 'role' ? { role: id, own: [] } : { role: null, own: [id] };
  return choosePolicies(access, { ...owner, ip: null }).policies.some((policy) => policy.admin);
}

interface Member {
  readonly id: string;
  readonly role: string | null;
}

/** Gives the user these rights and takes away what groups no longer give; returns the role. The last administrator stays one. */
export async function applyRights(context: AuthContext, connection: Connection, user: Member, rights: GroupRights): Promise<string | null> {
  const own = await readOwnPolicies(context, connection, user.id);
  const added = rights.policies.filter((policy) => !own.includes(policy));
  const removed = own.filter((policy) => rights.managed.has(policy) && !rights.policies.includes(policy));
  const role = rights.role === undefined ? user.role : rights.role;
  if (role === user.role && added.length === 0 && removed.length === 0) return role;
  const checkAdministrators = await expectAdministrator(context, connection, { admin: false, ip: null });
  const { users, access } = context.tables;
  if (role !== user.role) await users.update(connection, { role }, { id: user.id });
  if (removed.length > 0) await access.delete(connection, { user: user.id, policy: removed });
  await access.insert(
    connection,
    added.map((policy) => ({ id: crypto.randomUUID(), user: user.id, policy })),
  );
  await checkAdministrators();
  await context.store.bumpEpoch(connection, 'policy');
  return role;
}

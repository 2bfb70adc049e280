// Reading as another user: which caller an administrator names by `X-View-As`, or asks about in an explanation of access. The caller has
// the rights of the named user, role or policies and no others. Allow-lists of addresses and the requirement of a second factor are
// ignored, since they depend on how that user would sign in.

import { type Caller, makeView, type SchemaView } from '../../../core/access/view.js';
import { invalidQuery, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { Lru } from '../../../core/util/lru.js';
import { readUuid } from '../../../core/util/read-uuid.js';
import type { Policy } from '../access/access-rows.js';
import type { AccessSnapshot } from '../access/load-access.js';
import { choosePolicies, type PolicySet } from '../access/policy-set.js';
import { findAccount, readOwnPolicies } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';

export type ViewTarget =
  | { readonly kind: 'user' | 'role'; readonly id: string }
  | { readonly kind: 'policy'; readonly ids: readonly string[] }
  | { readonly kind: 'public' };

export interface Viewed {
  /** Without a viewer: `viewThrough` adds it. */
  readonly caller: Caller;
  /** Each policy with a view of what it alone allows, in the order of precedence. */
  readonly policies: readonly { readonly id: string; readonly view: SchemaView }[];
  /** False for a user who cannot sign in: suspended, archived, or still invited. */
  readonly isActive: boolean;
}

const maxPolicies = 50;

/** Reads `user:<id>`, `role:<id>`, `policy:<id>,<id>` or `public`. */
export function parseViewTarget(text: string): ViewTarget {
  if (text === 'public') return { kind: 'public' };
  const [kind = '', rest = ''] = text.split(':', 2);
  const named = rest.split(',');
  const ids = named.flatMap((id) => readUuid(id.trim()) ?? []);
  const [id] = ids;
  if (id !== undefined && ids.length === named.length) {
    if ((kind === 'user' || kind === 'role') && ids.length === 1) return { kind, id };
    if (kind === 'policy' && ids.length <= maxPolicies) return { kind, ids: [...new Set(ids)] };
  }
  throw invalidQuery('To view as another user, name "user:<id>", "role:<id>", "policy:<id>,<id>" or "public".');
}

const unknown = (what: string): ServiceError => invalidQuery(`There is no such ${what} to view as.`);

interface ViewedRights {
  readonly user: string | null;
  readonly role: string | null;
  readonly set: PolicySet;
  readonly isActive: boolean;
}

export async function findViewed(context: AuthContext, access: AccessSnapshot, target: ViewTarget, client: ClientFacts): Promise<Viewed> {
  const { user, role, set, isActive } = await rightsOf(context, access, target);
  const { policies, roles } = set;
  const schema = context.store.current();
  const view = access.viewOf(policies, schema);
  return {
    isActive,
    policies: policies.map((policy) => ({ id: policy.id, view: access.viewOf([policy], schema) })),
    caller: {
      view: makeView(schema, view.grants),
      accountability: {
        user,
        role,
        roles,
        policies: policies.map(({ id }) => id),
        admin: policies.some((policy) => policy.admin),
        app: policies.some((policy) => policy.app),
        session: null,
        share: null,
        viewer: null,
        accessKey: null,
        ...client,
      },
    },
  };
}

async function rightsOf(context: AuthContext, access: AccessSnapshot, target: ViewTarget): Promise<ViewedRights> {
  switch (target.kind) {
    case 'user':
      return rightsOfUser(context, access, target.id);
    case 'role':
      if (!access.roles.has(target.id)) throw unknown('role');
      return { user: null, role: target.id, set: choosePolicies(access, ownerOf(target.id, [])), isActive: true };
    case 'policy':
      return { user: null, role: null, set: { roles: [], policies: knownPolicies(access, target.ids), excluded: false }, isActive: true };
    case 'public':
      return { user: null, role: null, set: choosePolicies(access, ownerOf(null, [])), isActive: true };
  }
}

async function rightsOfUser(context: AuthContext, access: AccessSnapshot, id: string): Promise<ViewedRights> {
  const [account, own] = await Promise.all([findAccount(context, context.driver, id), readOwnPolicies(context, context.driver, id)]);
  if (account === null) throw unknown('user');
  return { user: id, role: account.role, set: choosePolicies(access, ownerOf(account.role, own)), isActive: account.status === 'active' };
}

const ownerOf = (role: string | null, own: readonly string[]) => ({ role, own, ip: null, anywhere: true });

function knownPolicies(access: AccessSnapshot, ids: readonly string[]): readonly Policy[] {
  return ids.map((id) => {
    const policy = access.policies.get(id);
    if (policy === undefined) throw unknown('policy');
    return policy;
  });
}

/**
 * The caller for an administrator's request. Throws for other administrators: they see no more than the viewer, and their personal items
 * stay private.
 */
export function viewThrough(viewer: Caller, { caller, isActive }: Viewed): Caller {
  if (caller.accountability.admin) throw serviceError('FORBIDDEN', 'Administrators see everything: there is nothing to look at as one.');
  if (!isActive) throw serviceError('FORBIDDEN', 'This user may not sign in, and sees nothing.');
  return { ...caller, accountability: { ...caller.accountability, viewer: viewer.accountability.user } };
}

/** Reading as the same target is recorded once in this time. */
const recordEveryMs = 600_000;
const maxRecorded = 10_000;

/** Records in the activity that an administrator reads as somebody else; resolves before the request is answered. */
export type RecordViewAs = (viewer: Caller, target: ViewTarget) => Promise<void>;

export function openViewAsRecorder({ driver, tables, system, options }: AuthContext): RecordViewAs {
  const recordedAt = new Lru<string, number>(maxRecorded);
  return async ({ accountability: { user, ip, userAgent, origin } }, target) => {
    const rows = rowsOf(target).map(([collection, item]) => ({ collection: system.nameOf(collection), item }));
    const key = JSON.stringify([user, ip, rows]);
    const now = Date.now();
    if (!options.history || now - (recordedAt.get(key) ?? Number.NEGATIVE_INFINITY) < recordEveryMs) return;
    const by = { user, ip: ip?.slice(0, 50) ?? null, user_agent: userAgent, origin: origin?.slice(0, 255) ?? null };
    await tables.activity.insert(
      driver,
      rows.map((row) => ({ action: 'view_as', ...row, ...by })),
    );
    recordedAt.set(key, now);
  };
}

function rowsOf(target: ViewTarget): readonly (readonly [collection: string, item: string])[] {
  switch (target.kind) {
    case 'user':
      return [['service_users', target.id]];
    case 'role':
      return [['service_roles', target.id]];
    case 'policy':
      return target.ids.map((id) => ['service_policies', id] as const);
    case 'public':
      return [['service_policies', 'public']];
  }
}

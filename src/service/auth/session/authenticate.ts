// Turns the token of a request into its Caller. A token seen before costs two lookups in memory. A new policy or session epoch empties the
// cache, so that an ended session or a withdrawn right takes effect with the next request.

import type { Accountability } from '../../../core/access/accountability.js';
import type { Caller } from '../../../core/access/view.js';
import { Lru } from '../../../core/util/lru.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { SignedClaims } from '../../secrets/signed-token.js';
import { type AccessSnapshot, loadAccess } from '../access/load-access.js';
import { choosePolicies, type PolicySet } from '../access/policy-set.js';
import { type Account, findAccount, findAccounts, readOwnPolicies, readPoliciesOf } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { codeRequired, invalidIp } from '../refusals.js';
import { type Identity, identify, identifyUser } from './identity.js';
import { viewOfShare } from './share.js';
import { findViewed, type Viewed, type ViewTarget } from './view-as.js';

/**
 * `account`: the request signs in, reads the own account or sets up a second factor. A caller who lacks a required second factor may do
 * that, without any other right.
 */
export type Purpose = 'account' | 'anything';

export interface Authenticator {
  /** Without a token the caller is the public. Returns no promise for a token in the cache. */
  authenticate(token: string | null, client: ClientFacts, purpose: Purpose): Caller | Promise<Caller>;
  /** The caller for a user that the embedding application names. */
  authenticateUser(user: string, client: ClientFacts, purpose: Purpose): Promise<Caller>;
  /** The caller that a user is about to become, for the claims of new tokens. */
  resolve(
    owner: { readonly user: string; readonly role: string | null; readonly own: readonly string[] },
    client: ClientFacts,
  ): Promise<Caller>;
  /** The caller for work that was stored in a user's name; null when the user is gone, suspended, or excluded at this address. */
  ofUser(user: string, connection: Connection, client: ClientFacts): Promise<Caller | null>;
  /**
   * Callers for active users who make no request themselves, such as those mentioned in a comment. They have no address, so policies with
   * an allow-list of addresses do not apply to them.
   */
  ofUsers(users: readonly string[], connection: Connection): Promise<readonly Caller[]>;
  /** The caller with whose rights an administrator reads (`X-View-As`). */
  viewed(target: ViewTarget, client: ClientFacts): Promise<Viewed>;
  /** The flags that `/policies/me/globals` answers. */
  globals(caller: Caller): Promise<PolicyGlobals>;
}

interface PolicyGlobals {
  readonly app_access: boolean;
  readonly admin_access: boolean;
  readonly enforce_tfa: boolean;
}

const nowhere: ClientFacts = { ip: '', userAgent: null, origin: null };

/** Bounds of the caches. */
const maxTokens = 10_000;
const maxAddresses = 100;

interface KnownCaller {
  /** null for the public. */
  readonly identity: Identity | null;
  readonly access: AccessSnapshot;
  /** By address; a single entry when no policy is limited to addresses. */
  readonly rights: Lru<string, Rights>;
}

/** The part of an accountability that follows from the policies; computed once and copied into every request's. */
interface Rights {
  readonly set: PolicySet;
  readonly policies: readonly string[];
  readonly admin: boolean;
  readonly app: boolean;
  /** A policy requires a second factor and the user has none; `set` is empty then. */
  readonly lacksCode: boolean;
}

/** Valid for one pair of epochs. */
interface Cache {
  readonly policyEpoch: number;
  readonly sessionEpoch: number;
  readonly access: Promise<AccessSnapshot>;
  readonly byToken: Lru<string | null, KnownCaller>;
  /** Apart from the tokens, so that a token equal to the id of a user does not authenticate that user. */
  readonly byUser: Lru<string, KnownCaller>;
}

export function createAuthenticator(context: AuthContext): Authenticator {
  const verified = new Lru<string, SignedClaims>(maxTokens);
  let cache: Cache | null = null;

  const currentCache = (): Cache => {
    const policyEpoch = context.store.policyEpoch();
    const sessionEpoch = context.store.sessionEpoch();
    if (cache?.policyEpoch === policyEpoch && cache.sessionEpoch === sessionEpoch) return cache;
    const access = cache?.policyEpoch === policyEpoch ? cache.access : loadAccess(context);
    const fresh: Cache = { policyEpoch, sessionEpoch, access, byToken: new Lru(maxTokens), byUser: new Lru(maxTokens) };
    access.catch(() => {
      if (cache === fresh) cache = null;
    });
    cache = fresh;
    return fresh;
  };

  const lookUp = async (token: string | null, client: ClientFacts, purpose: Purpose): Promise<Caller> => {
    const current = currentCache();
    const identity = token === null ? null : await identify(context, token, verified);
    const known = knownCaller(identity, await current.access);
    // Rights or sessions have changed meanwhile. The caller is looked up again, because a connection that outlives the request would not
    // notice the change.
    if (currentCache() !== current) return lookUp(token, client, purpose);
    current.byToken.set(token, known);
    return toCaller(context, known, client, purpose);
  };

  const lookUpUser = async (user: string, client: ClientFacts, purpose: Purpose): Promise<Caller> => {
    const current = currentCache();
    const known = current.byUser.get(user) ?? knownCaller(await identifyUser(context, user), await current.access);
    if (currentCache() !== current) return lookUpUser(user, client, purpose);
    current.byUser.set(user, known);
    return toCaller(context, known, client, purpose);
  };

  const callerOf = (account: Account, own: readonly string[], access: AccessSnapshot, client: ClientFacts): Caller | null => {
    const withoutCode = account.tfaSecret === null;
    const identity = { user: account.id, role: account.role, own, session: null, share: null, withoutCode, endsAt: 0 };
    const known = knownCaller(identity, access);
    return rightsOf(known, client.ip).set.excluded ? null : toCaller(context, known, client, 'account');
  };

  return {
    authenticate(token, client, purpose) {
      const known = currentCache().byToken.get(token);
      if (known === undefined || (known.identity !== null && known.identity.endsAt <= Date.now())) return lookUp(token, client, purpose);
      return toCaller(context, known, client, purpose);
    },
    authenticateUser: lookUpUser,
    async resolve({ user, role, own }, client) {
      const identity = { user, role, own, session: null, share: null, withoutCode: false, endsAt: 0 };
      return toCaller(context, knownCaller(identity, await currentCache().access), client, 'account');
    },
    async ofUser(user, connection, client) {
      const account = await findAccount(context, connection, user);
      if (account?.status !== 'active') return null;
      const own = await readOwnPolicies(context, connection, user);
      return callerOf(account, own, await currentCache().access, client);
    },
    async ofUsers(users, connection) {
      const active = (await findAccounts(context, connection, users)).filter(({ status }) => status === 'active');
      if (active.length === 0) return [];
      const ids = active.map(({ id }) => id);
      const own = await readPoliciesOf(context, connection, ids);
      const access = await currentCache().access;
      return active.flatMap((account) => callerOf(account, own.get(account.id) ?? [], access, nowhere) ?? []);
    },
    async viewed(target, client) {
      return findViewed(context, await currentCache().access, target, client);
    },
    async globals({ accountability }) {
      const { policies } = await currentCache().access;
      const own = accountability.policies.flatMap((id) => policies.get(id) ?? []);
      return { app_access: accountability.app, admin_access: accountability.admin, enforce_tfa: own.some((policy) => policy.enforceTfa) };
    },
  };
}

const knownCaller = (identity: Identity | null, access: AccessSnapshot): KnownCaller => ({
  identity,
  access,
  rights: new Lru(maxAddresses),
});

function toCaller({ store }: AuthContext, known: KnownCaller, client: ClientFacts, purpose: Purpose): Caller {
  const { identity, access } = known;
  const { set, policies, admin, app, lacksCode } = rightsOf(known, client.ip);
  if (identity !== null && set.excluded) throw invalidIp();
  if (lacksCode && purpose !== 'account') throw codeRequired();
  const share = identity?.share ?? null;
  const accountability: Accountability = {
    user: identity?.user ?? null,
    role: identity?.role ?? null,
    roles: set.roles,
    policies,
    admin: admin && share === null,
    app: app && share === null,
    session: identity?.session ?? null,
    share,
    viewer: null,
    ip: client.ip,
    userAgent: client.userAgent,
    origin: client.origin,
  };
  const view = access.viewOf(set.policies, store.current());
  return { accountability, view: share === null ? view : viewOfShare(view, share) };
}

function rightsOf({ identity, access, rights }: KnownCaller, ip: string): Rights {
  const key = access.limitsAddresses ? ip : '';
  const present = rights.get(key);
  if (present !== undefined) return present;
  const chosen = choosePolicies(access, { role: identity?.role ?? null, own: identity?.own ?? [], ip });
  const lacksCode = identity?.withoutCode === true && chosen.policies.some((policy) => policy.enforceTfa);
  const set = lacksCode ? { ...chosen, policies: [] } : chosen;
  const fresh = {
    set,
    lacksCode,
    policies: set.policies.map((policy) => policy.id),
    admin: set.policies.some((policy) => policy.admin),
    app: set.policies.some((policy) => policy.app),
  };
  rights.set(key, fresh);
  return fresh;
}

// Turns the token of a request into its Caller. A token seen before costs two lookups in memory. A new policy or session epoch empties the
// cache, so that an ended session or a withdrawn right takes effect with the next request. All who wait for the same token share one lookup.

import type { Accountability } from '../../../core/access/accountability.js';
import type { Caller } from '../../../core/access/view.js';
import { Lru } from '../../../core/util/lru.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { SignedClaims } from '../../secrets/signed-token.js';
import { isListedAddress } from '../access/address-list.js';
import { type AccessSnapshot, type Bounds, loadAccess, unbounded } from '../access/load-access.js';
import { choosePolicies, type PolicySet } from '../access/policy-set.js';
import { type Account, findAccount, findAccounts, readOwnPolicies, readPoliciesOf } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { codeRequired, invalidIp } from '../refusals.js';
import type { AccessKey } from './access-key.js';
import { type Identity, identify, identifyKeyById, identifyUser } from './identity.js';
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
  /** The caller for work that was stored in the name of an access key; null when the key is gone, or may not be used at this address. */
  ofAccessKey(id: string, connection: Connection, client: ClientFacts): Promise<Caller | null>;
  /** A caller with the policies of a role, and no user; null for an unknown role, or one that is excluded at this address. */
  ofRole(role: string, client: ClientFacts): Promise<Caller | null>;
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
  /** What an access key leaves of them. */
  readonly bounds: Bounds;
  /** A policy requires a second factor and the user has none; `set` is empty then. */
  readonly lacksCode: boolean;
}

/** Valid for one pair of epochs. */
interface Cache {
  readonly policyEpoch: number;
  readonly sessionEpoch: number;
  readonly access: Promise<AccessSnapshot>;
  readonly byToken: KnownCallers<string | null>;
  /** Apart from the tokens, so that a token equal to the id of a user does not authenticate that user. */
  readonly byUser: KnownCallers<string>;
}

export function createAuthenticator(context: AuthContext): Authenticator {
  const verified = new Lru<string, SignedClaims>(maxTokens);
  let cache: Cache | null = null;

  const currentCache = (): Cache => {
    const policyEpoch = context.store.policyEpoch();
    const sessionEpoch = context.store.sessionEpoch();
    if (cache?.policyEpoch === policyEpoch && cache.sessionEpoch === sessionEpoch) return cache;
    const access = cache?.policyEpoch === policyEpoch ? cache.access : loadAccess(context);
    const fresh: Cache = { policyEpoch, sessionEpoch, access, byToken: new KnownCallers(), byUser: new KnownCallers() };
    access.catch(() => {
      if (cache === fresh) cache = null;
    });
    cache = fresh;
    return fresh;
  };

  const lookUp = async (find: (cache: Cache) => Promise<KnownCaller>, client: ClientFacts, purpose: Purpose): Promise<Caller> => {
    const current = currentCache();
    const found = await settle(find(current));
    // Rights or sessions have changed meanwhile. The caller is looked up again, because a connection that outlives the request would not
    // notice the change, and because a shared lookup may have begun before the change that made the token valid.
    if (currentCache() !== current) return lookUp(find, client, purpose);
    if ('error' in found) throw found.error;
    return toCaller(context, found.value, client, purpose);
  };

  const findByToken =
    (token: string | null) =>
    ({ byToken, access }: Cache): Promise<KnownCaller> =>
      byToken.find(token, async () => knownCaller(token === null ? null : await identify(context, token, verified), await access));

  const findByUser =
    (user: string) =>
    ({ byUser, access }: Cache): Promise<KnownCaller> =>
      byUser.find(user, async () => knownCaller(await identifyUser(context, user), await access));

  const callerOf = (account: Account, own: readonly string[], access: AccessSnapshot, client: ClientFacts): Caller | null => {
    const identity = { user: account.id, role: account.role, own, ...ofNoRequest, withoutCode: account.tfaSecret === null };
    return admitted(context, knownCaller(identity, access), client);
  };

  return {
    authenticate(token, client, purpose) {
      const known = currentCache().byToken.get(token);
      if (known === undefined) return lookUp(findByToken(token), client, purpose);
      return toCaller(context, known, client, purpose);
    },
    authenticateUser: (user, client, purpose) => lookUp(findByUser(user), client, purpose),
    resolve: async ({ user, role, own }, client) =>
      toCaller(context, knownCaller({ user, role, own, ...ofNoRequest }, await currentCache().access), client, 'account'),
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
    async ofAccessKey(id, connection, client) {
      const identity = await identifyKeyById(context, connection, id);
      return identity === null ? null : admitted(context, knownCaller(identity, await currentCache().access), client);
    },
    ofRole: async (role, client) => callerOfRole(context, role, await currentCache().access, client),
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

function callerOfRole(context: AuthContext, role: string, access: AccessSnapshot, client: ClientFacts): Caller | null {
  if (!access.roles.has(role)) return null;
  return admitted(context, knownCaller({ user: null, role, own: [], ...ofNoRequest }, access), client);
}

/** What a caller lacks who makes no request. */
const ofNoRequest = { accessKey: null, session: null, share: null, withoutCode: false, endsAt: 0 };

/** null for a caller who is excluded at this address. */
const admitted = (context: AuthContext, known: KnownCaller, client: ClientFacts): Caller | null =>
  rightsOf(known, client.ip).set.excluded ? null : toCaller(context, known, client, 'account');

/** Callers by what names them, and the lookups under way. */
class KnownCallers<K> {
  readonly #known = new Lru<K, KnownCaller>(maxTokens);
  readonly #underWay = new Map<K, Promise<KnownCaller>>();

  get(key: K): KnownCaller | undefined {
    const known = this.#known.get(key);
    return known !== undefined && known.identity !== null && known.identity.endsAt <= Date.now() ? undefined : known;
  }

  /** `lookUp` runs once for all who ask before it has ended. What it throws is not kept. */
  async find(key: K, lookUp: () => Promise<KnownCaller>): Promise<KnownCaller> {
    const present = this.get(key) ?? this.#underWay.get(key);
    if (present !== undefined) return present;
    const found = lookUp();
    this.#underWay.set(key, found);
    try {
      const known = await found;
      this.#known.set(key, known);
      return known;
    } finally {
      this.#underWay.delete(key);
    }
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settle = <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

const knownCaller = (identity: Identity | null, access: AccessSnapshot): KnownCaller => ({
  identity,
  access,
  rights: new Lru(maxAddresses),
});

function toCaller({ store, keyUse }: AuthContext, known: KnownCaller, client: ClientFacts, purpose: Purpose): Caller {
  const { identity, access } = known;
  const { set, policies, admin, app, bounds, lacksCode } = rightsOf(known, client.ip);
  if (identity !== null && set.excluded) throw invalidIp();
  if (lacksCode && purpose !== 'account') throw codeRequired();
  const share = identity?.share ?? null;
  const accessKey = identity?.accessKey ?? null;
  if (accessKey !== null) keyUse.note(accessKey.id);
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
    accessKey,
    ip: client.ip,
    userAgent: client.userAgent,
    origin: client.origin,
  };
  const view = access.viewOf(set.policies, store.current(), bounds);
  return { accountability, view: share === null ? view : viewOfShare(view, share) };
}

function rightsOf({ identity, access, rights }: KnownCaller, ip: string): Rights {
  const accessKey = identity?.accessKey ?? null;
  const key = access.limitsAddresses || (accessKey !== null && accessKey.addresses.length > 0) ? ip : '';
  const present = rights.get(key);
  if (present !== undefined) return present;
  const bounds = accessKey === null ? unbounded : boundsOf(access, accessKey);
  const owner = choosePolicies(access, { role: identity?.role ?? null, own: identity?.own ?? [], ip });
  const chosen = accessKey === null || isUsableAt(accessKey, bounds, ip) ? owner : { ...owner, policies: [], excluded: true };
  const lacksCode = identity?.withoutCode === true && [...chosen.policies, bounds.policy].some((policy) => policy?.enforceTfa);
  const set = lacksCode ? { ...chosen, policies: [] } : chosen;
  const fresh = {
    set,
    lacksCode,
    policies: set.policies.map((policy) => policy.id),
    bounds,
    admin: set.policies.some((policy) => policy.admin) && bounds.policy?.admin !== false && bounds.collections === null,
    app: set.policies.some((policy) => policy.app) && bounds.policy?.app !== false && bounds.collections === null,
  };
  rights.set(key, fresh);
  return fresh;
}

/** A policy that is gone leaves nothing. */
function boundsOf({ policies }: AccessSnapshot, { policy, collections }: AccessKey): Bounds {
  const known = policy === null ? null : (policies.get(policy) ?? null);
  return policy !== null && known === null ? { policy: null, collections: [] } : { policy: known, collections };
}

const isUsableAt = ({ addresses }: AccessKey, { policy }: Bounds, ip: string): boolean =>
  [addresses, policy?.addresses ?? []].every((list) => list.length === 0 || isListedAddress(list, ip));

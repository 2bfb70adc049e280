// From a request's token to its Caller. A token seen before costs two look-ups in memory; a new policy or session epoch makes
// everybody be looked up again, so that what ended has ended for the very next request.

import type { Accountability } from '../../core/access/accountability.js';
import type { Caller } from '../../core/access/view.js';
import type { SignedClaims } from '../secrets/signed-token.js';
import type { AuthContext, ClientFacts } from './auth-context.js';
import { type Identity, identify } from './identity.js';
import { type AccessSnapshot, loadAccess } from './load-grants.js';
import { choosePolicies, type PolicySet } from './policy-set.js';
import { codeRequired, invalidIp } from './refusals.js';
import { viewOfShare } from './share.js';

/** `account`: to sign in, to see who one is and to get a second factor; then who owes one is let in, without any right. */
export type Purpose = 'account' | 'anything';

export interface Authenticator {
  /** null: nobody says who they are, the caller is the public. */
  authenticate(token: string | null, client: ClientFacts, purpose: Purpose): Caller | Promise<Caller>;
  /** What a user would be, were he logged in from there: for tokens about to be issued. */
  resolve(
    owner: { readonly user: string; readonly role: string | null; readonly own: readonly string[] },
    client: ClientFacts,
  ): Promise<Caller>;
  /** The flags `/policies/me/globals` answers. */
  globals(caller: Caller): Promise<PolicyGlobals>;
}

interface PolicyGlobals {
  readonly app_access: boolean;
  readonly admin_access: boolean;
  readonly enforce_tfa: boolean;
}

/** How many tokens are remembered; the oldest goes first. */
const capacity = 10_000;
const addressesKept = 100;

interface Person {
  readonly identity: Identity | null;
  readonly access: AccessSnapshot;
  /** Policies by address; a single entry when no policy asks for one. */
  readonly standings: Map<string, Standing>;
}

/** What follows from a set of policies, made once and put into every request's accountability. */
interface Standing {
  readonly set: PolicySet;
  readonly policies: readonly string[];
  readonly admin: boolean;
  readonly app: boolean;
  /** A policy asks for a second factor and the user has none: there are no rights until there is one. */
  readonly owesCode: boolean;
}

/** Everything remembered belongs to one pair of epochs and is dropped with it. */
interface Memory {
  readonly policyEpoch: number;
  readonly sessionEpoch: number;
  readonly access: Promise<AccessSnapshot>;
  readonly people: Map<string | null, Person>;
}

export function createAuthenticator(context: AuthContext): Authenticator {
  const verified = new Map<string, SignedClaims>();
  let memory: Memory | null = null;

  const remember = (): Memory => {
    const policyEpoch = context.store.policyEpoch();
    const sessionEpoch = context.store.sessionEpoch();
    if (memory?.policyEpoch === policyEpoch && memory.sessionEpoch === sessionEpoch) return memory;
    const access = memory?.policyEpoch === policyEpoch ? memory.access : loadAccess(context);
    const fresh: Memory = { policyEpoch, sessionEpoch, access, people: new Map() };
    access.catch(() => {
      if (memory === fresh) memory = null;
    });
    memory = fresh;
    return fresh;
  };

  const meet = async (token: string | null, client: ClientFacts, purpose: Purpose): Promise<Caller> => {
    const present = remember();
    const identity = token === null ? null : await identify(context, token, verified);
    const person: Person = { identity, access: await present.access, standings: new Map() };
    forgetOldest(present.people);
    forgetOldest(verified);
    present.people.set(token, person);
    return toCaller(context, person, client, purpose);
  };

  return {
    authenticate(token, client, purpose) {
      const person = remember().people.get(token);
      if (person === undefined || (person.identity !== null && person.identity.endsAt <= Date.now())) return meet(token, client, purpose);
      return toCaller(context, person, client, purpose);
    },
    async resolve({ user, role, own }, client) {
      const identity = { user, role, own, session: null, share: null, lacksCode: false, endsAt: 0 };
      return toCaller(context, { identity, access: await remember().access, standings: new Map() }, client, 'account');
    },
    async globals({ accountability }) {
      const { policies } = await remember().access;
      const mine = accountability.policies.flatMap((id) => policies.get(id) ?? []);
      return { app_access: accountability.app, admin_access: accountability.admin, enforce_tfa: mine.some((policy) => policy.enforceTfa) };
    },
  };
}

function forgetOldest<K, V>(entries: Map<K, V>): void {
  if (entries.size < capacity) return;
  for (const oldest of entries.keys()) {
    entries.delete(oldest);
    return;
  }
}

function toCaller({ store }: AuthContext, person: Person, client: ClientFacts, purpose: Purpose): Caller {
  const { identity, access } = person;
  const { set, policies, admin, app, owesCode } = standingOf(person, client.ip);
  if (identity !== null && set.excluded) throw invalidIp();
  if (owesCode && purpose !== 'account') throw codeRequired();
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
    ip: client.ip,
    userAgent: client.userAgent,
    origin: client.origin,
  };
  const view = access.viewOf(set.policies, store.current());
  return { accountability, view: share === null ? view : viewOfShare(view, share) };
}

function standingOf({ identity, access, standings }: Person, ip: string): Standing {
  const key = access.asksForAddress ? ip : '';
  const known = standings.get(key);
  if (known !== undefined) return known;
  if (standings.size >= addressesKept) standings.clear();
  const chosen = choosePolicies(access, { role: identity?.role ?? null, own: identity?.own ?? [], ip });
  const owesCode = identity?.lacksCode === true && chosen.policies.some((policy) => policy.enforceTfa);
  const set = owesCode ? { ...chosen, policies: [] } : chosen;
  const standing = {
    set,
    owesCode,
    policies: set.policies.map((policy) => policy.id),
    admin: set.policies.some((policy) => policy.admin),
    app: set.policies.some((policy) => policy.app),
  };
  standings.set(key, standing);
  return standing;
}

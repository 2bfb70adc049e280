// From an identity that a provider has proved to the account that it belongs to: known already, named by an administrator, linked by a
// verified address where the settings allow it, or new. An address alone never opens an account.

import { DatabaseError } from '../../../core/vendor/database-error.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { digestToken } from '../../secrets/token.js';
import { sendMail, servicePage } from '../account/send-mail.js';
import { type Account, findAccount, findAccountByEmail } from '../account.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { readEmail } from '../email.js';
import type { Authenticator } from '../session/authenticate.js';
import { toTime } from '../session/sessions.js';
import { readAccountSettings } from '../settings.js';
import { applyRights, rightsOfGroups } from './group-rights.js';
import { IdentityRefused, type ProvedIdentity } from './provider.js';
import type { ProviderRegistry } from './registry.js';
import type { ProviderSettings } from './settings/provider-settings.js';

/** The key of an identity. JSON keeps its parts apart, whatever characters they contain. */
export const digestOf = (provider: string, { issuer, subject }: Pick<ProvedIdentity, 'issuer' | 'subject'>): string =>
  digestToken(JSON.stringify([provider, issuer, subject]));

/** What a session stores of the provider's session id. */
export const sessionDigestOf = (provider: string, issuer: string, session: string): string =>
  digestToken(JSON.stringify(['session', provider, issuer, session]));

export interface FoundAccount {
  readonly account: Account;
  readonly identity: string;
  /** Rights that groups would have given but may not give, for the log. */
  readonly withheld: readonly string[];
}

interface FindDeps {
  readonly context: AuthContext;
  readonly authenticator: Authenticator;
  readonly providers: Pick<ProviderRegistry, 'known'>;
  readonly client: ClientFacts;
}

/** Throws IdentityRefused if no account may sign in by this identity; nothing is stored then. */
export async function findSignOnAccount(deps: FindDeps, settings: ProviderSettings, proved: ProvedIdentity): Promise<FoundAccount> {
  try {
    return await findOrAdd(deps, settings, proved);
  } catch (error) {
    // A concurrent login of the same person may have created the account first; the second attempt finds it.
    if (isUnique(error) || (error instanceof IdentityRefused && (await isKnown(deps, settings, proved))))
      return findOrAdd(deps, settings, proved);
    throw error;
  }
}

const isUnique = (error: unknown): boolean => error instanceof DatabaseError && error.kind === 'unique';

async function isKnown({ context: { tables, driver } }: FindDeps, { name }: ProviderSettings, proved: ProvedIdentity): Promise<boolean> {
  return (await tables.identities.read(driver, ['user'], { digest: digestOf(name, proved) })).length > 0;
}

async function findOrAdd(deps: FindDeps, settings: ProviderSettings, proved: ProvedIdentity): Promise<FoundAccount> {
  const { context } = deps;
  const identity = digestOf(settings.name, proved);
  const { linked, ...found } = await changeAccounts(context, async (connection) => {
    const known = await findKnown(context, connection, settings.name, identity, proved);
    const link = known === null ? await findByEmail(deps, connection, settings, proved) : null;
    const account = known ?? link ?? (await addAccount(context, connection, settings, proved));
    if (account.status !== 'active') throw new IdentityRefused(`the account ${account.id} is not active`);
    await keepIdentity(context, connection, settings.name, identity, account.id, proved);
    const rights = await rightsOfGroups(context, connection, settings.provision, proved.groups, known === null && link === null);
    const role = await applyRights(context, connection, account, rights);
    if (known !== null && settings.provision.syncUserInfo) await takeOver(context, connection, settings, account, proved);
    return { account: { ...account, role }, identity, withheld: rights.withheld, linked: link };
  });
  if (linked !== null) await notifyOwner(context, linked);
  return found;
}

/** Adds an identity to the account of a user who is signed in and has proved it. Throws IdentityRefused if it belongs to another account. */
export async function linkIdentity(context: AuthContext, provider: string, user: string, proved: ProvedIdentity): Promise<void> {
  const identity = digestOf(provider, proved);
  await changeAccounts(context, async (connection) => {
    const known = await findKnown(context, connection, provider, identity, proved);
    if (known !== null && known.id !== user) throw new IdentityRefused('the identity belongs to another account');
    const account = await findAccount(context, connection, user);
    if (account?.status !== 'active') throw new IdentityRefused(`the account ${user} is not active`);
    if (known === null && (await context.tables.identities.read(connection, ['digest'], { user }, maxIdentities)).length >= maxIdentities)
      throw new IdentityRefused(`the account ${user} has ${maxIdentities} identities already`);
    await keepIdentity(context, connection, provider, identity, user, proved);
  });
}

/** A bound against mistakes and abuse; no user needs more. */
const maxIdentities = 20;

/** Finds the user by a stored identity, or else by the `external_identifier` that an administrator or an adopted database has set. */
async function findKnown(
  context: AuthContext,
  connection: Connection,
  provider: string,
  identity: string,
  { subject }: ProvedIdentity,
): Promise<Account | null> {
  const { identities, users } = context.tables;
  const [row] = await identities.read(connection, ['user'], { digest: identity });
  const account = row === undefined ? null : await findAccount(context, connection, row.user);
  if (account !== null) return account;
  if (row !== undefined) await identities.delete(connection, { digest: identity });
  const named = await users.read(connection, ['id', 'external_identifier'], { provider, external_identifier: subject });
  // A collation may ignore case, but subjects are case-sensitive.
  const [exact] = named.filter((user) => user.external_identifier === subject);
  return exact === undefined ? null : findAccount(context, connection, exact.id);
}

/**
 * LINK_BY_EMAIL: finds the account with the same address, if the provider calls the address verified. Refuses accounts with a second
 * factor, which the provider would bypass, accounts of administrators, and accounts that were created through a provider without verified
 * addresses: an attacker could have created one in advance to catch the owner of the address.
 */
async function findByEmail(
  { context, authenticator, providers, client }: FindDeps,
  connection: Connection,
  { name, provision }: ProviderSettings,
  { email, emailVerified }: ProvedIdentity,
): Promise<Account | null> {
  if (!provision.linkByEmail || !emailVerified || email === null) return null;
  const account = await findAccountByEmail(context, connection, email);
  if (account === null || account.status !== 'active') return null;
  const refuse = (why: string): never => {
    throw new IdentityRefused(`the account ${account.id} ${why}, and is not linked to ${name} by its address`);
  };
  const passkeys = await context.tables.passkeys.read(connection, ['digest'], { user: account.id }, 1);
  if (account.tfaSecret !== null || passkeys.length > 0) refuse('has a second factor');
  const caller = await authenticator.ofUser(account.id, connection, client);
  if (caller === null || caller.accountability.admin) refuse("is an administrator's");
  const maker = providers.known().find((provider) => provider.name === account.provider);
  if (account.provider !== 'default' && maker?.driver !== 'local' && maker?.provision.requireVerifiedEmail !== true)
    refuse(`came by ${account.provider}, which does not demand verified addresses (REQUIRE_VERIFIED_EMAIL)`);
  return account;
}

async function addAccount(
  context: AuthContext,
  connection: Connection,
  { name, provision }: ProviderSettings,
  proved: ProvedIdentity,
): Promise<Account> {
  if (!provision.allowRegistration) throw new IdentityRefused('no account has this identity, and ALLOW_PUBLIC_REGISTRATION is off');
  if (provision.requireVerifiedEmail && !proved.emailVerified) throw new IdentityRefused('the provider does not call the address verified');
  const email = proved.email === null ? null : readEmail(proved.email);
  if (email !== null && (await findAccountByEmail(context, connection, email)) !== null)
    throw new IdentityRefused('the address belongs to an account already');
  const { users } = context.tables;
  const taken = await users.read(connection, ['id'], { external_identifier: proved.subject });
  const id = crypto.randomUUID();
  await users.insert(connection, [
    {
      ...{ id, email, status: 'active', provider: name, role: null, ...namesOf(proved) },
      // The column is unique over all providers, so only the first user with this subject gets it.
      external_identifier: taken.length === 0 && proved.subject.length <= 255 ? proved.subject : null,
    },
  ]);
  return { id, email, password: null, status: 'active', role: null, provider: name, tfaSecret: null, tfaLastStep: null };
}

const namesOf = ({ firstName, lastName }: ProvedIdentity) => ({
  first_name: firstName?.slice(0, 50) ?? null,
  last_name: lastName?.slice(0, 50) ?? null,
});

async function keepIdentity(
  { tables: { identities } }: AuthContext,
  connection: Connection,
  provider: string,
  digest: string,
  user: string,
  { issuer, subject, email }: ProvedIdentity,
): Promise<void> {
  const seen = { email: email?.slice(0, 255) ?? null, last_used: toTime(Date.now()) };
  const updated = await identities.update(connection, seen, { digest });
  if (updated === 0) await identities.insert(connection, [{ digest, user, provider, issuer, subject, ...seen }]);
}

/**
 * SYNC_USER_INFO: copies name and address from the provider. Keeps the old address if another account has the new one, or if it must be
 * verified and is not: an account that this provider did not make may be linked by its address later (`findByEmail`).
 */
async function takeOver(
  context: AuthContext,
  connection: Connection,
  { name, provision }: ProviderSettings,
  account: Account,
  proved: ProvedIdentity,
): Promise<void> {
  const mustBeVerified = provision.requireVerifiedEmail || account.provider !== name;
  const isClaim = proved.email === null || (mustBeVerified && !proved.emailVerified);
  const email = isClaim ? null : readEmail(proved.email ?? '');
  const isFree = email !== null && (await findAccountByEmail(context, connection, email)) === null;
  const change = Object.entries({ ...namesOf(proved), email: isFree ? email : null }).filter(([, value]) => value !== null);
  if (change.length > 0) await context.tables.users.update(connection, Object.fromEntries(change), { id: account.id });
}

async function notifyOwner(context: AuthContext, { email }: Account): Promise<void> {
  if (email === null) return;
  const { project } = await readAccountSettings(context, context.driver);
  sendMail(context, { name: 'linked', to: email, link: servicePage(context, '/'), token: null, project });
}

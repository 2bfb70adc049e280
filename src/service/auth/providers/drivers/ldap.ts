// LDAP: the service's own account finds the entry of the user, then the user's password is tried on it. Names and passwords of clients reach the
// server as values of the protocol, never as part of a filter's text. Every login has connections of its own, within bounds of time.

import { isIP } from 'node:net';
import type { Client, Entry, SearchOptions } from 'ldapts';
import { isLoopback } from '../../../../core/util/loopback.js';
import { type Finding, IdentityRefused, type PasswordProvider, type ProvedIdentity, ProviderAway } from '../provider.js';
import type { LdapSettings } from '../settings/provider-settings.js';

const loadPackage = () => import('ldapts');
type Package = Awaited<ReturnType<typeof loadPackage>>;

export async function openLdap(settings: LdapSettings): Promise<PasswordProvider> {
  const ldap = await loadPackage();
  const boundAsReader = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
    withClient(ldap, settings, async (client) => {
      if (settings.bindDn !== null) await bindService(client, settings, settings.bindDn);
      return work(client);
    });
  return {
    kind: 'password',
    async prove(identifier, password) {
      // A bind without a password is an anonymous bind, which servers accept.
      if (password === '') throw new IdentityRefused('an empty password');
      const filter = new ldap.EqualityFilter({ attribute: settings.userAttribute, value: identifier });
      const { userDn: base, userScope: scope } = settings;
      const proved = await boundAsReader(async (client) =>
        describe(ldap, client, settings, await findOne(client, settings, base, { scope, filter })),
      );
      await withClient(ldap, settings, (client) => client.bind(proved.subject, password));
      return proved;
    },
    renew: (subject) =>
      boundAsReader(async (client) => describe(ldap, client, settings, await findOne(client, settings, subject, { scope: 'base' }))),
    probe: () => boundAsReader((client) => lookForPeople(ldap, client, settings)),
  };
}

/** An LDAP result code is an answer of the server; any other error means that the server could not be reached. */
async function withClient<T>(
  { Client: LdapClient, ResultCodeError }: Package,
  settings: LdapSettings,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { name, url, timeoutMs, tls } = settings;
  const { protocol, hostname } = new URL(url);
  const client = new LdapClient({
    url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    ...(protocol === 'ldaps:' ? { tlsOptions: tls } : {}),
  });
  try {
    if (protocol === 'ldap:' && (settings.startTls || !isLoopback(hostname))) await startTls(client, settings, hostname);
    return await work(client);
  } catch (error) {
    if (error instanceof IdentityRefused || error instanceof ProviderAway) throw error;
    const isAnswer = error instanceof ResultCodeError && !awayCodes.has(error.code);
    throw isAnswer ? new IdentityRefused(`the server says: ${error.message}`) : new ProviderAway(name, explain(error));
  } finally {
    await client.unbind().catch(() => undefined);
  }
}

/**
 * Works around three gaps of the package: it does not name the expected host of the certificate (which for an IP address would default to
 * `localhost`), does not limit the time of the TLS handshake, and modifies the options it is given.
 */
async function startTls(client: Client, { tls, timeoutMs }: LdapSettings, hostname: string): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no TLS within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([client.startTLS({ host, ...(isIP(host) === 0 ? { servername: host } : {}), ...tls }), late]);
  } finally {
    clearTimeout(timer);
  }
}

const certificateCodes = /^(?:ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|UNABLE_TO_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT\w*)$/;

/** Names a refused certificate as such, because an operator can fix it. */
function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!certificateCodes.test(code)) return error;
  return new Error(`its certificate is refused (${code}); CLIENT_TLS_OPTIONS can name the authority, as {"ca":"<PEM>"}`, { cause: error });
}

/** Busy, unavailable, unwilling. */
const awayCodes: ReadonlySet<number> = new Set([51, 52, 53]);

/** If the server refuses the service's own account, the cause is the configuration, not the user. */
async function bindService(client: Client, { name, bindPassword }: LdapSettings, dn: string): Promise<void> {
  try {
    await client.bind(dn, bindPassword ?? '');
  } catch (error) {
    throw new ProviderAway(name, explain(error));
  }
}

/** Exactly one entry: of two it is not known which is meant. */
async function findOne(client: Client, settings: LdapSettings, base: string, options: SearchOptions): Promise<Entry> {
  const { mailAttribute, firstNameAttribute, lastNameAttribute } = settings;
  const attributes = ['uid', 'userAccountControl', mailAttribute, firstNameAttribute, lastNameAttribute];
  const { searchEntries } = await client.search(base, { ...options, attributes, sizeLimit: 2 });
  const [entry] = searchEntries;
  if (entry === undefined || searchEntries.length !== 1) throw new IdentityRefused(`${searchEntries.length} entries have this name`);
  return entry;
}

async function lookForPeople(ldap: Package, client: Client, settings: LdapSettings): Promise<readonly Finding[]> {
  const { url, userDn, userAttribute: attribute, userScope: scope } = settings;
  const answers = { level: 'good', code: 'DIRECTORY_ANSWERS', message: `The directory at ${new URL(url).host} answers.` } as const;
  const filter = new ldap.PresenceFilter({ attribute });
  const hasPeople = await client
    .search(userDn, { scope, filter, attributes: ['1.1'], sizeLimit: 1 })
    .then(({ searchEntries }) => searchEntries.length > 0)
    .catch((error: unknown) => {
      if (error instanceof ldap.SizeLimitExceededError) return true;
      throw error;
    });
  return hasPeople
    ? [answers, { level: 'good', code: 'PEOPLE_FOUND', message: `There are entries with "${attribute}" at ${userDn}.` }]
    : [answers, { level: 'bad', code: 'NO_PEOPLE', message: `No entry at ${userDn} has "${attribute}", or none may be read.` }];
}

/** Disabled, locked, expired: the flags of Active Directory. */
const barredFlags = 0x2 | 0x10 | 0x80_00_00;

async function describe(ldap: Package, client: Client, settings: LdapSettings, entry: Entry): Promise<ProvedIdentity> {
  const flags = Number(textOf(entry['userAccountControl']) ?? 0);
  if ((flags & barredFlags) !== 0) throw new IdentityRefused(`the entry ${entry.dn} is disabled, locked or expired`);
  return {
    issuer: new URL(settings.url).host,
    subject: entry.dn,
    email: textOf(entry[settings.mailAttribute]),
    // The addresses in a directory are trusted no more than those of any other provider.
    emailVerified: false,
    firstName: textOf(entry[settings.firstNameAttribute]),
    lastName: textOf(entry[settings.lastNameAttribute]),
    groups: settings.groupDn === null ? null : await groupsOf(ldap, client, settings, settings.groupDn, entry),
    token: null,
    session: null,
  };
}

/** The names of the groups that list the entry; `memberUid` lists users by their `uid`. */
async function groupsOf(ldap: Package, client: Client, settings: LdapSettings, base: string, entry: Entry): Promise<readonly string[]> {
  const { groupAttribute: attribute, groupScope: scope } = settings;
  const value = attribute.toLowerCase() === 'memberuid' ? textOf(entry['uid']) : entry.dn;
  if (value === null) return [];
  const filter = new ldap.EqualityFilter({ attribute, value });
  const { searchEntries } = await client.search(base, { scope, filter, attributes: ['cn'], sizeLimit: 1000 });
  return searchEntries.flatMap((group) => textOf(group['cn']) ?? []);
}

function textOf(value: Entry[string] | undefined): string | null {
  const [first] = [value].flat();
  if (first === undefined || first === '') return null;
  return String(first);
}

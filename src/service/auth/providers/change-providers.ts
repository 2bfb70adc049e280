// Administrators add, change and remove providers. Secrets are kept sealed, and stay while they are not given again; what is recorded names the
// provider and nothing of its settings.

import type { Caller } from '../../../core/access/view.js';
import { forbidden, invalidPayload, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import type { PlainObject } from '../../../core/util/plain-object.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { AuthContext, ClientFacts } from '../auth-context.js';
import { changeAccounts } from '../change-accounts.js';
import { plainName, type WrittenSettings } from './settings/given-settings.js';
import type { ProviderSettings } from './settings/provider-settings.js';
import { isProviderName, isSameName, noProviderName, readSettings } from './settings/read-settings.js';
import { isSecret, movedReceiver, stars, travels } from './settings/secret-settings.js';
import type { SignOnDeps } from './sign-on.js';
import { closeSettings, readStored } from './stored-providers.js';

/** The drivers of providers that administrators can add. */
export const keptDrivers = ['openid', 'oauth2', 'saml', 'ldap'] as const;
type KeptDriver = (typeof keptDrivers)[number];

const maxProviders = 50;
const maxSettings = 100;
const maxTextLength = 262_144;

export async function createProvider(
  { auth, environment }: SignOnDeps,
  caller: Caller,
  { name, driver, settings }: { readonly name: string; readonly driver: KeptDriver; readonly settings: PlainObject },
  client: ClientFacts,
): Promise<void> {
  if (!isProviderName(name)) throw invalidPayload(`"name" is ${noProviderName}.`);
  if (environment.names.some((other) => isSameName(other, name)))
    throw invalidPayload(`"name": the environment has a provider "${name}" already (AUTH_PROVIDERS).`);
  const { written } = readGiven(name, { DRIVER: driver }, settings);
  await change(auth, 'create', name, caller, client, async (connection) => {
    const rows = await auth.tables.providers.read(connection, ['name']);
    if (rows.some((row) => isSameName(row.name, name))) throw invalidPayload(`"name": there is a provider "${name}" already.`);
    if (rows.length >= maxProviders) throw invalidPayload(`There are ${maxProviders} providers already.`);
    await auth.tables.providers.insert(connection, [{ name, ...closeSettings(auth, name, written), changed: now() }]);
  });
}

/** Settings that are not sent keep their values; null or an empty text removes one. */
export async function updateProvider(
  { auth }: SignOnDeps,
  caller: Caller,
  { name, settings }: { readonly name: string; readonly settings: PlainObject },
  client: ClientFacts,
): Promise<void> {
  await change(auth, 'update', name, caller, client, async (connection) => {
    const { written } = readGiven(name, await writtenNow(auth, connection, name), settings);
    await auth.tables.providers.update(connection, { ...closeSettings(auth, name, written), changed: now() }, { name });
  });
}

export async function deleteProvider({ auth }: SignOnDeps, caller: Caller, name: string, client: ClientFacts): Promise<void> {
  await change(auth, 'delete', name, caller, client, async (connection) => {
    await writtenNow(auth, connection, name);
    await auth.tables.providers.delete(connection, { name });
  });
}

/** Merges `given` into the stored settings. Throws INVALID_PAYLOAD that names each setting with an invalid value. */
export function readGiven(
  name: string,
  before: WrittenSettings,
  given: PlainObject,
): { readonly written: WrittenSettings; readonly settings: ProviderSettings } {
  const problems: string[] = [];
  const written = merge(before, textsOf(given, problems), problems);
  const settings = readSettings(name, written, problems);
  if (settings === null || problems.length > 0) throw unusable(problems);
  return { written, settings };
}

/** FORBIDDEN for a provider that is not there, as for any other item. */
export async function writtenNow(auth: AuthContext, connection: Connection, name: string): Promise<WrittenSettings> {
  const found = (await readStored(auth, connection)).find((provider) => provider.name === name);
  if (found === undefined) throw forbidden();
  return found.written;
}

function unusable(problems: readonly string[]): ServiceError {
  const reason = `These settings cannot be used. ${problems.join('. ')}.`;
  return serviceError('INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason, problems });
}

function textsOf(given: PlainObject, problems: string[]): WrittenSettings {
  const entries = Object.entries(given);
  if (entries.length > maxSettings) throw invalidPayload(`"settings" holds more than ${maxSettings} entries.`);
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const name = plainName(key);
      const text = textOf(value);
      if (name === 'DRIVER' || !/^[A-Z][A-Z0-9_]{0,99}$/.test(name)) problems.push(`${key.slice(0, 100)}: is no name of a setting`);
      else if (text.length > maxTextLength) problems.push(`${name}: is longer than ${maxTextLength} characters`);
      else return [[name, text]];
      return [];
    }),
  );
}

/** Variables of the environment are texts; a body may say the same with the types of JSON. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function merge(before: WrittenSettings, given: WrittenSettings, problems: string[]): WrittenSettings {
  const isKept = (name: string): boolean => isSecret(name) && (given[name] ?? stars) === stars;
  const merged = Object.fromEntries(
    Object.entries({ ...before, ...given }).flatMap(([name, value]) => {
      const text = isKept(name) ? before[name] : value;
      if (text === undefined) problems.push(`${name}: has to be given, since there is none`);
      if (text === stars && isSecret(name)) problems.push(`${name}: has to be given again, since it was sealed with another SECRET`);
      return text === undefined || text === '' ? [] : [[name, text] as const];
    }),
  );
  const moved = movedReceiver(before, merged);
  if (moved !== null)
    for (const name of Object.keys(merged).filter((key) => isKept(key) && travels(key)))
      problems.push(`${name}: has to be given again, since ${moved} leads to another place`);
  return merged;
}

const now = (): string => new Date().toISOString();

/** Raises the epoch first, whose row stays locked, so that of two concurrent changes the second sees the first. */
const change = (
  auth: AuthContext,
  action: 'create' | 'update' | 'delete',
  name: string,
  { accountability: { user } }: Caller,
  { ip, userAgent, origin }: ClientFacts,
  act: (connection: Connection) => Promise<void>,
): Promise<void> =>
  changeAccounts(auth, async (connection) => {
    await auth.store.bumpEpoch(connection, 'policy');
    await act(connection);
    if (!auth.options.history) return;
    const by = { user, ip: ip.slice(0, 50), user_agent: userAgent, origin: origin?.slice(0, 255) ?? null };
    await auth.tables.activity.insert(connection, [{ action, collection: 'service_providers', item: name, ...by }]);
  });

// The settings of providers to log in by: AUTH_PROVIDERS names them, AUTH_<NAME>_… tells of each. The names are those of Directus, so that an
// existing .env works; a setting that means nothing here is refused, and none is dropped in silence.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isLoopback } from './core/util/loopback.js';
import { readIdentityProvider, readOwnEntityId } from './service/auth/providers/drivers/saml-metadata.js';
import {
  authMethods,
  type ClientProviderSettings,
  type LdapSettings,
  type Oauth2Settings,
  type OpenidSettings,
  type ProviderSettings,
  type ProvisionSettings,
  type RedirectProviderSettings,
  type SamlIdentityProvider,
  type SamlSettings,
  signedParts,
} from './service/auth/providers/provider-settings.js';
import * as kinds from './setting-kinds.js';

export type ProviderVariables = Readonly<Record<string, string>>;

const drivers = ['local', 'oauth2', 'openid', 'ldap', 'saml'] as const;

/** The settings of every provider. What cannot be used is added to `problems`, one line each. */
export function readProviders(names: readonly string[], variables: ProviderVariables, problems: string[]): readonly ProviderSettings[] {
  const twice = names.find((name, index) => names.findIndex((other) => other.toUpperCase() === name.toUpperCase()) !== index);
  if (twice !== undefined) problems.push(`AUTH_PROVIDERS: names "${twice}" twice`);
  return names.flatMap((name) => readProvider(name, variables, problems) ?? []);
}

function readProvider(name: string, variables: ProviderVariables, problems: string[]): ProviderSettings | null {
  if (!/^[a-z0-9_-]{1,64}$/i.test(name) || name.toLowerCase() === 'default') {
    problems.push(`AUTH_PROVIDERS: "${name}" is no name of letters, digits, dashes and underscores, other than default`);
    return null;
  }
  const before = problems.length;
  const given = new GivenSettings(name, variables, problems);
  const driver = given.needed('DRIVER', kinds.choice(...drivers));
  const settings = driver === null ? null : readBy(driver, name, given);
  if (driver !== null) given.refuseOthers();
  return problems.length > before ? null : settings;
}

function readBy(driver: (typeof drivers)[number], name: string, given: GivenSettings): ProviderSettings {
  const common = { name, label: given.read('LABEL', kinds.text, name), icon: given.read('ICON', kinds.text, 'account_circle') };
  switch (driver) {
    case 'local':
      return { ...common, driver, provision: noProvision };
    case 'openid':
      return { ...common, ...readOpenid(given) };
    case 'oauth2':
      return { ...common, ...readOauth2(given) };
    case 'ldap':
      return { ...common, ...readLdap(given) };
    case 'saml':
      return { ...common, ...readSaml(given) };
  }
}

type WithoutCommon<T> = Omit<T, 'name' | 'label' | 'icon'>;

function readOpenid(given: GivenSettings): WithoutCommon<OpenidSettings> {
  // The service starts without its providers, and asks them at the first login.
  given.read('ISSUER_DISCOVERY_MUST_SUCCEED', kinds.onOff, true);
  return {
    driver: 'openid',
    issuerUrl: given.needed('ISSUER_URL', endpoint) ?? '',
    ...readClient(given, 'openid profile email', { identifier: 'sub', firstName: 'given_name', lastName: 'family_name' }),
  };
}

function readOauth2(given: GivenSettings): WithoutCommon<Oauth2Settings> {
  const profileUrl = given.needed('PROFILE_URL', endpoint) ?? '';
  const emailKey = given.read('EMAIL_KEY', kinds.text, 'email');
  return {
    driver: 'oauth2',
    authorizeUrl: given.needed('AUTHORIZE_URL', endpoint) ?? '',
    accessUrl: given.needed('ACCESS_URL', endpoint) ?? '',
    profileUrl,
    emailsUrl: given.read('EMAILS_URL', endpoint, profileUrl === 'https://api.github.com/user' ? `${profileUrl}/emails` : null),
    ...readClient(given, 'email', { identifier: emailKey, firstName: 'first_name', lastName: 'last_name' }),
  };
}

const scopes = kinds.choice('base', 'one', 'sub');

function readLdap(given: GivenSettings): WithoutCommon<LdapSettings> {
  const groupDn = given.read('GROUP_DN', kinds.text, null);
  return {
    driver: 'ldap',
    url: given.needed('CLIENT_URL', kinds.url('ldap:', 'ldaps:')) ?? 'ldap://localhost',
    startTls: given.read('CLIENT_START_TLS', kinds.onOff, false),
    tls: given.read('CLIENT_TLS_OPTIONS', jsonObject, {}),
    timeoutMs: given.read('CLIENT_TIMEOUT', milliseconds, defaultTimeoutMs),
    bindDn: given.read('BIND_DN', kinds.text, null),
    bindPassword: given.read('BIND_PASSWORD', kinds.text, null),
    userDn: given.needed('USER_DN', kinds.text) ?? '',
    userAttribute: given.read('USER_ATTRIBUTE', attributeName, 'cn'),
    userScope: given.read('USER_SCOPE', scopes, 'one'),
    mailAttribute: given.read('MAIL_ATTRIBUTE', attributeName, 'mail'),
    firstNameAttribute: given.read('FIRST_NAME_ATTRIBUTE', attributeName, 'givenName'),
    lastNameAttribute: given.read('LAST_NAME_ATTRIBUTE', attributeName, 'sn'),
    groupDn,
    groupAttribute: given.read('GROUP_ATTRIBUTE', attributeName, 'member'),
    groupScope: given.read('GROUP_SCOPE', scopes, 'one'),
    provision: {
      ...noProvision,
      // Who is in the directory of an organisation belongs to it.
      allowRegistration: true,
      groupsNameRoles: groupDn !== null,
      defaultRole: given.read('DEFAULT_ROLE_ID', kinds.text, null),
      policyMapping: given.read('POLICY_MAPPING', listMapping, null),
      syncUserInfo: given.read('SYNC_USER_INFO', kinds.onOff, false),
      allowAdmin: given.read('ALLOW_ADMIN', kinds.onOff, false),
    },
  };
}

/** Names of claims as Directus has them by default. */
const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

function readSaml(given: GivenSettings): WithoutCommon<SamlSettings> {
  const written = given.read('SP_METADATA', ownEntityId, null);
  return {
    driver: 'saml',
    identityProvider: given.needed('IDP_METADATA', identityProvider) ?? nobodysMetadata,
    entityId: given.read('SP_ENTITY_ID', kinds.text, written),
    key: readKey(given),
    signed: given.read('IDP_SIGNS', kinds.choice(...signedParts), 'both'),
    ...readRedirect(given),
    identifierKey: given.read('IDENTIFIER_KEY', kinds.text, `${claims}/nameidentifier`),
    emailKey: given.read('EMAIL_KEY', kinds.text, `${claims}/emailaddress`),
    firstNameKey: given.read('GIVEN_NAME_KEY', kinds.text, `${claims}/givenname`),
    lastNameKey: given.read('FAMILY_NAME_KEY', kinds.text, `${claims}/surname`),
  };
}

/** Takes the place of metadata that were refused. */
const nobodysMetadata: SamlIdentityProvider = { entityId: '', loginUrl: '', logoutUrl: null, certificates: [] };

function readKey(given: GivenSettings): SamlSettings['key'] {
  const [privateKey, certificate] = [given.read('SP_PRIVATE_KEY', pemKey, null), given.read('SP_SIGNING_CERT', pemCertificate, null)];
  if (privateKey !== null && certificate !== null) {
    if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) return { privateKey, certificate };
    given.refuse('SP_SIGNING_CERT', 'is of another key than SP_PRIVATE_KEY');
  } else if (privateKey !== null) given.refuse('SP_SIGNING_CERT', 'is required with SP_PRIVATE_KEY');
  else if (certificate !== null) given.refuse('SP_PRIVATE_KEY', 'is required with SP_SIGNING_CERT');
  return null;
}

interface KeyDefaults {
  readonly identifier: string;
  readonly firstName: string;
  readonly lastName: string;
}

const defaultTimeoutMs = 5000;

type ClaimKeys = 'identifierKey' | 'emailKey' | 'firstNameKey' | 'lastNameKey';

const readRedirect = (given: GivenSettings): Omit<RedirectProviderSettings, 'name' | 'label' | 'icon' | 'driver' | ClaimKeys> => ({
  mode: given.read('MODE', kinds.choice('session', 'cookie'), 'session'),
  redirectAllowList: given.read('REDIRECT_ALLOW_LIST', listOrJson, []),
  cookieSecure: given.read('COOKIE_SECURE', kinds.onOff, false),
  loginTimeoutMs: given.read('LOGIN_TIMEOUT', kinds.duration, 300_000),
  groupClaim: given.read('GROUP_CLAIM_NAME', kinds.text, 'groups'),
  provision: readProvision(given),
});

function readClient(
  given: GivenSettings,
  scope: string,
  keys: KeyDefaults,
): Omit<ClientProviderSettings, 'name' | 'label' | 'icon' | 'driver'> {
  if (given.read('PLAIN_CODE_CHALLENGE', kinds.onOff, false))
    given.refuse('PLAIN_CODE_CHALLENGE', 'cannot be on: code challenges are hashed (S256), as plain ones protect nothing');
  return {
    ...readRedirect(given),
    clientId: given.needed('CLIENT_ID', kinds.text) ?? '',
    clientSecret: given.read('CLIENT_SECRET', kinds.text, null),
    authMethod: given.read('CLIENT_TOKEN_ENDPOINT_AUTH_METHOD', kinds.choice(...authMethods), null),
    privateKeys: given.read('CLIENT_PRIVATE_KEYS', keyList, []),
    timeoutMs: given.read('CLIENT_HTTP_TIMEOUT', milliseconds, defaultTimeoutMs),
    client: given.readAll('CLIENT_'),
    scope: given.read('SCOPE', kinds.text, scope),
    params: given.read('PARAMS', textsByName, {}),
    identifierKey: given.read('IDENTIFIER_KEY', kinds.text, keys.identifier),
    emailKey: given.read('EMAIL_KEY', kinds.text, 'email'),
    firstNameKey: given.read('FIRST_NAME_KEY', kinds.text, keys.firstName),
    lastNameKey: given.read('LAST_NAME_KEY', kinds.text, keys.lastName),
  };
}

const noProvision: ProvisionSettings = {
  allowRegistration: false,
  requireVerifiedEmail: false,
  linkByEmail: false,
  syncUserInfo: false,
  defaultRole: null,
  roleMapping: null,
  policyMapping: null,
  groupsNameRoles: false,
  allowAdmin: false,
};

const readProvision = (given: GivenSettings): ProvisionSettings => ({
  allowRegistration: given.read('ALLOW_PUBLIC_REGISTRATION', kinds.onOff, false),
  requireVerifiedEmail: given.read('REQUIRE_VERIFIED_EMAIL', kinds.onOff, false),
  linkByEmail: given.read('LINK_BY_EMAIL', kinds.choice('verified', 'off'), 'off') === 'verified',
  syncUserInfo: given.read('SYNC_USER_INFO', kinds.onOff, false),
  defaultRole: given.read('DEFAULT_ROLE_ID', kinds.text, null),
  roleMapping: given.read('ROLE_MAPPING', mapping, null),
  policyMapping: given.read('POLICY_MAPPING', listMapping, null),
  groupsNameRoles: false,
  allowAdmin: given.read('ALLOW_ADMIN', kinds.onOff, false),
});

/** The settings of one provider. Remembers which were read, so that the others can be refused. */
class GivenSettings {
  readonly #prefix: string;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #problems: string[];
  readonly #read = new Set<string>();

  constructor(name: string, variables: ProviderVariables, problems: string[]) {
    this.#prefix = `AUTH_${name.toUpperCase()}_`;
    this.#problems = problems;
    this.#variables = new Map(
      Object.entries(variables)
        .filter(([key, value]) => key.startsWith(this.#prefix) && value !== '')
        .map(([key, value]) => [plainName(key.slice(this.#prefix.length)), value]),
    );
  }

  read<T, D>(name: string, kind: kinds.Kind<T>, otherwise: D): T | D {
    this.#read.add(name);
    const written = this.#variables.get(name);
    if (written === undefined) return otherwise;
    try {
      return kind.parse(written);
    } catch {
      this.refuse(name, `is not ${kind.wanted}`);
      return otherwise;
    }
  }

  needed<T>(name: string, kind: kinds.Kind<T>): T | null {
    if (!this.#variables.has(name)) this.refuse(name, 'is required');
    return this.read(name, kind, null);
  }

  /** Those that begin like this and were not read yet, by the rest of their names in lower case. */
  readAll(start: string): Readonly<Record<string, unknown>> {
    const rest = [...this.#variables].filter(
      ([name]) => name.startsWith(start) && !name.startsWith(`${start}HTTP_`) && !this.#read.has(name),
    );
    for (const [name] of rest) this.#read.add(name);
    return Object.fromEntries(rest.map(([name, written]) => [name.slice(start.length).toLowerCase(), plainValue(written)]));
  }

  refuse(name: string, why: string): void {
    this.#problems.push(`${this.#prefix}${name}: ${why}`);
  }

  refuseOthers(): void {
    for (const name of this.#variables.keys()) if (!this.#read.has(name)) this.refuse(name, 'means nothing to this driver');
  }
}

/** Directus has names such as `IDP_metadata` and `SP_privateKey`. */
const plainName = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

const withoutPrefix = (written: string): string => written.replace(/^(?:json|string|array):/, '');

/** A value may say what it is by a prefix; else numbers and booleans are what they look like. */
function plainValue(written: string): unknown {
  if (written.startsWith('string:')) return withoutPrefix(written);
  if (written.startsWith('json:')) return JSON.parse(withoutPrefix(written)) as unknown;
  if (/^(?:true|false|-?\d{1,15})$/.test(written)) return JSON.parse(written) as unknown;
  return written;
}

const parseJson = (written: string): unknown => JSON.parse(withoutPrefix(written));

const entriesOf = (written: string): readonly (readonly [string, unknown])[] => {
  const value = parseJson(written);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no object');
  return Object.entries(value);
};

const textOf = (value: unknown): string => {
  if (typeof value !== 'string') throw new Error('no text');
  return value;
};

const mapping: kinds.Kind<ReadonlyMap<string, string>> = {
  parse: (written) => new Map(entriesOf(written).map(([group, role]) => [group, textOf(role)])),
  wanted: 'an object of JSON with the id of a role for each group',
};

const listMapping: kinds.Kind<ReadonlyMap<string, readonly string[]>> = {
  parse: (written) => new Map(entriesOf(written).map(([group, policies]) => [group, [policies].flat().map(textOf)])),
  wanted: 'an object of JSON with the ids of policies for each group',
};

const jsonObject: kinds.Kind<Readonly<Record<string, unknown>>> = {
  parse: (written) => Object.fromEntries(entriesOf(written)),
  wanted: 'an object of JSON',
};

const attributeName: kinds.Kind<string> = {
  parse: (written) => {
    if (!/^[a-z][a-z0-9.;-]*$/i.test(written)) throw new Error('no name');
    return written;
  },
  wanted: 'the name of an attribute',
};

const textsByName: kinds.Kind<Readonly<Record<string, string>>> = {
  parse: (written) =>
    written.startsWith('{') || written.startsWith('json:')
      ? Object.fromEntries(entriesOf(written).map(([name, value]) => [name, String(value)]))
      : Object.fromEntries(new URLSearchParams(withoutPrefix(written))),
  wanted: 'an object of JSON, or a=b&c=d',
};

const listOrJson: kinds.Kind<readonly string[]> = {
  parse: (written) => (/^(?:json:|\[)/.test(written) ? [parseJson(written)].flat().map(textOf) : kinds.list.parse(withoutPrefix(written))),
  wanted: 'a list separated by commas',
};

const keyList: kinds.Kind<readonly Readonly<Record<string, unknown>>[]> = {
  parse: (written) =>
    [parseJson(written)].flat().map((key) => {
      if (typeof key !== 'object' || key === null) throw new Error('no key');
      return key as Readonly<Record<string, unknown>>;
    }),
  wanted: 'a list of JSON Web Keys',
};

const milliseconds: kinds.Kind<number> = {
  parse: (written) => (/^\d+$/.test(written) ? kinds.integer(1, 60_000).parse(written) : kinds.duration.parse(written)),
  wanted: 'a number of milliseconds up to 60000, or a duration such as 5s',
};

/** Secrets travel there: HTTPS, except to this machine. */
const endpoint: kinds.Kind<string> = {
  parse: (written) => {
    if (!isSafe(written)) throw new Error('not safe');
    return written;
  },
  wanted: 'an address beginning with https:// (http:// on this machine only)',
};

const isSafe = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
};

const identityProvider: kinds.Kind<SamlIdentityProvider> = {
  parse: (written) => {
    const found = readIdentityProvider(withoutPrefix(written));
    for (const certificate of found.certificates) new X509Certificate(Buffer.from(certificate, 'base64'));
    if (![found.loginUrl, found.logoutUrl ?? found.loginUrl].every(isSafe)) throw new Error('not safe');
    return found;
  },
  wanted:
    'the metadata of a SAML identity provider: one EntityDescriptor with a certificate and a SingleSignOnService by HTTP-Redirect at https:// (http:// on this machine only)',
};

const ownEntityId: kinds.Kind<string> = {
  parse: (written) => readOwnEntityId(withoutPrefix(written)),
  wanted: 'the metadata of a SAML service provider',
};

/** A file of environment variables may write line breaks as \\n. */
const withLines = (written: string): string => withoutPrefix(written).replaceAll('\\n', '\n').trim();

const pemKey: kinds.Kind<string> = {
  parse: (written) => {
    createPrivateKey(withLines(written));
    return withLines(written);
  },
  wanted: 'a private key in PEM',
};

const pemCertificate: kinds.Kind<string> = {
  parse: (written) => new X509Certificate(withLines(written)).toString(),
  wanted: 'a certificate in PEM',
};

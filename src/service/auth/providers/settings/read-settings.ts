// Reads the settings of providers. The names are those of Directus, so that an existing .env works; a setting that means nothing here is
// refused, and none is dropped in silence. Providers of the environment and those of the database are read by the same rules.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as kinds from '../../../../core/util/setting-kinds.js';
import { GivenSettings, type WrittenSettings } from './given-settings.js';
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
} from './provider-settings.js';
import {
  attributeName,
  endpoint,
  identityProvider,
  jsonObject,
  keyList,
  listMapping,
  listOrJson,
  mapping,
  milliseconds,
  ownEntityId,
  pemCertificate,
  pemKey,
  textsByName,
} from './value-kinds.js';

/** Variables of the environment. */
export type ProviderVariables = Readonly<Record<string, string>>;

const drivers = ['local', 'oauth2', 'openid', 'ldap', 'saml'] as const;

/**
 * Reads the providers of the environment: AUTH_PROVIDERS lists their names, AUTH_<NAME>_… has the settings of each. Adds one line to
 * `problems` for each invalid setting.
 */
export function readProviders(names: readonly string[], variables: ProviderVariables, problems: string[]): readonly ProviderSettings[] {
  const twice = names.find((name, index) => names.findIndex((other) => isSameName(other, name)) !== index);
  if (twice !== undefined) problems.push(`AUTH_PROVIDERS: names "${twice}" twice`);
  return names.flatMap((name) => {
    if (isProviderName(name)) return readSettings(name, writtenOf(name, names, variables), problems, prefixOf(name)) ?? [];
    problems.push(`AUTH_PROVIDERS: "${name}" is ${noProviderName}`);
    return [];
  });
}

/** Names of variables are in upper case, so names of providers are compared without case. */
export const isSameName = (left: string, right: string): boolean => left.toUpperCase() === right.toUpperCase();

export const isProviderName = (name: string): boolean => /^[a-z0-9_-]{1,64}$/i.test(name) && !isSameName(name, 'default');

export const noProviderName = 'no name of letters, digits, dashes and underscores, other than default';

const prefixOf = (name: string): string => `AUTH_${name.toUpperCase()}_`;

/** What the environment says of one of these providers. One may have a name that goes on from another's, as google_staff does from google. */
export function writtenOf(name: string, names: readonly string[], variables: ProviderVariables): WrittenSettings {
  const prefix = prefixOf(name);
  const longer = names.map(prefixOf).filter((other) => other !== prefix && other.startsWith(prefix));
  const own = Object.entries(variables).filter(([key]) => key.startsWith(prefix) && !longer.some((other) => key.startsWith(other)));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}

/** null if the settings are invalid; `problems` then says why. */
export function readSettings(name: string, written: WrittenSettings, problems: string[], prefix = ''): ProviderSettings | null {
  const before = problems.length;
  const given = new GivenSettings(written, prefix, problems);
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
  // Accepted and ignored: the service starts without its providers and contacts them at the first login.
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
      // Everyone in the directory of the organisation may have an account.
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
    identityProvider: given.needed('IDP_METADATA', identityProvider) ?? noMetadata,
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

/** A placeholder for metadata that were refused. */
const noMetadata: SamlIdentityProvider = { entityId: '', loginUrl: '', logoutUrl: null, certificates: [] };

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
    // Users of Directus have them under either name.
    privateKeys: [...given.read('CLIENT_PRIVATE_KEYS', keyList, []), ...given.read('PRIVATE_KEYS', keyList, [])],
    timeoutMs: given.read('CLIENT_HTTP_TIMEOUT', milliseconds, defaultTimeoutMs),
    client: given.readAll('CLIENT_'),
    scope: given.read('SCOPE', kinds.text, scope),
    params: { ...given.read('PARAMS', textsByName, {}), ...textsOf(given.readAll('PARAMS__')) },
    identifierKey: given.read('IDENTIFIER_KEY', kinds.text, keys.identifier),
    emailKey: given.read('EMAIL_KEY', kinds.text, 'email'),
    firstNameKey: given.read('FIRST_NAME_KEY', kinds.text, keys.firstName),
    lastNameKey: given.read('LAST_NAME_KEY', kinds.text, keys.lastName),
  };
}

/** Parameters of an address; an object among them, as `claims` is one, is written as JSON. */
const textsOf = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));

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

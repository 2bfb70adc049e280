// Which settings of a provider the form asks for, by what the provider speaks: first those without which nothing works, then the people, then the
// rest. Settings that are not here stay as they are.

import type { SignOnMessages } from '../text/english/sign-on.js';

export const drivers = ['openid', 'oauth2', 'saml', 'ldap'] as const;
export type Driver = (typeof drivers)[number];
type SettingName = keyof SignOnMessages['fields'];

export interface SettingField {
  readonly name: SettingName;
  readonly kind: 'text' | 'secret' | 'check' | 'role' | 'choice' | 'long';
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  readonly choices?: readonly string[];
}

interface DriverFields {
  readonly connection: readonly SettingField[];
  readonly people: readonly SettingField[];
  readonly more: readonly SettingField[];
}

const text = (name: SettingName, placeholder = ''): SettingField => ({ name, kind: 'text', placeholder });
const needed = (name: SettingName, placeholder = ''): SettingField => ({ ...text(name, placeholder), isRequired: true });
const check = (name: SettingName): SettingField => ({ name, kind: 'check' });
const choice = (name: SettingName, ...choices: readonly string[]): SettingField => ({ name, kind: 'choice', choices });
const long = (name: SettingName, placeholder = ''): SettingField => ({ name, kind: 'long', placeholder });

const role: SettingField = { name: 'DEFAULT_ROLE_ID', kind: 'role' };
const client = [needed('CLIENT_ID'), { name: 'CLIENT_SECRET', kind: 'secret' }] as const;

const groups = [
  text('GROUP_CLAIM_NAME', 'groups'),
  long('ROLE_MAPPING', '{"editors": "<role id>"}'),
  long('POLICY_MAPPING', '{"editors": ["<policy id>"]}'),
  check('ALLOW_ADMIN'),
];
const linking = [choice('LINK_BY_EMAIL', 'off', 'verified'), check('REQUIRE_VERIFIED_EMAIL'), check('SYNC_USER_INFO')];
const authMethod = choice(
  'CLIENT_TOKEN_ENDPOINT_AUTH_METHOD',
  ...['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'private_key_jwt', 'none'],
);

export const fieldsOf: Readonly<Record<Driver, DriverFields>> = {
  openid: {
    connection: [needed('ISSUER_URL', 'https://login.example.com/realms/house'), ...client],
    people: [check('ALLOW_PUBLIC_REGISTRATION'), role],
    more: [
      ...linking,
      ...groups,
      text('SCOPE', 'openid profile email'),
      text('PARAMS', 'access_type=offline'),
      text('IDENTIFIER_KEY', 'sub'),
      authMethod,
      text('REDIRECT_ALLOW_LIST'),
    ],
  },
  oauth2: {
    connection: [
      needed('AUTHORIZE_URL', 'https://github.com/login/oauth/authorize'),
      needed('ACCESS_URL', 'https://github.com/login/oauth/access_token'),
      needed('PROFILE_URL', 'https://api.github.com/user'),
      ...client,
    ],
    people: [check('ALLOW_PUBLIC_REGISTRATION'), role],
    more: [
      text('SCOPE', 'user:email'),
      text('IDENTIFIER_KEY', 'id'),
      text('EMAILS_URL'),
      ...linking,
      ...groups,
      text('PARAMS'),
      authMethod,
      text('REDIRECT_ALLOW_LIST'),
    ],
  },
  saml: {
    connection: [{ ...long('IDP_METADATA', '<EntityDescriptor …'), isRequired: true }],
    people: [check('ALLOW_PUBLIC_REGISTRATION'), role],
    more: [
      choice('IDP_SIGNS', 'both', 'response', 'assertion'),
      text('SP_ENTITY_ID'),
      text('IDENTIFIER_KEY'),
      ...linking,
      ...groups,
      text('REDIRECT_ALLOW_LIST'),
    ],
  },
  ldap: {
    connection: [
      needed('CLIENT_URL', 'ldaps://ldap.example.com'),
      text('BIND_DN', 'cn=reader,dc=example,dc=com'),
      { name: 'BIND_PASSWORD', kind: 'secret' },
      needed('USER_DN', 'ou=people,dc=example,dc=com'),
      text('USER_ATTRIBUTE', 'cn'),
    ],
    people: [role],
    more: [
      choice('USER_SCOPE', 'base', 'one', 'sub'),
      text('GROUP_DN', 'ou=groups,dc=example,dc=com'),
      long('POLICY_MAPPING', '{"editors": ["<policy id>"]}'),
      check('ALLOW_ADMIN'),
      check('SYNC_USER_INFO'),
      check('CLIENT_START_TLS'),
    ],
  },
};

/** What the form says, for a change: a secret that was not typed stays, and an empty field takes its setting away. */
export function readForm(form: FormData, driver: Driver): Readonly<Record<string, unknown>> {
  const { connection, people, more } = fieldsOf[driver];
  const settings = [...connection, ...people, ...more].flatMap(({ name, kind }): readonly (readonly [string, unknown])[] => {
    const written = form.get(name);
    if (kind === 'check') return [[name, written === null ? null : true]];
    const value = String(written ?? '').trim();
    return kind === 'secret' && value === '' ? [] : [[name, value === '' ? null : value]];
  });
  const label = String(form.get('LABEL') ?? '').trim();
  return { LABEL: label === '' ? null : label, ...Object.fromEntries(settings) };
}

/** As the service takes it in an address. */
export const nameFrom = (label: string): string =>
  label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

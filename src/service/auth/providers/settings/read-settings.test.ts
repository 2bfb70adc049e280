import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../../config.js';
import { readProviders } from './read-settings.js';

const variables = (name: string, settings: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [`AUTH_${name}_${key}`, value]));

const openid = { DRIVER: 'openid', ISSUER_URL: 'https://login.example.com', CLIENT_ID: 'tain' };
const oauth2 = {
  DRIVER: 'oauth2',
  CLIENT_ID: 'tain',
  AUTHORIZE_URL: 'https://a.example',
  ACCESS_URL: 'https://b.example',
  PROFILE_URL: 'https://c.example',
};
const ldap = { DRIVER: 'ldap', CLIENT_URL: 'ldap://ldap.example.com', USER_DN: 'ou=people' };

const fixture = (name: string): string => readFileSync(new URL(`../../../../../test/fixtures/saml/${name}`, import.meta.url), 'utf8');
const certificate = fixture('provider.crt').replace(/-----[A-Z ]+-----|\s+/g, '');

const samlMetadata = (address = 'https://idp.example.com/sso', certified = certificate): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:idp"><IDPSSODescriptor><KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certified}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${address}"/></IDPSSODescriptor></EntityDescriptor>`;

const saml = { DRIVER: 'saml', IDP_metadata: samlMetadata() };
const noMetadata =
  'AUTH_KC_IDP_METADATA: is not the metadata of a SAML identity provider: one EntityDescriptor with a certificate and a SingleSignOnService by HTTP-Redirect at https:// (http:// on this machine only)';

function problemsOf(settings: Readonly<Record<string, string>>): readonly string[] {
  const problems: string[] = [];
  readProviders(['kc'], variables('KC', settings), problems);
  return problems;
}

describe('readProviders', () => {
  it('reads the settings of Directus by their names, values with a prefix included', () => {
    const written = {
      ...openid,
      CLIENT_SECRET: 'string:0123',
      CLIENT_TOKEN_ENDPOINT_AUTH_METHOD: 'client_secret_post',
      CLIENT_ID_TOKEN_SIGNED_RESPONSE_ALG: 'ES256',
      ROLE_MAPPING: 'json:{"b":"role-b","a":"role-a"}',
      POLICY_MAPPING: '{"a":"one","b":["two","three"]}',
      REDIRECT_ALLOW_LIST: 'https://a.example/x, https://b.example/y',
      PARAMS: 'json:{"access_type":"offline"}',
      ISSUER_DISCOVERY_MUST_SUCCEED: 'true',
    };
    const [settings] = readProviders(['kc'], variables('KC', written), []);
    expect(settings).toMatchObject({
      ...{
        name: 'kc',
        label: 'kc',
        icon: 'account_circle',
        driver: 'openid',
        mode: 'session',
        scope: 'openid profile email',
        identifierKey: 'sub',
      },
      ...{ authMethod: 'client_secret_post', client: { id_token_signed_response_alg: 'ES256' }, loginTimeoutMs: 300_000 },
      ...{ redirectAllowList: ['https://a.example/x', 'https://b.example/y'], params: { access_type: 'offline' } },
    });
    expect([...(settings?.provision.roleMapping ?? [])]).toEqual([
      ['b', 'role-b'],
      ['a', 'role-a'],
    ]);
    expect([...(settings?.provision.policyMapping ?? [])]).toEqual([
      ['a', ['one']],
      ['b', ['two', 'three']],
    ]);
    expect(settings?.provision).toMatchObject({
      allowRegistration: false,
      requireVerifiedEmail: false,
      linkByEmail: false,
      allowAdmin: false,
    });
  });

  it('takes the defaults of the other drivers', () => {
    expect(readProviders(['kc'], variables('KC', oauth2), [])[0]).toMatchObject({
      scope: 'email',
      identifierKey: 'email',
      emailsUrl: null,
    });
    const github = { ...oauth2, PROFILE_URL: 'https://api.github.com/user' };
    expect(readProviders(['kc'], variables('KC', github), [])[0]).toMatchObject({ emailsUrl: 'https://api.github.com/user/emails' });
    expect(readProviders(['kc'], variables('KC', ldap), [])[0]).toMatchObject({
      ...{ userAttribute: 'cn', userScope: 'one', mailAttribute: 'mail', groupDn: null, groupAttribute: 'member' },
      provision: { allowRegistration: true, groupsNameRoles: false },
    });
  });

  it.each([
    [{}, 'AUTH_KC_DRIVER: is required'],
    [{ DRIVER: 'kerberos' }, 'AUTH_KC_DRIVER: is not one of local, oauth2, openid, ldap, saml'],
    [{ ...openid, ISSUER_URL: '' }, 'AUTH_KC_ISSUER_URL: is required'],
    [
      { ...openid, ISSUER_URL: 'http://login.example.com' },
      'AUTH_KC_ISSUER_URL: is not an address beginning with https:// (http:// on this machine only)',
    ],
    [
      { ...openid, PLAIN_CODE_CHALLENGE: 'true' },
      'AUTH_KC_PLAIN_CODE_CHALLENGE: cannot be on: code challenges are hashed (S256), as plain ones protect nothing',
    ],
    [{ ...openid, ROLE_MAPPING: '["a"]' }, 'AUTH_KC_ROLE_MAPPING: is not an object of JSON with the id of a role for each group'],
    [{ ...openid, ALOW_ADMIN: 'true' }, 'AUTH_KC_ALOW_ADMIN: means nothing to this driver'],
    [{ ...openid, CLIENT_HTTP_PROXY: 'x' }, 'AUTH_KC_CLIENT_HTTP_PROXY: means nothing to this driver'],
    [{ ...ldap, ISSUER_URL: 'https://a.example' }, 'AUTH_KC_ISSUER_URL: means nothing to this driver'],
    [{ DRIVER: 'saml' }, 'AUTH_KC_IDP_METADATA: is required'],
    [{ ...saml, IDP_metadata: '<a/>' }, noMetadata],
    [{ ...saml, IDP_metadata: samlMetadata('http://idp.example.com/sso') }, noMetadata],
    [{ ...saml, IDP_metadata: samlMetadata('https://idp.example.com', 'AAAA') }, noMetadata],
    [{ ...saml, SP_metadata: '<a/>' }, 'AUTH_KC_SP_METADATA: is not the metadata of a SAML service provider'],
    [{ ...saml, SP_privateKey: fixture('service.key') }, 'AUTH_KC_SP_SIGNING_CERT: is required with SP_PRIVATE_KEY'],
    [
      { ...saml, SP_privateKey: fixture('service.key'), SP_signingCert: fixture('stranger.crt') },
      'AUTH_KC_SP_SIGNING_CERT: is of another key than SP_PRIVATE_KEY',
    ],
    [{ ...saml, IDP_isAssertionEncrypted: 'true' }, 'AUTH_KC_IDP_IS_ASSERTION_ENCRYPTED: means nothing to this driver'],
    [{ ...saml, CLIENT_ID: 'x' }, 'AUTH_KC_CLIENT_ID: means nothing to this driver'],
    [{ ...ldap, USER_ATTRIBUTE: 'cn)(x=*' }, 'AUTH_KC_USER_ATTRIBUTE: is not the name of an attribute'],
  ])('refuses %o', (settings, problem) => {
    expect(problemsOf(settings)).toEqual([problem]);
  });

  it('reads the metadata of both sides of SAML', () => {
    const own =
      '<!-- written for another server --><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:own"><SPSSODescriptor/></EntityDescriptor>';
    const written = {
      ...saml,
      SP_metadata: own,
      SP_PRIVATE_KEY: fixture('service.key').replaceAll('\n', '\\n'),
      SP_SIGNING_CERT: fixture('service.crt'),
    };
    const [settings] = readProviders(['kc'], variables('KC', written), []);
    expect(settings).toMatchObject({
      ...{ driver: 'saml', entityId: 'urn:own', signed: 'both', groupClaim: 'groups' },
      identityProvider: { entityId: 'urn:idp', loginUrl: 'https://idp.example.com/sso', logoutUrl: null, certificates: [certificate] },
      identifierKey: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
      key: { privateKey: fixture('service.key').trim() },
    });
  });

  it('reads parameters by names of their own, and keys by both of their names', () => {
    const problems: string[] = [];
    const key = { kty: 'EC', crv: 'P-256', kid: 'one' };
    const written = {
      ...openid,
      PARAMS: 'prompt=consent',
      PARAMS__CLAIMS: 'string:{"id_token":{"email":null}}',
      PARAMS__MAX_AGE: '60',
      PARAMS__OPTIONS: 'json:{"a":1}',
      PRIVATE_KEYS: `json:[${JSON.stringify(key)}]`,
    };
    const [settings] = readProviders(['kc'], variables('KC', written), problems);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      params: { prompt: 'consent', claims: '{"id_token":{"email":null}}', max_age: '60', options: '{"a":1}' },
      privateKeys: [key],
    });
  });

  it('gives each provider its own, also where the name of one continues from the name of another', () => {
    const problems: string[] = [];
    const written = { ...variables('GOOGLE', openid), ...variables('GOOGLE_STAFF', { ...oauth2, LABEL: 'Staff' }) };
    const settings = readProviders(['google', 'google_staff'], written, problems);
    expect(problems).toEqual([]);
    expect(settings).toMatchObject([
      { name: 'google', driver: 'openid', client: {} },
      { name: 'google_staff', driver: 'oauth2', label: 'Staff' },
    ]);
  });

  it('refuses names that could not be part of a path, a cookie and a setting', () => {
    const problems: string[] = [];
    readProviders(['a b', 'default', 'kc', 'KC'], variables('KC', openid), problems);
    expect(problems).toHaveLength(3);
  });

  it('reads every recipe of the documentation as it is copied', () => {
    const page = readFileSync(new URL('../../../../../docs/sign-on.md', import.meta.url), 'utf8');
    const recipes = page
      .slice(page.indexOf('## Recipes'))
      .split(/\n\n(?! )/)
      .flatMap((part) => /(?:\n {4}\S.*)+/.exec(part)?.[0] ?? []);
    const labels = recipes.map((recipe) => {
      expect(recipe.trim().split('\n').length, recipe).toBeLessThanOrEqual(10);
      const { authProviders, authVariables } = readConfig({
        PUBLIC_URL: 'https://data.example.com',
        ...parseEnv(recipe.replaceAll(/^ {4}/gm, '').replace('<metadata of the provider>', samlMetadata())),
      });
      const problems: string[] = [];
      const [settings] = readProviders(authProviders, authVariables, problems);
      expect(problems).toEqual([]);
      return `${settings?.driver} ${settings?.name}`;
    });
    expect(labels).toEqual([
      ...['openid keycloak', 'openid entra', 'openid google', 'openid okta', 'oauth2 github', 'openid apple', 'saml house', 'ldap house'],
    ]);
  });

  it('is part of the configuration, which reports all problems at once and no secret', () => {
    const read = () =>
      readConfig({ AUTH_PROVIDERS: 'kc', AUTH_KC_DRIVER: 'openid', AUTH_KC_CLIENT_SECRET: 'hidden', AUTH_KC_MODE: 'none' });
    expect(read).toThrow(/AUTH_KC_ISSUER_URL: is required\nAUTH_KC_MODE: is not one of session, cookie\nAUTH_KC_CLIENT_ID: is required$/);
    expect(read).not.toThrow(/hidden/);
  });
});

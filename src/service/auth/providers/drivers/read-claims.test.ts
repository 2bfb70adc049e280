import { expect, it } from 'vitest';
import { readSettings } from '../settings/read-settings.js';
import { readClaims } from './read-claims.js';

/** Of a provider with these settings besides those that every one has. */
function read(written: Readonly<Record<string, string>>, ...documents: readonly Readonly<Record<string, unknown>>[]) {
  const problems: string[] = [];
  const settings = readSettings(
    'hub',
    {
      ...{ DRIVER: 'oauth2', CLIENT_ID: 'tain', ACCESS_URL: 'https://hub.example/token' },
      ...{ AUTHORIZE_URL: 'https://hub.example/authorize', PROFILE_URL: 'https://hub.example/me' },
      ...written,
    },
    problems,
  );
  expect(problems).toEqual([]);
  if (settings?.driver !== 'oauth2') throw new Error('the settings are of another driver');
  return readClaims(settings, 'https://hub.example', documents, null);
}

it('finds claims by their paths, as providers that nest the profile need it', () => {
  const written = { IDENTIFIER_KEY: 'data.username', FIRST_NAME_KEY: 'data.name.first', GROUP_CLAIM_NAME: 'realm_access.roles' };
  const claims = { data: { username: 'ann', name: { first: 'Ann' } }, realm_access: { roles: ['editors', 'readers'] } };
  expect(read(written, claims)).toMatchObject({ subject: 'ann', firstName: 'Ann', groups: ['editors', 'readers'], email: null });
});

it('takes a claim by its own name before the parts of the name', () => {
  const key = 'https://example.com/claims/id';
  expect(read({ IDENTIFIER_KEY: key }, { [key]: 'whole', 'https://example': { 'com/claims/id': 'parts' } }).subject).toBe('whole');
});

it.each(['data.username', 'data', 'list.0', 'constructor.name', '__proto__.x', 'text.length'])(
  'refuses %s where there is no such claim',
  (key) => {
    const claims = { data: {}, list: ['ann'], text: 'ann' };
    expect(() => read({ IDENTIFIER_KEY: key }, claims)).toThrow(/says nothing under/);
  },
);

const vouched = { email: 'ann@example.org', email_verified: true };

it.each<[string, boolean, string, readonly Readonly<Record<string, unknown>>[]]>([
  ['its own address', true, 'email', [vouched]],
  ['its own address, as text', true, 'email', [{ ...vouched, email_verified: 'true' }]],
  ['an address that two documents name', true, 'email', [vouched, { email: 'ann@example.org' }]],
  ['another claim with the same address', true, 'upn', [{ ...vouched, upn: 'ann@example.org' }]],
  ['a user name that looks like an address', false, 'upn', [{ ...vouched, upn: 'ben@example.org' }]],
  ['a nested address', false, 'data.email', [{ ...vouched, data: { email: 'ben@example.org' } }]],
  ['the address of a later document', false, 'email', [vouched, { email: 'ben@example.org' }]],
  ['the address of an earlier document', false, 'email', [{ email: 'ben@example.org' }, { email_verified: true }]],
  ['an address that the other document denies', false, 'email', [vouched, { ...vouched, email_verified: false }]],
  ['an address, if it stands alone', false, 'upn', [{ upn: 'ann@example.org', email_verified: true }]],
  ['no address', false, 'email', [{ email_verified: true }]],
  ['several addresses', false, 'email', [{ email: ['ann@example.org'], email_verified: true }]],
])('email_verified vouches for %s: %s', (_what, isVerified, key, documents) => {
  const person = { id: 'ann' };
  expect(read({ IDENTIFIER_KEY: 'id', EMAIL_KEY: key }, person, ...documents).emailVerified).toBe(isVerified);
  const byAddress = () => read({ IDENTIFIER_KEY: key, EMAIL_KEY: key }, person, ...documents);
  if (isVerified) expect(byAddress().subject).toBe('ann@example.org');
  else expect(byAddress).toThrow(/does not say that the address is verified|says nothing under/);
});

it('an unverified address identifies nobody, whatever is kept as the address of the account', () => {
  const documents = { email: 'ann@example.org', mail: 'ben@example.org' };
  expect(() => read({ IDENTIFIER_KEY: 'email', EMAIL_KEY: 'mail' }, documents)).toThrow(/does not say that the address is verified/);
  expect(read({ IDENTIFIER_KEY: 'email', EMAIL_KEY: 'mail' }, { ...documents, email_verified: true }).subject).toBe('ann@example.org');
});

import { expect, it } from 'vitest';
import { readSettings } from '../settings/read-settings.js';
import { readClaims } from './read-claims.js';

/** Of a provider with these settings besides those that every one has. */
function read(written: Readonly<Record<string, string>>, claims: Readonly<Record<string, unknown>>) {
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
  return readClaims(settings, 'https://hub.example', claims, null);
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

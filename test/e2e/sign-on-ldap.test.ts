// Logins by LDAP, end to end against a directory that really runs (slapd).

import { Attribute, Change, Client } from 'ldapts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type Directory, directoryAdmin, startDirectory } from '../harness/directory-server.js';
import { codeOf, makePolicy } from '../harness/people.js';
import { ownerOf, providerVariables, storedAccounts } from '../harness/sign-on.js';
import { startService, type TestService } from '../harness/start-service.js';

const ldif = `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups

${['ann', 'bob', 'star*', 'twin', 'gone']
  .map(
    (uid) => `dn: uid=${uid},ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid === 'twin' ? 'ann' : uid}
sn: Archer
givenName: ${uid}
mail: ${uid.replace('*', '')}@example.org
userPassword: password of ${uid}
`,
  )
  .join('\n')}
dn: cn=Writers,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: Writers
member: uid=ann,ou=people,dc=example,dc=org

dn: cn=Chiefs,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: Chiefs
member: uid=bob,ou=people,dc=example,dc=org
`;

const program = inject('directory');

describe.runIf(program !== null)('sign-on by LDAP', () => {
  let directory: Directory;

  beforeAll(async () => {
    directory = await startDirectory(program ?? '', ldif);
  });
  afterAll(() => directory.stop());

  describeEachVendor('a directory', (vendor) => {
    let service: TestService;
    const roles: Record<string, string> = {};

    const logIn = (identifier: string, password: string, provider = 'house', more: object = {}): Promise<Answer> =>
      service.as(null).post(`/auth/login/${provider}`, { identifier, password, ...more });
    const userOf = (answer: Answer) => ownerOf(service, answer.body.data.access_token);

    beforeAll(async () => {
      const base = {
        DRIVER: 'ldap',
        CLIENT_URL: directory.url,
        BIND_DN: directoryAdmin.dn,
        BIND_PASSWORD: directoryAdmin.password,
        USER_DN: 'ou=people,dc=example,dc=org',
        USER_ATTRIBUTE: 'uid',
      };
      const [chiefs, guests, writers] = ['chiefs', 'guests', 'writers'].map(() => crypto.randomUUID());
      Object.assign(roles, { chiefs, guests, writers });
      service = await startService(vendor, {
        area: 'sign-on-ldap',
        config: {
          authProviders: ['house', 'names', 'away', 'wrong'],
          authVariables: {
            ...providerVariables('house', { ...base, GROUP_DN: 'ou=groups,dc=example,dc=org', DEFAULT_ROLE_ID: guests ?? '' }),
            ...providerVariables('names', { ...base, USER_ATTRIBUTE: 'cn' }),
            ...providerVariables('away', { ...base, CLIENT_URL: 'ldap://127.0.0.1:9' }),
            ...providerVariables('wrong', { ...base, BIND_PASSWORD: 'not this one' }),
          },
        },
      });
      const policy = await makePolicy(service, { admin_access: true });
      await service.api.post('/roles', [
        { id: writers, name: 'writers' },
        { id: guests, name: 'guests' },
        { id: chiefs, name: 'chiefs', policies: [{ policy }] },
      ]);
    });
    afterAll(() => service.stop());

    it('trying says whether the directory answers, takes the account of the service, and has people', async () => {
      const tried = async (name: string, settings: object | null = null, driver: string | null = null) => {
        const { works, findings } = (await service.api.post('/auth/providers/try', { name, settings, driver })).body.data;
        return [works, ...findings.map(({ code }: { code: string }) => code)];
      };
      expect(await tried('house')).toEqual([true, 'DIRECTORY_ANSWERS', 'PEOPLE_FOUND']);
      expect(await tried('away')).toEqual([false, 'AWAY']);
      expect(await tried('wrong')).toEqual([false, 'AWAY']);
      const base = { CLIENT_URL: directory.url, BIND_DN: directoryAdmin.dn, BIND_PASSWORD: directoryAdmin.password };
      const people = 'ou=people,dc=example,dc=org';
      expect(await tried('kept', { ...base, USER_DN: people, USER_ATTRIBUTE: 'telexNumber' }, 'ldap')).toEqual([
        ...[false, 'DIRECTORY_ANSWERS', 'NO_PEOPLE'],
      ]);
      expect(await tried('kept', { ...base, USER_DN: 'ou=nobody,dc=example,dc=org' }, 'ldap')).toEqual([false, 'REFUSED']);
      await service.api.post('/auth/providers', {
        name: 'kept',
        driver: 'ldap',
        settings: { ...base, USER_DN: people, USER_ATTRIBUTE: 'uid' },
      });
      expect((await logIn('bob', 'password of bob', 'kept')).status).toBe(200);
      expect((await service.api.delete('/auth/providers/kept')).status).toBe(204);
      expect((await logIn('bob', 'password of bob', 'kept')).status).toBe(404);
      await service.sql("delete from service_users where email = 'bob@example.org'");
    });

    it('answers as a login by password does, in every mode, and makes the account', async () => {
      const answer = await logIn('ann', 'password of ann');
      expect([answer.status, Object.keys(answer.body.data).toSorted()]).toEqual([200, ['access_token', 'expires', 'refresh_token']]);
      expect(await userOf(answer)).toMatchObject({
        ...{ email: 'ann@example.org', first_name: 'ann', last_name: 'Archer', provider: 'house' },
        ...{ external_identifier: 'uid=ann,ou=people,dc=example,dc=org', role: roles['writers'] },
      });
      const session = await logIn('ann', 'password of ann', 'house', { mode: 'session' });
      expect(session.headers.get('set-cookie')).toContain('service_session_token=');
      expect((await service.as(null).get('/auth')).body.data[0]).toEqual({
        name: 'house',
        label: 'house',
        driver: 'ldap',
        icon: 'account_circle',
      });
      const mutation =
        'mutation ($p: String!) { auth_login_by_provider(provider: "house", identifier: "ann", password: $p) { access_token } }';
      const { body } = await service.as(null).graphql(mutation, { p: 'password of ann' }, '/graphql/system');
      expect(body.data.auth_login_by_provider.access_token).toEqual(expect.any(String));
    });

    it('groups name roles; one of administrators needs ALLOW_ADMIN', async () => {
      expect(await userOf(await logIn('bob', 'password of bob'))).toMatchObject({ role: roles['guests'] });
    });

    it('LDAP injection / empty password: refused before and by the directory, by one answer, and nothing is stored', async () => {
      const before = await storedAccounts(service);
      for (const [identifier, password] of [
        ['ann', 'wrong'],
        ['nobody', 'password of ann'],
        ['*', 'password of ann'],
        ['a*', 'password of ann'],
        ['ann)(uid=*', 'password of ann'],
        ['*)(objectClass=*', 'password of ann'],
        ['ann,ou=people', 'password of ann'],
        ['\\61nn', 'password of ann'],
      ] as const)
        expect([identifier, codeOf(await logIn(identifier, password))]).toEqual([identifier, '401 INVALID_CREDENTIALS']);
      expect(codeOf(await logIn('ann\u0000', 'password of ann'))).toBe('400 INVALID_PAYLOAD');
      expect(codeOf(await logIn('ann', ''))).toBe('400 INVALID_PAYLOAD');
      await expect(service.call('loginByProvider', { provider: 'house', identifier: 'ann', password: '' })).rejects.toMatchObject({
        code: 'INVALID_PAYLOAD',
      });
      expect(await storedAccounts(service)).toEqual(before);
      expect((await logIn('star*', 'password of star*')).status, 'a name with such a sign is a name').toBe(200);
    });

    it('one result exactly: a name that two entries have signs in no user', async () => {
      expect(codeOf(await logIn('ann', 'password of ann', 'names'))).toBe('401 INVALID_CREDENTIALS');
      expect(codeOf(await logIn('ann', 'password of twin', 'names'))).toBe('401 INVALID_CREDENTIALS');
    });

    it('a directory that is away, or refuses the service, stops no other login', async () => {
      expect(codeOf(await logIn('ann', 'password of ann', 'away'))).toBe('503 SERVICE_UNAVAILABLE');
      expect(codeOf(await logIn('ann', 'password of ann', 'wrong'))).toBe('503 SERVICE_UNAVAILABLE');
      expect((await service.api.get('/server/health')).body.checks['login:away'][0].status).toBe('warn');
      expect((await logIn('ann', 'password of ann')).status).toBe(200);
    });

    it('H20: guessing is slowed down per identifier, whatever addresses it comes from', async () => {
      await service.api.patch('/settings', { auth_login_attempts: 1 });
      await Promise.all(Array.from({ length: 26 }, () => logIn('Guessed', 'wrong')));
      const started = performance.now();
      expect(codeOf(await logIn('guessed', 'wrong'))).toBe('401 INVALID_CREDENTIALS');
      expect(performance.now() - started).toBeGreaterThan(4_500);
      await service.api.patch('/settings', { auth_login_attempts: 25 });
    });

    it('suspended at the provider: a user who has left the directory, or a group, is signed out at the next refresh', async () => {
      const { refresh_token } = (await logIn('ann', 'password of ann')).body.data;
      const refresh = (token: string): Promise<Answer> => service.as(null).post('/auth/refresh', { refresh_token: token, mode: 'json' });
      const client = new Client({ url: directory.url });
      await client.bind(directoryAdmin.dn, directoryAdmin.password);
      const member = (operation: 'add' | 'delete', uid: string): Promise<void> =>
        client.modify(
          'cn=Writers,ou=groups,dc=example,dc=org',
          new Change({ operation, modification: new Attribute({ type: 'member', values: [`uid=${uid},ou=people,dc=example,dc=org`] }) }),
        );
      try {
        await member('add', 'gone');
        await member('delete', 'ann');
        const renewed = await refresh(refresh_token);
        expect(await userOf(renewed)).toMatchObject({ role: roles['guests'] });
        const leaver = `leaver-${vendor.name}`;
        const dn = `uid=${leaver},ou=people,dc=example,dc=org`;
        await client.add(dn, { objectClass: 'inetOrgPerson', uid: leaver, cn: leaver, sn: leaver, userPassword: 'mine' });
        const { refresh_token: token } = (await logIn(leaver, 'mine')).body.data;
        await client.del(dn);
        expect(codeOf(await refresh(token))).toBe('401 INVALID_CREDENTIALS');
      } finally {
        await member('add', 'ann');
        await member('delete', 'gone');
        await client.unbind();
      }
    });
  });
});

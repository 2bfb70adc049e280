// Logins by LDAP over TLS, on a port for it and by StartTLS, against a directory that really runs: what is not the directory's own
// certificate, or silence, is refused, and the log says so.

import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openLdap } from '../../src/service/auth/providers/drivers/ldap.js';
import { readProviders } from '../../src/service/auth/providers/settings/read-settings.js';
import { reasonOf } from '../../src/service/auth/providers/sign-on.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { certificateFile, type Directory, directoryAdmin, startDirectory } from '../harness/directory-server.js';
import { codeOf } from '../harness/people.js';
import { ownerOf, providerVariables, storedAccounts } from '../harness/sign-on.js';
import { startService, type TestService } from '../harness/start-service.js';

const ldif = `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: uid=ann,dc=example,dc=org
objectClass: inetOrgPerson
uid: ann
cn: ann
sn: Archer
userPassword: password of ann
`;

const base = {
  ...{ DRIVER: 'ldap', BIND_DN: directoryAdmin.dn, BIND_PASSWORD: directoryAdmin.password },
  ...{ USER_DN: 'dc=example,dc=org', USER_ATTRIBUTE: 'uid' },
};

const trusting = (...names: readonly string[]): string =>
  JSON.stringify({ ca: names.map((name) => readFileSync(certificateFile(`${name}.crt`), 'utf8')) });

const program = inject('directory');

describe.runIf(program !== null)('sign-on by LDAP over TLS', () => {
  let directory: Directory;
  let misnamed: Directory;
  let waysTo: (server: Directory) => Readonly<Record<'ldaps' | 'StartTLS', Readonly<Record<string, string>>>>;

  beforeAll(async () => {
    directory = await startDirectory(program ?? '', ldif, 'directory');
    misnamed = await startDirectory(program ?? '', ldif, 'elsewhere');
    waysTo = ({ url, secureUrl }) => ({
      ldaps: { ...base, CLIENT_URL: secureUrl ?? '' },
      StartTLS: { ...base, CLIENT_URL: url, CLIENT_START_TLS: 'true' },
    });
  });
  afterAll(async () => {
    await directory.stop();
    await misnamed.stop();
  });

  /** What the log says about a failed login; null: it did not fail. */
  const reasonFor = async (variables: Readonly<Record<string, string>>, password = 'password of ann'): Promise<string | null> => {
    const problems: string[] = [];
    const [settings] = readProviders(['house'], providerVariables('house', variables), problems);
    expect(problems).toEqual([]);
    if (settings?.driver !== 'ldap') throw new Error('no directory');
    const { prove } = await openLdap(settings);
    return prove('ann', password).then(() => null, reasonOf);
  };

  it('LDAP injection / empty password: the driver asks no directory, which would take it for an anonymous bind', async () => {
    expect(await reasonFor({ ...base, CLIENT_URL: directory.url })).toBeNull();
    expect(await reasonFor({ ...base, CLIENT_URL: directory.url }, '')).toBe('an empty password');
  });

  it.each(['ldaps', 'StartTLS'] as const)('%s: takes the certificate that the settings name, again and again', async (way) => {
    const variables = { ...waysTo(directory)[way], CLIENT_TLS_OPTIONS: trusting('directory') };
    expect(await Promise.all([1, 2, 3].map(() => reasonFor(variables)))).toEqual([null, null, null]);
  });

  it.each(['ldaps', 'StartTLS'] as const)('%s: refuses a certificate that nobody vouches for, or of another name', async (way) => {
    const says = (code: string) =>
      expect.stringMatching(
        `^the provider "house" is away: its certificate is refused \\(${code}\\); CLIENT_TLS_OPTIONS can name the authority`,
      );
    expect(await reasonFor(waysTo(directory)[way]), 'unknown').toEqual(says('DEPTH_ZERO_SELF_SIGNED_CERT'));
    expect(await reasonFor({ ...waysTo(directory)[way], CLIENT_TLS_OPTIONS: trusting('stranger') }), 'another is known').toEqual(
      says('DEPTH_ZERO_SELF_SIGNED_CERT'),
    );
    // It says "localhost", and is reached by an address.
    expect(await reasonFor({ ...waysTo(misnamed)[way], CLIENT_TLS_OPTIONS: trusting('elsewhere') }), 'another name').toEqual(
      says('ERR_TLS_CERT_ALTNAME_INVALID'),
    );
  });

  it('StartTLS: a server that promises TLS and then says nothing is away within CLIENT_TIMEOUT', async () => {
    // The answer of success to the first message (RFC 4511, 4.14.2), and silence.
    const granted = Buffer.from('300c02010178070a010004000400', 'hex');
    const silent = createServer((socket) => socket.on('error', () => undefined).once('data', () => socket.write(granted)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const CLIENT_URL = `ldap://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const reason = await reasonFor({ ...base, CLIENT_URL, CLIENT_START_TLS: 'true', CLIENT_TIMEOUT: '3000' });
      expect(reason).toBe('the provider "house" is away: no TLS within 3000 ms');
    } finally {
      await new Promise((resolve) => silent.close(resolve));
    }
  });

  describeEachVendor('over HTTP', (vendor) => {
    let service: TestService;

    beforeAll(async () => {
      const { ldaps, StartTLS } = waysTo(directory);
      service = await startService(vendor, {
        area: 'sign-on-ldap-tls',
        config: {
          authProviders: ['secure', 'upgraded', 'unknown'],
          authVariables: {
            ...providerVariables('secure', { ...ldaps, CLIENT_TLS_OPTIONS: trusting('directory') }),
            ...providerVariables('upgraded', { ...StartTLS, CLIENT_TLS_OPTIONS: trusting('directory') }),
            ...providerVariables('unknown', ldaps),
          },
        },
      });
    });
    afterAll(() => service.stop());

    it('one logs in; a certificate that is refused is a directory that is away, and stops no other login', async () => {
      const logIn = (name: string, password = 'password of ann') =>
        service.as(null).post(`/auth/login/${name}`, { identifier: 'ann', password });
      const before = await storedAccounts(service);
      expect(codeOf(await logIn('unknown'))).toBe('503 SERVICE_UNAVAILABLE');
      expect(codeOf(await logIn('secure', 'wrong'))).toBe('401 INVALID_CREDENTIALS');
      expect(await storedAccounts(service)).toEqual(before);
      for (const name of ['secure', 'upgraded']) {
        const { body } = await logIn(name);
        expect(await ownerOf(service, body.data.access_token)).toMatchObject({ provider: name, last_name: 'Archer' });
      }
      const { checks } = (await service.api.get('/server/health')).body;
      expect(['unknown', 'secure', 'upgraded'].map((name) => checks[`login:${name}`][0].status)).toEqual(['warn', 'ok', 'ok']);
    });
  });
});

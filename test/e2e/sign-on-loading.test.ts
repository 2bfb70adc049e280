// What logins by providers and passkeys need is loaded with the first of them: without one, the start and the memory at rest are those of a service
// that has no providers.

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build, makeFolder, runStart } from '../harness/run-command.js';
import { providerVariables } from '../harness/sign-on.js';

const listing = fileURLToPath(new URL('../fixtures/loading/list-packages.mjs', import.meta.url));
const packages = ['openid-client', 'ldapts', '@node-saml/node-saml', '@simplewebauthn/server'];

const folder = makeFolder();
beforeAll(build);
afterAll(() => folder.remove());

it('the package of a driver is loaded with the first login by it, and no other', async () => {
  const running = runStart(folder, [], {
    NODE_OPTIONS: `--import=${listing}`,
    DATABASE_URL: 'sqlite:tain.db',
    AUTH_PROVIDERS: 'company,house',
    // Nothing listens there.
    ...providerVariables('company', { DRIVER: 'openid', ISSUER_URL: 'http://127.0.0.1:9', CLIENT_ID: 'tain' }),
    ...providerVariables('house', { DRIVER: 'ldap', CLIENT_URL: 'ldap://127.0.0.1:9', USER_DN: 'dc=example,dc=org' }),
  });
  const url = await running.address();
  const loaded = (): readonly string[] => packages.filter((name) => running.output().includes(`package ${name}\n`));
  await expect.poll(async () => (await fetch(`${url}/server/ping`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${url}/auth`)).json()).toMatchObject({ data: [{ name: 'company' }, { name: 'house' }] });
  expect((await fetch(`${url}/server/info`)).status).toBe(200);
  expect(loaded()).toEqual([]);
  expect((await fetch(`${url}/auth/login/company`, { redirect: 'manual' })).headers.get('location')).toContain('SERVICE_UNAVAILABLE');
  expect(loaded()).toEqual(['openid-client']);
  const body = JSON.stringify({ identifier: 'ann', password: 'any' });
  await fetch(`${url}/auth/login/house`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(loaded()).toEqual(['openid-client', 'ldapts']);
  running.process.kill('SIGTERM');
  expect(await running.ended).toBe(0);
});

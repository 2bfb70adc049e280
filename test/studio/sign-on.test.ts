// Signing in to Studio by a provider: to it and back in a real browser, by a directory in the form, and what is said when it fails.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Directory, directoryAdmin, startDirectory } from '../harness/directory-server.js';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.js';
import { makePerson, makePolicy } from '../harness/people.js';
import { providerVariables } from '../harness/sign-on.js';
import { startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { closePages, findBarriers, launchBrowser, openStudio } from './open-studio.js';

const [vendor] = inject('vendors');
const directoryProgram = inject('directory');
const role = '5a4f1c1e-0000-4000-8000-000000000009';

const ldif = `dn: dc=example,dc=org
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: uid=dora,dc=example,dc=org
objectClass: inetOrgPerson
uid: dora
cn: Dora
sn: Dunn
userPassword: password of dora
`;

/** From the button of the sign-in page through the forms of the provider, and back. */
async function logInAt(page: Page, subject: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with The company' }).click();
  await page.locator('input[name=login]').fill(subject);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
  await page.locator('button[type=submit]').click();
}

describe.runIf(inject('browser') !== null && directoryProgram !== null && vendor !== undefined)(
  'signing in to Studio by a provider',
  () => {
    let browser: Browser;
    let provider: IdentityProvider;
    let directory: Directory;
    let service: TestService;

    beforeAll(async () => {
      if (vendor === undefined) throw new Error('no database');
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}`;
      provider = await startIdentityProvider([`${publicUrl}/auth/login/company/callback`]);
      directory = await startDirectory(directoryProgram ?? '', ldif);
      const openid = { DRIVER: 'openid', LABEL: 'The company', ISSUER_URL: provider.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
      const ldap = {
        ...{ DRIVER: 'ldap', LABEL: 'the directory', CLIENT_URL: directory.url, USER_DN: 'dc=example,dc=org', USER_ATTRIBUTE: 'uid' },
        ...{ BIND_DN: directoryAdmin.dn, BIND_PASSWORD: directoryAdmin.password, DEFAULT_ROLE_ID: role },
      };
      [browser, service] = await Promise.all([
        launchBrowser(),
        startService(vendor, {
          demo: true,
          area: 'studio-sign-on',
          config: {
            port,
            publicUrl,
            authProviders: ['company', 'house', 'away'],
            authVariables: {
              ...providerVariables('company', { ...openid, ALLOW_PUBLIC_REGISTRATION: 'true', DEFAULT_ROLE_ID: role }),
              ...providerVariables('house', ldap),
              ...providerVariables('away', { ...openid, LABEL: 'nobody', ISSUER_URL: 'http://127.0.0.1:9' }),
            },
          },
        }),
      ]);
      const policy = await makePolicy(service, { app_access: true, permissions: [{ collection: 'books', action: 'read' }] });
      await service.api.post('/roles', { id: role, name: 'readers', policies: [{ policy }] });
    });
    afterAll(async () => {
      await closePages(browser);
      await service?.stop();
      await directory?.stop();
      await provider?.stop();
    });

    it('leads to the provider and back to where one was', async () => {
      provider.people.set('ann', { email: 'ann@example.org', given_name: 'Ann' });
      const { page, close } = await openStudio(browser, service);
      await page.goto(`${service.url}/admin/c/books`);
      await page.getByRole('button', { name: 'Sign in with The company' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await logInAt(page, 'ann');
      await page.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
      expect(page.url()).toBe(`${service.url}/admin/c/books`);
      expect(await service.sql("select provider, email from service_users where external_identifier = 'ann'")).toEqual([
        { provider: 'company', email: 'ann@example.org' },
      ]);
      await close();
    });

    it('a policy that enforces a second factor leads to its setup, by a password or after a login by a provider', async () => {
      const policy = await makePolicy(service, { app_access: true, permissions: [{ collection: 'books', action: 'read' }] });
      await service.api.patch(`/policies/${policy}`, { enforce_tfa: true });
      const guarded = { policies: [{ policy }] };
      const { email, password } = await makePerson(service, [], guarded);
      await makePerson(service, [], { ...guarded, provider: 'company', external_identifier: 'gus', password: null });
      provider.people.set('gus', {});
      const finish = async (page: Page): Promise<void> => {
        const shown = await page.locator('.code-secret').innerText();
        const { authenticator } = await import('otplib');
        const code = page.getByLabel('One-time code');
        await code.fill('000000');
        await page.getByRole('button', { name: 'Turn on' }).click();
        await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
        await code.fill(authenticator.generate(shown.replaceAll(/\s/g, '')));
        await page.getByRole('button', { name: 'Turn on' }).click();
        await page.getByRole('link', { name: 'Books' }).first().waitFor({ state: 'attached' });
      };
      const { page, close, allowRefusals } = await openStudio(browser, service, { viewport: { width: 390, height: 800 } });
      allowRefusals('403 POST /graphql/system', '400 POST /users/me/tfa/', '401 POST /users/me/tfa/');
      await page.goto(`${service.url}/admin/`);
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { name: 'A second factor is needed' }).waitFor();
      await page.getByRole('button', { name: 'Set up one-time codes' }).click();
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Set up one-time codes' }).click();
      await page.getByRole('alert').filter({ hasText: 'This password is wrong' }).waitFor();
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Set up one-time codes' }).click();
      await page.getByLabel('One-time code').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await finish(page);
      await close();

      const { page: other } = await openStudio(browser, service);
      await other.goto(`${service.url}/admin/`);
      await logInAt(other, 'gus');
      await other.getByRole('heading', { name: 'A second factor is needed' }).waitFor();
      expect(await findBarriers(other)).toEqual([]);
      await other.getByRole('button', { name: 'Set up one-time codes' }).click();
      await finish(other);
      await other.context().close();
    });

    it('takes the name and the password of a directory in the form', async () => {
      const { page, close, allowRefusals } = await openStudio(browser, service);
      allowRefusals('401 POST /auth/login/house');
      await page.goto(`${service.url}/admin/`);
      await page.getByRole('button', { name: 'Sign in with the directory' }).click();
      await page.getByLabel('User name').fill('dora');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.getByRole('button', { name: 'Sign in with the directory' }).click();
      await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
      await page.getByLabel('Password', { exact: true }).fill('password of dora');
      await page.getByRole('button', { name: 'Sign in with the directory' }).click();
      await page.getByRole('link', { name: 'Books' }).first().waitFor();
      await close();
    });

    it('AUTH_DISABLE_DEFAULT: shows the providers and no form for a password, and one signs in by them', async () => {
      if (vendor === undefined) throw new Error('no database');
      const port = await freePort();
      const publicUrl = `http://127.0.0.1:${port}`;
      const alone = await startIdentityProvider([`${publicUrl}/auth/login/company/callback`]);
      const openid = { DRIVER: 'openid', LABEL: 'The company', ISSUER_URL: alone.url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
      const config = {
        ...{ port, publicUrl, authDisableDefault: true, authProviders: ['company'] },
        authVariables: providerVariables('company', openid),
      };
      const closed = await startService(vendor, { area: 'studio-sign-on-closed', config });
      try {
        await makePerson(closed, [{ app_access: true, admin_access: true }], { provider: 'company', external_identifier: 'root' });
        alone.people.set('root', {});
        const { page, close } = await openStudio(browser, closed);
        await page.goto(`${closed.url}/admin/`);
        await page.getByRole('button', { name: 'Sign in with The company' }).waitFor();
        expect(await page.locator('input').count()).toBe(0);
        expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in with The company']);
        expect(await findBarriers(page)).toEqual([]);
        await logInAt(page, 'root');
        await page.getByRole('navigation').first().waitFor({ state: 'attached' });
        await close();
      } finally {
        await closed.stop();
        await alone.stop();
      }
    });

    it('says on the page why there was no login, and not in the address', async () => {
      const { page, close, allowRefusals } = await openStudio(browser, service);
      allowRefusals('400 POST /graphql/system', '400 POST /auth/logout');
      await page.goto(`${service.url}/admin/`);
      await page.getByRole('button', { name: 'Sign in with nobody' }).click();
      await page.getByText('The login service cannot be reached at the moment.').waitFor();
      expect(page.url()).toBe(`${service.url}/admin/`);
      await page.goto(`${service.url}/admin/login?reason=INVALID_CREDENTIALS`);
      await page.getByText('This login is not known here').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await close();
    });
  },
);

// Providers in a real browser: the form of a SAML identity provider, which comes from another site and so without the cookie of the login, is
// sent again by a page of the service; and one's own account is linked to a provider, and unlinked.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePolicy } from '../harness/people.js';
import { startSamlProvider } from '../harness/saml-provider.js';
import { providerVariables } from '../harness/sign-on.js';
import { adminPassword, startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const role = '5a4f1c1e-0000-4000-8000-00000000000a';

describe.runIf(inject('browser') !== null && vendor !== undefined)('identities in Studio', () => {
  let browser: Browser;
  let provider: Awaited<ReturnType<typeof startSamlProvider>>;
  let service: TestService;

  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    const port = await freePort();
    provider = await startSamlProvider();
    const saml = { DRIVER: 'saml', LABEL: 'The house', IDP_metadata: provider.metadata };
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, {
        demo: true,
        area: 'studio-identities',
        config: {
          port,
          publicUrl: `http://127.0.0.1:${port}`,
          authProviders: ['house'],
          authVariables: providerVariables('house', { ...saml, ALLOW_PUBLIC_REGISTRATION: 'true', DEFAULT_ROLE_ID: role }),
        },
      }),
    ]);
    const policy = await makePolicy(service, { app_access: true, permissions: [{ collection: 'books', action: 'read' }] });
    await service.api.post('/roles', { id: role, name: 'readers', policies: [{ policy }] });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    await provider?.stop();
  });

  const identitiesOf = async (subject: string): Promise<number> =>
    (await service.sql(`select digest from service_identities where subject = '${subject}'`)).length;

  /** Each form that reached the service, and whether the cookie of the login came with it. */
  const watchForms = (page: Page): (() => Promise<readonly boolean[]>) => {
    const forms: Promise<boolean>[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'POST' || new URL(request.url()).pathname !== '/auth/login/house/acs') return;
      forms.push(request.allHeaders().then(({ cookie = '' }) => cookie.includes('saml.house=')));
    });
    return () => Promise.all(forms);
  };

  it('SAML: the form comes without the cookie, is sent again with it, and leads to where one was', async () => {
    provider.person = { nameId: 'sam' };
    const { page, close, allowRefusals } = await openStudio(browser, service);
    allowRefusals('422 DELETE /users/me/identities/');
    const forms = watchForms(page);
    await page.goto(`${service.url}/admin/c/books`);
    await page.getByRole('button', { name: 'Sign in with The house' }).click();
    await page.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${service.url}/admin/c/books`);
    expect(await forms()).toEqual([false, true]);
    const cookies = await page.context().cookies(service.url);
    expect(
      cookies.map(({ name }) => name),
      'the cookie of the login is gone',
    ).toEqual(['service_session_token']);
    expect(await identitiesOf('sam')).toBe(1);

    await page.goto(`${service.url}/admin/me`);
    await page.getByRole('button', { name: 'Unlink The house' }).click();
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'the only way to sign in' }).waitFor();
    expect(await identitiesOf('sam')).toBe(1);
    await close();
  });

  it('SAML: a refused answer is explained on the sign-in page', async () => {
    provider.person = { nameId: 'eve' };
    provider.lies = { audience: 'another service' };
    const { page, close, allowRefusals } = await openStudio(browser, service);
    allowRefusals('400 POST /graphql/system', '400 POST /auth/logout');
    await page.goto(`${service.url}/admin/`);
    await page.getByRole('button', { name: 'Sign in with The house' }).click();
    await page.getByText('This login is not known here').waitFor();
    provider.lies = {};
    expect(await identitiesOf('eve')).toBe(0);
    await close();
  });

  it('links a provider to the own account, signs in by it, and unlinks it', async () => {
    provider.person = { nameId: 'chief' };
    const studio = await openStudio(browser, service);
    studio.allowRefusals('403 POST /users/me/identities', '401 POST /users/me/identities');
    const { page } = studio;
    await signIn(studio, service, '/admin/me');
    await page.getByRole('button', { name: 'Link The house', exact: true }).waitFor();
    // A session that was left open.
    await service.sql('update service_sessions set signed_in = null');
    await page.getByRole('button', { name: 'Link The house', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Link The house' });
    await dialog.getByText('Your login was a while ago').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Password', { exact: true }).fill('wrong');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(adminPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Unlink The house' }).waitFor();
    expect(page.url()).toBe(`${service.url}/admin/me`);
    expect(await page.getByRole('button', { name: 'Link The house', exact: true }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    const { id } = (await service.api.get('/users/me?fields=id')).body.data;
    expect((await service.api.get(`/users/${id}/identities`)).body.data).toMatchObject([{ provider: 'house' }]);

    const { page: other } = await openStudio(browser, service);
    await other.goto(`${service.url}/admin/me`);
    await other.getByRole('button', { name: 'Sign in with The house' }).click();
    await other.getByRole('button', { name: 'Unlink The house' }).waitFor();
    await other.context().close();

    await page.getByRole('button', { name: 'Unlink The house' }).click();
    await page.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByText('None linked.').waitFor();
    expect(await identitiesOf('chief')).toBe(0);
    await studio.close();
  });

  it('an identity of another user is not linked, and the page says so', async () => {
    provider.person = { nameId: 'taken' };
    const { page: owner } = await openStudio(browser, service);
    await owner.goto(`${service.url}/admin/c/books`);
    await owner.getByRole('button', { name: 'Sign in with The house' }).click();
    await owner.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
    const studio = await openStudio(browser, service);
    await signIn(studio, service, '/admin/me');
    await studio.page.getByRole('button', { name: 'Link The house', exact: true }).click();
    await studio.page.getByText('The account was not linked').waitFor();
    expect(new URL(studio.page.url()).search).toBe('');
    expect(await identitiesOf('taken')).toBe(1);
    await owner.context().close();
    await studio.close();
  });
});

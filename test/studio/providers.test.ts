// Providers kept in the settings, in a real browser: an administrator adds the identity provider of the test, somebody signs in by its button, and it
// is changed and removed.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientId, clientSecret, type IdentityProvider, startIdentityProvider } from '../harness/identity-provider.js';
import { makePolicy } from '../harness/people.js';
import { providerVariables } from '../harness/sign-on.js';
import { startService, type TestService } from '../harness/start-service.js';
import { freePort } from '../harness/throw-away-server.js';
import { closePages, findBarriers, findBarriersInBothColours, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const role = '5a4f1c1e-0000-4000-8000-00000000000b';
const place = '/admin/settings/sign-on';

describe.runIf(inject('browser') !== null && vendor !== undefined)('providers in Studio', () => {
  let browser: Browser;
  let provider: IdentityProvider;
  let service: TestService;

  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    provider = await startIdentityProvider([`${publicUrl}/auth/login/the-company/callback`]);
    const fixed = { DRIVER: 'openid', LABEL: 'Fixed', ISSUER_URL: 'http://127.0.0.1:9', CLIENT_ID: 'x' };
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, {
        demo: true,
        area: 'studio-providers',
        config: { port, publicUrl, authProviders: ['fixed'], authVariables: providerVariables('fixed', fixed) },
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

  const drawer = (page: Page) => page.getByRole('dialog');
  const rows = (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    service.sql('select name, settings, secrets from service_providers');

  it('adds one by the form, tries it before, and its button signs a user in', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    // The heading is there before the screen that the command menu leads to.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('sign-on');
    await page.locator('[role=menuitem][data-focused]', { hasText: 'Sign-on providers' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('From the environment').waitFor();
    expect(new URL(page.url()).pathname).toBe(place);
    await page.getByRole('button', { name: 'Add a provider' }).click();
    const form = drawer(page);
    await form.getByRole('radio', { name: /^OpenID Connect/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await form.getByLabel('Text of the button').fill('The Company');
    expect(await form.getByLabel('Name in addresses').inputValue()).toBe('the-company');
    expect(await form.getByLabel('Redirect URL', { exact: true }).inputValue()).toBe(`${service.url}/auth/login/the-company/callback`);
    await form.getByLabel('Issuer URL').fill(provider.url);
    await form.getByLabel('Client ID').fill(clientId);
    await form.getByLabel('Client secret').fill('not this one');
    await form.getByLabel('Give unknown people an account').check();
    await form.getByLabel('Role of new people').selectOption(role);
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByText('The provider refuses the client: client ID or secret is wrong.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await form.getByLabel('Client secret').fill(clientSecret);
    await form.getByRole('button', { name: 'Try it' }).click();
    await form.getByText('The provider accepts the client and its secret.', { exact: true }).first().waitFor();
    expect(await rows(), 'nothing is kept by trying').toEqual([]);
    await form.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByRole('button', { name: 'Edit The Company' }).waitFor();
    const [row] = await rows();
    expect(row?.['name']).toBe('the-company');
    expect(JSON.stringify(row)).not.toContain(clientSecret);
    expect(JSON.parse(String(row?.['settings']))).toMatchObject({ ISSUER_URL: provider.url, LABEL: 'The Company', DEFAULT_ROLE_ID: role });
    studio.expectQuiet();
    await studio.close();

    provider.people.set('ann', { email: 'ann@example.org', given_name: 'Ann' });
    const { page: other } = await openStudio(browser, service);
    await other.goto(`${service.url}/admin/c/books`);
    await other.getByRole('button', { name: 'Sign in with The Company' }).click();
    await other.locator('input[name=login]').fill('ann');
    await other.locator('input[name=password]').fill('any');
    await other.locator('button[type=submit]').click();
    await other.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' });
    await other.locator('button[type=submit]').click();
    await other.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
    expect(await service.sql("select provider, email from service_users where external_identifier = 'ann'")).toEqual([
      { provider: 'the-company', email: 'ann@example.org' },
    ]);
    // Providers are for administrators.
    await other.goto(service.url + place);
    await other.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
    await other.context().close();
  });

  it('changes one without its secret, says what is wrong beside the field, and removes it', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 PATCH /auth/providers/');
    const { page } = studio;
    await signIn(studio, service, place);
    const before = (await rows())[0]?.['secrets'];
    await page.getByRole('button', { name: 'Edit The Company' }).click();
    const form = drawer(page);
    expect(await form.getByLabel('Client secret').inputValue()).toBe('');
    expect(await form.getByLabel('Client secret').getAttribute('placeholder')).toBe('Kept. Type to replace it.');
    await form.getByText('More settings').click();
    await form.getByLabel('Roles by group (JSON)').fill('{"editors":');
    await form.getByRole('button', { name: 'Save provider' }).click();
    await form.locator('[aria-invalid=true][name=ROLE_MAPPING]').waitFor();
    await form.getByLabel('Roles by group (JSON)').fill('');
    await form.getByLabel('Text of the button').fill('The Firm');
    await form.getByRole('button', { name: 'Save provider' }).click();
    await page.getByRole('button', { name: 'Edit The Firm' }).waitFor();
    const [row] = await rows();
    expect(JSON.parse(String(row?.['settings']))).toMatchObject({ LABEL: 'The Firm', CLIENT_SECRET: '**********' });
    expect(row?.['secrets'], 'sealed anew').not.toBe(before);
    await page.getByRole('button', { name: 'Try it: The Firm' }).click();
    await page.getByText('It works. A real login is the last proof.').waitFor();
    await page.getByRole('button', { name: 'Try it: Fixed' }).click();
    await page.getByText('Not reachable').waitFor();
    expect(await findBarriersInBothColours(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit The Firm' }).click();
    await form.getByRole('button', { name: 'Remove provider' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove provider' }).click();
    await page.getByRole('button', { name: 'Edit The Firm' }).waitFor({ state: 'detached' });
    expect(await rows()).toEqual([]);
    expect((await service.api.get('/activity?filter[collection][_eq]=service_providers&sort=id&fields=action,item')).body.data).toEqual([
      { action: 'create', item: 'the-company' },
      { action: 'update', item: 'the-company' },
      { action: 'delete', item: 'the-company' },
    ]);
    await studio.close();
  });

  it('fits a phone, and speaks German', async () => {
    await service.api.patch('/users/me', { language: 'de-DE' });
    const studio = await openStudio(browser, service, { viewport: { width: 390, height: 800 }, locale: 'de-DE' });
    const { page } = studio;
    await page.goto(service.url + place);
    await page.getByLabel('E-Mail').fill('admin@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill('correct-horse-battery');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('Aus der Umgebung').waitFor();
    await page.getByRole('button', { name: 'Anbieter hinzufügen' }).click();
    await drawer(page).getByRole('radio', { name: /SAML/ }).check();
    await drawer(page).getByLabel('Metadaten des Anbieters (XML)').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await studio.close();
  });
});

// The ways in: the first start by its link, a forgotten password, an invitation, an account without access; and what happens when the session
// ends, or the service is away, while somebody works.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { linkOf, type MailBox, openMailBox } from '../harness/mail-box.js';
import { makePerson, type PermissionSpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, holdBack, launchBrowser, openStudio } from './open-studio.js';

const [vendor] = inject('vendors');

const actions = ['read', 'create', 'update'] as const;
const onBooks: readonly PermissionSpec[] = actions.map((action) => ({ collection: 'books', action }));

async function signInAs(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('the ways into Studio', () => {
  let browser: Browser;
  let service: TestService;
  let mails: MailBox;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    mails = await openMailBox();
    const config = { adminPassword: null, mailUrl: mails.url };
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio-entry', config })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    await mails?.close();
  });

  it('begin with the printed link: two clicks to the collections, and the link is dead afterwards', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const [row] = await service.sql("select value from service_secrets where name = 'setup'");
    const { code } = JSON.parse(String(row?.['value']));
    await page.goto(`${service.url}/admin/`);
    await page.getByText('This service is not set up yet').waitFor();
    await page.goto(`${service.url}/admin/setup#${code}`);
    await page.getByLabel('Name of the project').fill('Bookshop');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('chosen by Ada');
    expect(page.url()).not.toContain(code);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Finish setup' }).click();
    await page.getByRole('link', { name: 'Books' }).first().waitFor();
    expect(page.url()).toBe(`${service.url}/admin/`);
    expect((await service.api.get('/users?fields=email')).body.data).toEqual([{ email: 'ada@example.com' }]);
    expect((await service.api.get('/settings?fields=project_name')).body.data).toEqual({ project_name: 'Bookshop' });
    await page.goto(`${service.url}/admin/setup#${code}`);
    await page.reload();
    await page.getByText('This setup link is no longer valid.').waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('show the next person nothing of what the one before has read', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const all = await makePerson(service, [{ app_access: true, permissions: onBooks }]);
    const rule = { title: { _eq: 'Emma' } };
    const one = await makePerson(service, [
      { app_access: true, permissions: [{ collection: 'books', action: 'read', permissions: rule }] },
    ]);
    const others = page.getByRole('gridcell', { name: 'Persuasion' }).first();
    await page.goto(`${service.url}/admin/c/books`);
    await signInAs(page, all.email, all.password);
    await others.waitFor({ state: 'attached' });
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Email').waitFor();
    // Whatever the list shows before this answer, it shows from memory.
    const release = await holdBack(page, 'SEARCH', /\/items\/books$/);
    const asked = page.waitForRequest(/\/items\/books$/);
    await signInAs(page, one.email, one.password);
    await asked;
    expect(await others.count()).toBe(0);
    release();
    await page.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
    expect(await others.count()).toBe(0);
    await studio.close();
  });

  it('lead back in after a forgotten password, by the link of the mail', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('403 POST /auth/password/reset');
    const { page } = studio;
    const person = await makePerson(service, [{ app_access: true, permissions: onBooks }]);
    await page.goto(`${service.url}/admin/`);
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByText('a link is on its way').waitFor();
    const { token } = linkOf(await mails.next(person.email));
    await page.goto(`${service.url}/reset-password?token=${token}`);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${service.url}/admin/reset-password`);
    await page.getByLabel('New password').fill('remembered now');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('button', { name: 'Go to sign-in' }).click();
    await signInAs(page, person.email, 'remembered now');
    await page.getByRole('link', { name: 'Books' }).first().waitFor();
    await page.goto(`${service.url}/reset-password?token=${token}`);
    await page.getByLabel('New password').fill('a second time');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('This link is no longer valid. Ask for a new one.').waitFor();
    await studio.close();
  });

  it('welcome the invited, and explain missing access to Studio', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /graphql/system');
    const { page } = studio;
    const role = (await service.api.post('/roles', { name: 'Guests' })).body.data.id;
    expect((await service.api.post('/users/invite', { email: 'guest@example.com', role })).status).toBeLessThan(300);
    const { token } = linkOf(await mails.next('guest@example.com'));
    await page.goto(`${service.url}/accept-invite?token=${token}`);
    await page.getByRole('heading', { name: 'Welcome: choose a password' }).waitFor();
    await page.getByLabel('New password').fill('guest of the house');
    await page.getByRole('button', { name: 'Save password' }).click();
    await signInAs(page, 'guest@example.com', 'guest of the house');
    await page.getByText('Your account may not use Studio.').waitFor();
    expect(await page.context().cookies()).toEqual([]);
    expect((await service.api.get('/users?filter[email][_eq]=guest@example.com&fields=status')).body.data).toEqual([{ status: 'active' }]);
    await studio.close();
  });

  it('open again in place when the session ended, and the save that waited is done once', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('401 ');
    const { page } = studio;
    const person = await makePerson(service, [{ app_access: true, permissions: onBooks }]);
    await page.goto(`${service.url}/admin/c/books/+`);
    await signInAs(page, person.email, person.password);
    await page.getByLabel('Title').fill('Written meanwhile');
    await page.getByLabel('Slug').fill('written-meanwhile');
    await service.api.patch(`/users/${person.id}`, { password: 'another one' });
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill('a wrong one');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await dialog.getByText('Email or password is wrong.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill('another one');
    await dialog.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    const { data } = (await service.api.get('/items/books?filter[slug][_eq]=written-meanwhile&fields=title')).body;
    expect(data).toEqual([{ title: 'Written meanwhile' }]);
    await studio.close();
  });

  it('stay open while the service is away: it is said in place, and what was saved meanwhile is stored once', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const person = await makePerson(service, [{ app_access: true, permissions: onBooks }]);
    await page.goto(`${service.url}/admin/c/books/+`);
    await signInAs(page, person.email, person.password);
    await page.getByLabel('Title').fill('Sent in the dark');
    await page.getByLabel('Slug').fill('sent-in-the-dark');
    let lost = 0;
    await page.route(/\/items\/books(\?|$)/, async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      // The service stores it, and its answer gets lost with the connection.
      lost += 1;
      await route.fetch();
      await page.context().setOffline(true);
      await route.abort();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service does not answer. Trying again').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Sent in the dark');
    await page.context().setOffline(false);
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    expect(lost).toBe(1);
    const { data } = (await service.api.get('/items/books?filter[slug][_eq]=sent-in-the-dark&fields=title')).body;
    expect(data).toEqual([{ title: 'Sent in the dark' }]);
    await studio.close();
  });
});

// Running a project: who did what with the values that changed, the settings, and the state of the service.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { adminEmail, startService, type TestService } from '../harness/start-service.js';
import { findBarriers, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };

describe.runIf(inject('browser') !== null && vendor !== undefined)('running a project', () => {
  let browser: Browser;
  let service: TestService;
  let mailBox: MailBox;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    mailBox = await openMailBox();
    const config = { mailUrl: mailBox.url };
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-running', demo: true, config })]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await mailBox?.close();
  });

  const openAt = async (place: string, options = {}): Promise<StudioPage> => {
    const studio = await openStudio(browser, service, options);
    await signIn(studio, service);
    await studio.page.goto(`${service.url}/admin/${place}`);
    return studio;
  };

  it('activity is chosen by person, action and collection, and shows what changed', async () => {
    const editor = await makePerson(
      service,
      [
        {
          app_access: true,
          permissions: [
            { collection: 'books', action: 'read' },
            { collection: 'books', action: 'update' },
          ],
        },
      ],
      { first_name: 'Emma', last_name: 'Editor' },
    );
    await service.api.patch('/items/books/2', { summary: 'A story of old' });
    expect((await editor.api.patch('/items/books/2', { summary: 'A story of today' })).status).toBe(200);
    await service.api.delete('/items/books/3');
    const studio = await openAt('activity');
    const { page } = studio;
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    await page.getByLabel('Person', { exact: true }).selectOption({ label: 'Emma Editor' });
    await page.getByLabel('Collection', { exact: true }).selectOption('books');
    await page.getByLabel('Action', { exact: true }).selectOption('update');
    await expect.poll(() => page.getByRole('row').count(), poll).toBe(1 + 1);
    expect(new URL(page.url()).searchParams.get('collection')).toBe('books');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Details of changed, Books 2' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('del', { hasText: 'old' }).waitFor();
    await drawer.locator('ins', { hasText: 'today' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('link', { name: 'Open item' }).click();
    await page.getByLabel('Summary').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('A story of today');
    await page.goto(`${service.url}/admin/activity?action=delete`);
    await page.getByRole('button', { name: 'Details of deleted, Books 3' }).click();
    await page.getByRole('dialog').getByText('Title', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').getByRole('link', { name: 'Open item' }).count()).toBe(0);
    studio.expectQuiet();
    await page.context().close();
  });

  it('settings are saved by the form, and the name of the project follows', async () => {
    const studio = await openAt('settings');
    const { page } = studio;
    await page.getByLabel('Name', { exact: true }).fill('Book shop');
    await page.getByLabel('Appearance', { exact: true }).selectOption('dark');
    await page.getByLabel('People may register themselves').click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await service.api.get('/settings?fields=project_name,default_appearance,public_registration');
    expect(body.data).toEqual({ project_name: 'Book shop', default_appearance: 'dark', public_registration: true });
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Book shop' }).waitFor();
    studio.expectQuiet();
    await page.context().close();
  });

  it('the state of the service is told to administrators, and to nobody else', async () => {
    const studio = await openAt('system');
    const { page } = studio;
    await page.getByText('Everything works').waitFor();
    await page
      .getByRole('row', { name: /Connections/ })
      .first()
      .waitFor();
    await page.getByText('Largest file').waitFor();
    await page.getByRole('button', { name: 'Send a test mail to yourself' }).click();
    await page.getByText(`On its way to ${adminEmail}. The mail server said: 250 taken`).waitFor();
    expect((await mailBox.next(adminEmail)).text).toContain('to see whether mails arrive');
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const place of ['system', 'settings', 'activity']) {
      await page.goto(`${service.url}/admin/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
    studio.expectQuiet();
    await page.context().close();

    const reader = await makePerson(service, [{ app_access: true, permissions: [{ collection: 'books', action: 'read' }] }]);
    const other = await openStudio(browser, service);
    await other.page.goto(`${service.url}/admin/`);
    await other.page.getByLabel('Email').fill(reader.email);
    await other.page.getByLabel('Password', { exact: true }).fill(reader.password);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.getByRole('link', { name: 'Books', exact: true }).first().waitFor();
    for (const name of ['Settings', 'System']) expect(await other.page.getByRole('link', { name, exact: true }).count()).toBe(0);
    await other.page.goto(`${service.url}/admin/settings`);
    await other.page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
    await other.page.context().close();
  });
});

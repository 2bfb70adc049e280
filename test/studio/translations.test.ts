// Texts of the interface in several languages: kept in the settings, used by the model, and shown to everybody in their own language.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };

describe.runIf(inject('browser') !== null && vendor !== undefined)('translations of interface texts', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-translations', demo: true })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const stored = async (key: string): Promise<unknown> =>
    (await service.api.get(`/translations?filter[key][_eq]=${key}&fields=language,value&sort=language`)).body.data;

  it('are listed, added, changed and deleted in the settings', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /batch');
    const { page } = studio;
    await signIn(studio, service, '/admin/settings');
    await page.getByRole('link', { name: 'Translations' }).click();
    await page.getByText('No translations yet').waitFor();
    await page.getByRole('button', { name: 'New translation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill('greeting');
    await dialog.getByLabel('American English').fill('Hello');
    await dialog.getByLabel('Another language').fill('de-DE');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await dialog.getByLabel('German').fill('Hallo');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /greeting/ }).waitFor();
    expect(await stored('greeting')).toEqual([
      { language: 'de-DE', value: 'Hallo' },
      { language: 'en-US', value: 'Hello' },
    ]);
    // The same key and language again: said in place, and what was typed stays.
    await page.getByRole('button', { name: 'New translation' }).click();
    await dialog.getByLabel('Key').fill('greeting');
    await dialog.getByLabel('American English').fill('Hi');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('There is a text for "greeting" in "en-US" already.').waitFor();
    await dialog.getByLabel('Key').fill('farewell');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /farewell/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change greeting' }).click();
    await dialog.getByLabel('German').fill('');
    await dialog.getByLabel('American English').fill('Good day');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored('greeting')).toEqual([{ language: 'en-US', value: 'Good day' }]);
    await page.getByLabel('Find a key or a text').fill('good');
    await expect.poll(() => page.getByRole('row').count(), poll).toBe(1 + 1);
    await page.getByRole('button', { name: 'Change greeting' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Translation deleted').waitFor();
    await expect.poll(() => stored('greeting'), poll).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await studio.close();
  });

  it("are picked or made in the model, kept as keys, and shown in each person's language with one boot request", async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model/books');
    await page.getByTitle('Edit Title', { exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Edit Title' });
    await drawer.getByRole('button', { name: 'Add a name' }).click();
    await drawer.getByRole('button', { name: 'Use a translated text' }).first().click();
    await page.getByRole('button', { name: 'New translation' }).click();
    const dialog = page.getByRole('dialog', { name: 'New translation' });
    await dialog.getByLabel('Key').fill('book_title');
    await dialog.getByLabel('American English').fill('Title of the book');
    await dialog.getByLabel('Another language').fill('de-DE');
    await dialog.getByRole('button', { name: 'Add language' }).click();
    await dialog.getByLabel('German').fill('Titel des Buches');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await drawer.getByLabel('Name 1', { exact: true }).inputValue()).toBe('$t:book_title');
    await drawer.getByText('Shown as “Title of the book”').waitFor();
    await drawer.getByLabel('Language of name 1').fill('en-US');
    await drawer.getByLabel('Note').fill('$t:book_note');
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: /^Apply/ }).click();
    await expect
      .poll(async () => (await service.api.get('/fields/books/title')).body.data.meta, poll)
      .toMatchObject({ translations: [{ language: 'en-US', translation: '$t:book_title' }], note: '$t:book_note' });
    await service.api.patch('/fields/books/title', {
      meta: {
        translations: [
          { language: 'en-US', translation: '$t:book_title' },
          { language: 'de-DE', translation: '$t:book_title' },
        ],
        options: { placeholder: '$t:book_hint' },
      },
    });
    const texts = [
      { key: 'book_note', language: 'de-AT', value: 'Wie auf dem Umschlag' },
      { key: 'book_note', language: 'en-GB', value: 'As on the cover' },
      { key: 'figures', language: 'de-DE', value: 'Kennzahlen' },
    ];
    expect((await service.api.post('/translations', texts)).status).toBe(200);
    const dashboard = await service.api.post('/dashboards', { name: '$t:figures' });
    await service.api.post('/panels', {
      dashboard: dashboard.body.data.id,
      name: '$t:figures',
      type: 'label',
      options: { text: '$t:book_note' },
      position_x: 1,
      position_y: 1,
      width: 10,
      height: 5,
    });
    await studio.close();

    const policy = {
      app_access: true,
      permissions: ['books', 'service_dashboards', 'service_panels'].map((collection) => ({ collection, action: 'read' as const })),
    };
    const person = await makePerson(service, [policy], { language: 'de-DE' });
    const german = await openStudio(browser, service);
    await signIn(german, service, '/admin/c/books/2', person);
    await german.page.getByLabel('Titel des Buches').waitFor();
    await german.page.getByText('Wie auf dem Umschlag').waitFor();
    expect(await german.page.getByLabel('Titel des Buches').getAttribute('placeholder')).toBe('book_hint');
    expect(german.requests().filter((each) => each.includes('/translations') || each.includes('/graphql'))).toEqual([
      'POST /graphql/system',
    ]);
    await german.page.goto(`${service.url}/admin/dashboards`);
    await german.page.getByRole('link', { name: 'Kennzahlen' }).click();
    await german.page.getByRole('heading', { level: 1, name: 'Kennzahlen' }).waitFor();
    await german.page.getByRole('region', { name: 'Kennzahlen' }).getByText('Wie auf dem Umschlag').waitFor();
    // The page of the settings is not theirs.
    await german.page.goto(`${service.url}/admin/settings/translations`);
    await german.page.getByRole('heading', { name: 'Unter dieser Adresse gibt es nichts.' }).waitFor();
    german.expectQuiet();
    await german.close();
  });
});

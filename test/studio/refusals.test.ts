// Refusals in the language of the person, with titles of fields and collections: the service gives name and parameters, Studio the words.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { refusalSentences } from '../../src/core/errors/refusals.js';
import { refusalsEnglish } from '../../studio/src/text/english/refusals.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

it('have words in Studio for each name that the service gives', () => {
  const known = Object.keys(refusalsEnglish.sentences);
  expect(Object.keys(refusalSentences).filter((name) => !known.includes(name))).toEqual([]);
});

describe.runIf(inject('browser') !== null && vendor !== undefined)('Refusals in German', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio-refusals' })]);
    await service.api.post('/items/books', { title: 'Taken', slug: 'taken' });
    await service.api.patch('/fields/books/slug', { meta: { translations: [{ language: 'de-DE', translation: 'Kürzel' }] } });
    await service.api.patch('/users/me', { language: 'de-DE' });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const open = async (path: string): Promise<StudioPage> => {
    const studio = await openStudio(browser, service);
    await signIn(studio, service, path);
    return studio;
  };

  it('name the field by its title where a value has to be unique', async () => {
    const studio = await open('/admin/c/books/+');
    studio.allowRefusals('400 POST /items/books');
    const { page } = studio;
    await page.getByLabel('Title').first().fill('Again');
    await page.getByLabel('Kürzel').fill('taken');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('„Kürzel“ muss eindeutig sein: Ein anderer Eintrag hat diesen Wert.').waitFor();
    await studio.close();
  });

  it('say on the change desk why a change of the structure is refused', async () => {
    const studio = await open('/admin/model');
    studio.allowRefusals('400 POST /schema/changes');
    const { page } = studio;
    const change = { change: 'create_collection', data: { collection: 'books', schema: {}, fields: [] } };
    const cards = JSON.stringify([{ id: 1, title: 'Anlegen', change }]);
    await page.evaluate(`sessionStorage.setItem('tain.change-desk', ${JSON.stringify(cards)})`);
    await page.reload();
    await page.getByRole('button', { name: 'Zeigen' }).click();
    await page.getByText('Eine Sammlung „Books“ gibt es schon.').waitFor();
    await studio.close();
  });
});

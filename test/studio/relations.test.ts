// Relations of every kind in forms: blocks of several collections, trees, translations, files. All of them are staged, and saved with the item
// in one request.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { makeStorageFolder, upload } from '../harness/upload.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, seek, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } };
const alias = (field: string, special: string, inter: string) => ({ field, type: 'alias', meta: { special: [special], interface: inter } });
const number = (field: string) => ({ field, type: 'integer' });
const string = (field: string) => ({ field, type: 'string' });

/** Places in a tree, with names in two languages, a cover and more files. */
async function makePlaces({ api }: TestService): Promise<void> {
  const post = async (path: string, body: object) => expect((await api.post(path, body)).status).toBe(200);
  const make = (collection: string, fields: readonly object[]) => post('/collections', { collection, schema: {}, meta: {}, fields });
  await make('languages', [{ field: 'code', type: 'string', schema: { is_primary_key: true } }, string('label')]);
  await post('/items/languages', [
    { code: 'en', label: 'English' },
    { code: 'de', label: 'Deutsch' },
  ] as unknown as object);
  await make('places', [
    key,
    string('name'),
    number('parent'),
    number('sort'),
    alias('children', 'o2m', 'list-o2m-tree-view'),
    alias('texts', 'translations', 'translations'),
    { field: 'cover', type: 'uuid', meta: { interface: 'file-image', special: ['file'] } },
    alias('papers', 'files', 'files'),
  ]);
  await make('place_texts', [key, number('place'), string('language'), string('motto')]);
  await make('place_files', [key, number('place'), { field: 'file', type: 'uuid' }]);
  const relate = (collection: string, field: string, related_collection: string, meta: object = {}) =>
    post('/relations', { collection, field, related_collection, meta, schema: {} });
  await relate('places', 'parent', 'places', { one_field: 'children', sort_field: 'sort' });
  await relate('place_texts', 'place', 'places', { one_field: 'texts', junction_field: 'language' });
  await relate('place_texts', 'language', 'languages', { junction_field: 'place' });
  await relate('places', 'cover', 'service_files');
  await relate('place_files', 'place', 'places', { one_field: 'papers', junction_field: 'file', one_deselect_action: 'delete' });
  await relate('place_files', 'file', 'service_files', { junction_field: 'place' });
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('relations in forms of Studio', () => {
  const storage = makeStorageFolder();
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    const options = { demo: true, area: 'studio-relations', config: { storageRoot: storage.root } };
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, options)]);
    await makePlaces(service);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    storage.remove();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;
  const writes = (studio: StudioPage) => studio.requests().filter((request) => /^(POST|PATCH|DELETE) \/items/.test(request));
  const saved = (studio: StudioPage) => studio.page.getByText('Saved', { exact: true }).waitFor();

  it('builds a page of blocks from several collections, and changes their order', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const { data: stored } = (
      await service.api.post('/items/pages', {
        title: 'Blocks',
        slug: 'blocks',
        blocks: [{ collection: 'block_texts', item: { heading: 'First' } }],
      })
    ).body;
    await signIn(studio, service, `/admin/c/pages/${stored.id}`);
    await page.getByRole('button', { name: 'First', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create new: Blocks' }).click();
    await page.getByRole('menuitem', { name: 'Block Quotes' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Quote').fill('So it goes.');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add existing: Blocks' }).click();
    await page.getByRole('menuitem', { name: 'Books' }).click();
    await seek(page.getByRole('combobox', { name: 'Find in Books' }), 'Emma');
    await page.getByRole('option', { name: 'Emma' }).click();
    await page.getByRole('button', { name: 'Move “So it goes.” up' }).click();
    // By the mouse to the end, and by the keyboard, which stays on the entry, to the top again.
    const rows = page.locator('[data-field="blocks"] .list-row');
    await rows.filter({ hasText: 'So it goes.' }).dragTo(rows.last());
    expect(await rows.locator('.row-title').allTextContents()).toEqual(['First', 'Emma', 'So it goes.']);
    await page.getByRole('button', { name: 'Move “So it goes.” up' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await rows.locator('.row-title').allTextContents()).toEqual(['So it goes.', 'First', 'Emma']);
    expect(await findBarriers(page)).toEqual([]);
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await saved(studio);
    expect(writes(studio)).toEqual([`PATCH /items/pages/${stored.id}`]);
    const { blocks } = await read(`/items/pages/${stored.id}?fields=blocks.collection&deep[blocks][_sort]=sort`);
    expect(blocks.map(({ collection }: { collection: string }) => collection)).toEqual(['block_quotes', 'block_texts', 'books']);
    studio.expectQuiet();
    await studio.close();
  });

  it('marks the field of a block that the service refuses', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /items/pages');
    const { page } = studio;
    await signIn(studio, service, '/admin/c/pages/+');
    await page.getByLabel('Title').fill('Refused');
    await page.getByLabel('Slug').fill('refused');
    await page.getByRole('button', { name: 'Create new: Blocks' }).click();
    await page.getByRole('menuitem', { name: 'Books' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Title').fill('Twice');
    await drawer.getByLabel('Slug').fill('emma');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-field="blocks"]').getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Twice', exact: true }).click();
    await drawer.locator('[data-field="slug"]').getByText('has to be unique').waitFor();
    expect(await read('/items/pages?filter[slug][_eq]=refused')).toEqual([]);
    await studio.close();
  });

  it('makes a tree of three levels, with translations, in one request', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/places/+');
    await page.getByLabel('Name').fill('Earth');
    const add = async (name: string, nth: number) => {
      await page.getByRole('button', { name: 'Create new: Children' }).nth(nth).click();
      const drawer = page.getByRole('dialog');
      await drawer.getByLabel('Name').fill(name);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
    };
    await add('Europe', 0);
    await page.getByRole('button', { name: 'Items below “Europe”' }).click();
    await add('France', 0);
    await page.getByRole('tab', { name: 'Deutsch' }).click();
    await page.getByLabel('Motto').fill('Blauer Planet');
    await page.getByRole('tab', { name: 'English' }).click();
    await page.getByLabel('Motto').fill('Blue planet');
    expect(await findBarriers(page)).toEqual([]);
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/places\/\d+$/);
    expect(writes(studio)).toEqual(['POST /items/places']);
    const [earth] = await read(
      '/items/places?filter[name][_eq]=Earth&fields=name,children.name,children.children.name,texts.language,texts.motto&deep[texts][_sort]=language',
    );
    expect(earth).toEqual({
      name: 'Earth',
      children: [{ name: 'Europe', children: [{ name: 'France' }] }],
      texts: [
        { language: 'de', motto: 'Blauer Planet' },
        { language: 'en', motto: 'Blue planet' },
      ],
    });
    await page.getByRole('tab', { name: 'Deutsch' }).click();
    await page.getByLabel('Motto').fill('Der blaue Planet');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => read('/items/place_texts?filter[language][_eq]=de&fields=motto')).toEqual([{ motto: 'Der blaue Planet' }]);
    studio.expectQuiet();
    await studio.close();
  });

  it('adds files of the library to a list', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const { data: paper } = (await upload(service.api, { name: 'paper.txt', bytes: 'words' }, { title: 'A paper' })).body;
    await signIn(studio, service, '/admin/c/places/+');
    await page.getByLabel('Name').fill('With files');
    // Editors above the button are loaded when they are needed, and push it down.
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Add existing: Papers' }).click();
    const picker = page.getByRole('dialog');
    await seek(picker.getByRole('searchbox'), 'paper');
    await picker.getByText('A paper').first().click();
    await picker
      .getByRole('button', { name: /^(Use|Choose|Add|Select)/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'A paper', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/places\/\d+$/);
    const [place] = await read('/items/places?filter[name][_eq]=With files&fields=papers.file');
    expect(place).toEqual({ papers: [{ file: paper.id }] });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    studio.expectQuiet();
    await studio.close();
  });
});

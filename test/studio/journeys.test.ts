// Journeys of the design brief: an item made with all that belongs to it (8) and two people who edit one item (10), on every database, and a
// service that is away while the structure changes (23).

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeImage, makeStorageFolder, upload } from '../harness/upload.js';
import { closePages, findBarriers, launchBrowser, openStudio, seek, signIn } from './open-studio.js';

const [first] = inject('vendors');

describeEachVendor('journeys in Studio', (vendor) => {
  describe.runIf(inject('browser') !== null)('in a real browser', () => {
    const storage = makeStorageFolder();
    let browser: Browser;
    let service: TestService;
    beforeAll(async () => {
      const options = { area: 'studio-journeys', demo: true, config: { storageRoot: storage.root } };
      [browser, service] = await Promise.all([launchBrowser(), startService(vendor, options)]);
      const cover = { field: 'cover', type: 'uuid', meta: { interface: 'file-image', special: ['file'] } };
      expect((await service.api.post('/fields/books', cover)).status).toBe(200);
      const relation = { collection: 'books', field: 'cover', related_collection: 'service_files', schema: {}, meta: {} };
      expect((await service.api.post('/relations', relation)).status).toBe(200);
    });
    afterAll(async () => {
      await closePages(browser);
      await service?.stop();
      storage.remove();
    });
    const read = async (path: string) => (await service.api.get(path)).body.data;

    it('journey 8: makes a book with a new author, two tags, one of them new, and a cover, in seven clicks and one request', async () => {
      await upload(service.api, { name: 'harbour.png', type: 'image/png', bytes: await makeImage(60, 40) });
      const counts = async () => {
        const all = await Promise.all(['books', 'authors', 'tags', 'book_tags'].map((name) => read(`/items/${name}?aggregate[count]=*`)));
        return all.map(([row]) => Number(row.count));
      };
      const before = await counts();
      const [tag] = await read('/items/tags?limit=1&fields=name');
      const studio = await openStudio(browser, service);
      studio.allowRefusals('400 POST /items/books');
      const { page } = studio;
      const drawer = page.getByRole('dialog');
      const writes = () => studio.requests().filter((request) => /^(POST|PATCH|DELETE) \/(items|batch)/.test(request));
      let clicks = 0;
      const click = async (place: ReturnType<typeof page.getByRole>) => {
        clicks += 1;
        await place.click();
      };
      await signIn(studio, service, '/admin/c/books');
      await click(page.getByRole('link', { name: 'New item' }));
      await page.getByLabel('Title').fill('The Harbour');
      await page.getByLabel('Slug').fill('emma');
      await click(page.getByRole('button', { name: 'Create new: Author' }));
      await drawer.getByLabel('Name').fill('Nora Quay');
      await page.keyboard.press('Escape');
      await click(page.getByRole('button', { name: 'Add existing: Tags' }));
      await seek(page.getByRole('combobox', { name: 'Find in Tags' }), tag.name);
      await page.getByRole('option', { name: tag.name, exact: true }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove “${tag.name}”` }).waitFor();
      await click(page.getByRole('button', { name: 'Create new: Tags' }));
      await drawer.getByLabel('Name').fill('harbours');
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await click(page.getByRole('button', { name: 'Cover' }));
      await click(drawer.getByRole('row', { name: 'Harbour' }));
      await drawer.waitFor({ state: 'detached' });
      studio.requests();
      await click(page.getByRole('button', { name: 'Save' }));
      await page.locator('[data-field="slug"]').getByText('has to be unique').waitFor();
      expect([clicks, writes(), await counts()]).toEqual([7, ['POST /items/books'], before]);
      await page.getByLabel('Slug').fill('the-harbour');
      await page.keyboard.press('Control+s');
      await page.waitForURL(/\/admin\/c\/books\/\d+$/);
      expect(writes()).toEqual(['POST /items/books']);
      const [stored] = await read(
        '/items/books?filter[slug][_eq]=the-harbour&fields=title,author.name,tags.tag.name,cover.filename_download',
      );
      expect(stored).toEqual({
        title: 'The Harbour',
        author: { name: 'Nora Quay' },
        tags: [{ tag: { name: tag.name } }, { tag: { name: 'harbours' } }],
        cover: { filename_download: 'harbour.png' },
      });
      expect(await counts()).toEqual(before.map((count, index) => count + (index === 3 ? 2 : 1)));
      await studio.close();
    });

    it('journey 10: merges what two people changed, and asks only about what both did, in three clicks', async () => {
      const [mine, theirs] = [await openStudio(browser, service), await openStudio(browser, service)];
      for (const studio of [mine, theirs]) studio.allowRefusals('412 PATCH /items/books/');
      for (const studio of [mine, theirs]) await signIn(studio, service, '/admin/c/books/3');
      await mine.page.getByLabel('Title').fill('Mine');
      await mine.page.getByLabel('Slug').fill('mine');
      await theirs.page.getByLabel('Title').fill('Theirs');
      await theirs.page.getByLabel('Pages').fill('1');
      await theirs.page.getByRole('button', { name: 'Save' }).click();
      await theirs.page.getByText('Saved', { exact: true }).waitFor();
      await mine.page.getByRole('button', { name: 'Save' }).click();
      const dialog = mine.page.getByRole('dialog');
      await dialog.waitFor();
      expect(await dialog.getByRole('row').count()).toBe(2);
      expect(await findBarriers(mine.page)).toEqual([]);
      await dialog.getByLabel('Theirs').check();
      await dialog.getByRole('button', { name: 'Save the result' }).click();
      await mine.page.getByText('Saved', { exact: true }).waitFor();
      expect(await read('/items/books/3?fields=title,slug,pages')).toEqual({ title: 'Theirs', slug: 'mine', pages: 1 });
      // Other fields than the other person's: no question is shown.
      await theirs.page.getByLabel('Summary').fill('From the other window');
      await theirs.page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => read('/items/books/3?fields=slug,summary')).toEqual({ slug: 'mine', summary: 'From the other window' });
      expect(await theirs.page.getByRole('dialog').count()).toBe(0);
      for (const studio of [mine, theirs]) await studio.close();
    });
  });
});

describe.runIf(inject('browser') !== null && first !== undefined)('Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (first === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(first, { demo: true, area: 'studio-away' })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('journey 23: waits for a service that is away, notices what changed there, and stores an edit once', async () => {
    const body = { field: 'blurb', type: 'string', schema: {}, meta: {} };
    expect((await service.api.post('/fields/books', body)).status).toBe(200);
    const studio = await openStudio(browser, service);
    studio.allowRefusals('412 PATCH /items/books/', '403 PATCH /items/books/');
    const { page } = studio;
    const keys: (string | undefined)[] = [];
    page.on(
      'request',
      (request) =>
        request.url().includes('/items/books/4') && request.method() === 'PATCH' && keys.push(request.headers()['idempotency-key']),
    );
    await signIn(studio, service, '/admin/c/books/4');
    await page.getByLabel('Title').fill('Edited in the dark');
    await page.getByLabel('Blurb').fill('Typed in vain');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The service does not answer. Trying again').waitFor();
    expect((await service.api.delete('/fields/books/blurb')).status).toBe(204);
    expect((await service.api.post('/fields/books', { ...body, field: 'teaser' })).status).toBe(200);
    await page.context().setOffline(false);
    await page.getByText('The structure changed meanwhile.').waitFor();
    await page.getByText('The service does not answer. Trying again').waitFor({ state: 'detached' });
    const [lost, again] = keys;
    expect([typeof lost, again]).toEqual(['string', lost]);
    await page.getByText('Typed in vain').waitFor();
    await page.getByLabel('Teaser').waitFor();
    await page.getByRole('button', { name: 'Let go of these values' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.save-state').waitFor({ state: 'detached' });
    expect((await service.api.get('/items/books/4?fields=title')).body.data).toEqual({ title: 'Edited in the dark' });
    const stored = await service.api.get('/revisions?filter[collection][_eq]=books&filter[item][_eq]=4&fields=delta');
    expect(stored.body.data).toEqual([{ delta: { title: 'Edited in the dark' } }]);
    await studio.close();
  });
});

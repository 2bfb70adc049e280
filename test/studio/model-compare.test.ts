// A snapshot file compared with the database: each difference is on its card before anything happens, what would be lost is asked for, and a refused
// apply leaves the structure as it was.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { stringify } from 'yaml';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

const fixture = `
  create table authors (id integer primary key, name varchar(100));
  create table articles (id integer primary key, title varchar(200), status varchar(20), author integer references authors (id));
  insert into articles (id, title, status) values (1, 'One', 'draft'), (2, 'Two', 'draft'), (3, 'Three', 'published');
`;

interface Snapshot {
  readonly collections: readonly { readonly collection: string }[];
  readonly fields: readonly { readonly collection: string; readonly field: string; readonly schema: object }[];
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('a snapshot in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-compare', fixture })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const present = async () => [await service.checksums(), (await service.api.get('/schema/snapshot')).text];
  const snapshot = async (): Promise<Snapshot> => (await service.api.get('/schema/snapshot')).body.data;
  const choose = (page: Page, name: string, content: string) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });

  /** Without articles.status, with a shorter title and a collection of notes. */
  async function otherStructure(): Promise<Snapshot> {
    const { collections, fields, ...rest } = await snapshot();
    const kept = fields.filter(({ collection, field }) => !(collection === 'articles' && field === 'status'));
    const changed = kept.map((each) =>
      each.collection === 'articles' && each.field === 'title' ? { ...each, schema: { ...each.schema, max_length: 100 } } : each,
    );
    const notes = { collection: 'notes', meta: null, schema: { name: 'notes', primary_key: ['id'] } };
    const id = fields.find(({ collection, field }) => collection === 'authors' && field === 'id');
    const noteId = { ...id, collection: 'notes', field: 'id', schema: { ...id?.schema, table: 'notes' } };
    return { ...rest, collections: [...collections, notes], fields: [...changed, noteId] };
  }

  it('shows each difference with what it does, asks before data is lost, and makes the database like the file', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const wanted = JSON.stringify(await otherStructure());
    await signIn(studio, service, '/admin/model/compare');
    const before = await present();
    await choose(page, 'structure.json', wanted);
    const articles = page.getByRole('article', { name: 'Change collection articles' });
    await articles.getByText('3 values of articles.status are deleted').waitFor();
    expect(await articles.getByRole('listitem').filter({ hasText: 'removed' }).innerText()).toContain('status');
    expect(await articles.getByRole('listitem').filter({ hasText: 'changed' }).innerText()).toMatch(/title[\s\S]*200 → 100/);
    await page.getByRole('article', { name: 'Create collection notes' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // Only the new collection: nothing is lost, so nothing is asked.
    await articles.getByRole('button', { name: 'Leave out' }).click();
    await page.getByRole('button', { name: 'Apply this change' }).waitFor();
    await articles.getByRole('button', { name: 'Take in again' }).click();
    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page.getByRole('alertdialog').getByText('1 collection or field is removed').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await present()).toEqual(before);

    await page.getByRole('button', { name: 'Apply 2 changes' }).click();
    await page.getByRole('button', { name: 'Apply and accept the loss' }).click();
    await page.getByText('Nothing differs').waitFor();
    await page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: 'Notes' }).waitFor();
    expect((await service.api.get('/fields/articles/status')).status).toBe(403);
    expect((await service.api.get('/fields/articles/title')).body.data.schema.max_length).toBe(100);
    expect((await service.api.get('/items/articles?fields=title')).body.data).toHaveLength(3);
    studio.expectQuiet();
    await studio.close();
  });

  it('leaves the structure as it was when the service refuses, and says why in place', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /schema/');
    const { page } = studio;
    const { fields, ...rest } = await snapshot();
    const wanted = { ...rest, fields: fields.filter(({ collection, field }) => !(collection === 'authors' && field === 'name')) };
    await signIn(studio, service, '/admin/model/compare');
    await choose(page, 'broken.yaml', 'version: 1\ncollections: 7');
    await page.getByRole('alert').getByText('"collections" must be an array').waitFor();
    expect(await findBarriers(page)).toEqual([]);

    // By dropping a YAML file.
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(stringify(wanted))}], 'structure.yaml'));
      return transfer;
    })()`);
    await page.locator('.drop-area').dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByRole('article', { name: 'Change collection authors' }).waitFor();
    await page.getByRole('button', { name: 'Apply this change' }).and(page.locator(':enabled')).waitFor();
    // Somebody changes the structure meanwhile.
    expect((await service.api.post('/fields/articles', { field: 'subtitle', type: 'string', schema: {} })).status).toBe(200);
    const before = await present();
    await page.getByRole('button', { name: 'Apply this change' }).click();
    await page.getByRole('button', { name: 'Apply and accept the loss' }).click();
    await page.getByRole('alert').getByText('The structure has changed since').waitFor();
    expect(await present()).toEqual(before);
    // What was added meanwhile is a difference now.
    await page.getByRole('button', { name: 'Compare again' }).click();
    await page.getByRole('article', { name: 'Change collection articles' }).getByText('subtitle').waitFor();
    await page.getByLabel('What to do with what the file lacks').selectOption('merge');
    await page.getByText('Nothing differs').waitFor();
    expect(await present()).toEqual(before);
    await studio.close();
  });

  it('writes the present structure to a file that does not differ', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model');
    await page.getByRole('link', { name: 'Compare with a snapshot' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the present structure' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('structure.json');
    await page.locator('input[type=file]').setInputFiles(await file.path());
    await page.getByText('Nothing differs').waitFor();
    studio.expectQuiet();
    await studio.close();
  });
});

// Studio over a database that Directus made: its system tables keep their names, and everything that rights, paths and presets name by them
// works for those who may.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { adoptDatabase, createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { projectScript, readProject, writeUploads } from '../harness/directus-project.js';
import { patientConfig } from '../harness/patience.js';
import { createDatabase, type TestDatabase } from '../harness/vendors.js';
import { closePages, launchBrowser, openStudio, signIn, visit } from './open-studio.js';

const [vendor] = inject('vendors');
const editor = { email: 'editor@magazine.example.com', password: 'Editor-Pass-1' };
const admin = { email: 'admin@example.com', password: 'Admin-Pass-of-the-magazine-1' };
const rain = '30e42cd8-938c-42eb-a540-a6c169ff8a70';

describe.runIf(inject('browser') !== null && vendor !== undefined)('Studio on an adopted database', () => {
  let browser: Browser;
  let database: TestDatabase;
  let service: Service;
  let url: string;
  let api: Api;
  let folder: string;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    folder = mkdtempSync(join(tmpdir(), 'tain-adopted-'));
    writeUploads(readProject(), folder);
    database = await createDatabase(vendor, 'studio-adopted');
    const direct = await openDirectAccess(vendor, database.url);
    await direct.sql(projectScript(readProject(), vendor.name));
    await direct.close();
    const given = {
      databaseUrl: database.url,
      storageRoot: folder,
      port: 0,
      logLevel: 'error',
      rateLimit: null,
      ...patientConfig,
    } as const;
    const config = readConfig({}, given);
    await adoptDatabase(config, false);
    service = await createService(config);
    url = await service.listen();
    await service.ready();
    browser = await launchBrowser();
    api = makeApi(url, 'admintoken');
    expect((await api.patch('/users/me', { password: admin.password, language: 'en-US' })).status).toBe(200);
    const [{ id }] = (await api.get(`/users?filter[email][_eq]=${editor.email}&fields=id`)).body.data;
    expect((await api.patch(`/users/${id}`, { language: 'en-US' })).status).toBe(200);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.close();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  const read = async (path: string) => (await api.get(path)).body.data;

  it('offers files and folders to those who may: uploaded, into a new folder, described, deleted', async () => {
    const studio = await openStudio(browser, { url });
    const { page } = studio;
    await signIn(studio, { url }, '/admin/files', editor);
    const bytes = { mimeType: 'text/plain', buffer: Buffer.from('Low water at noon') };
    await page.locator('input[type=file]').setInputFiles([{ name: 'tides.txt', ...bytes }]);
    await page.getByText('1 file uploaded').waitFor();
    expect(await read('/files?filter[filename_download][_eq]=tides.txt&fields=title,uploaded_by.email')).toEqual([
      { title: 'Tides', uploaded_by: { email: editor.email } },
    ]);
    // An editor makes no folders.
    expect(await page.getByRole('button', { name: 'New folder' }).count()).toBe(0);
    studio.expectQuiet();
    await studio.close();

    const own = await openStudio(browser, { url });
    await signIn(own, { url }, '/admin/files', admin);
    await own.page.getByRole('button', { name: 'New folder' }).click();
    await own.page.getByLabel('Name of the folder').fill('Almanac');
    await own.page.getByRole('button', { name: 'Create folder' }).click();
    await own.page.getByRole('button', { name: 'Almanac' }).click();
    await own.page.locator('input[type=file]').setInputFiles([{ name: 'moons.txt', ...bytes }]);
    const row = own.page.getByRole('row', { name: 'Moons' });
    await row.click();
    await own.page.getByRole('dialog').getByLabel('Title').fill('Full moons');
    await own.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    const moons = () => read('/files?filter[filename_download][_eq]=moons.txt&fields=title,folder.name');
    await expect.poll(moons).toEqual([{ title: 'Full moons', folder: { name: 'Almanac' } }]);
    await own.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await own.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(moons).toEqual([]);
    own.expectQuiet();
    await own.close();
  });

  it('finds "my" items, and keeps the view for a role', async () => {
    const studio = await openStudio(browser, { url });
    const { page } = studio;
    await signIn(studio, { url }, '/admin/c/authors', admin);
    await page.getByRole('button', { name: 'Filter' }).click();
    const builder = page.getByRole('dialog', { name: 'Filter' });
    await builder.getByLabel('Field', { exact: true }).selectOption({ label: 'Account' });
    await builder.getByRole('button', { name: 'Me', exact: true }).click();
    await expect.poll(() => page.url()).toContain('CURRENT_USER');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Written by me');
    await dialog.getByLabel('A role').check();
    await dialog.getByLabel('Role', { exact: true }).selectOption({ label: 'Desk' });
    await dialog.getByRole('button', { name: 'Save view' }).click();
    const stored = () => read('/presets?filter[bookmark][_eq]=Written%20by%20me&fields=user,role.name,collection');
    await expect.poll(stored).toEqual([{ user: null, role: { name: 'Desk' }, collection: 'authors' }]);
    studio.expectQuiet();
    await studio.close();
  });

  it('changes an item and takes it back, with its history and its comments', async () => {
    const studio = await openStudio(browser, { url });
    const { page } = studio;
    const name = async () => (await read('/items/sections/2?fields=name')).name;
    const before = await name();
    await signIn(studio, { url }, '/admin/c/sections/2', admin);
    await page.locator('[data-field="name"] input').fill('Harbour life');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(name).toBe('Harbour life');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(name).toBe(before);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog').locator('[data-change="name"]').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Comments' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Wet enough.');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await expect
      .poll(() => read('/comments?filter[item][_eq]=2&filter[collection][_eq]=sections&fields=comment'))
      .toEqual([{ comment: 'Wet enough.' }]);
    studio.expectQuiet();
    await studio.close();
  });

  it('shows every screen without a refusal', async () => {
    const studio = await openStudio(browser, { url });
    await signIn(studio, { url }, '/admin/', admin);
    for (const place of [
      ...[
        'files',
        'dashboards',
        'activity',
        'model',
        'model/articles',
        'roles',
        'people',
        'policies',
        'public',
        'keys',
        'settings',
        'system',
      ],
      ...['account', 'c/articles', 'c/subscriptions', 'c/masthead', 'c/articles/+', 'c/issues', 'c/authors/1'],
    ])
      await visit(studio, place);
    studio.expectQuiet();
    await studio.close();
    const own = await openStudio(browser, { url });
    await signIn(own, { url }, '/admin/', editor);
    for (const place of ['', 'files', 'account', 'c/articles', `c/articles/${rain}`, 'c/articles/+', 'c/masthead', 'c/authors/1'])
      await visit(own, place);
    own.expectQuiet();
    await own.close();
  });
});

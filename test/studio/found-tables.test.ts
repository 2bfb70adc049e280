// Tables as they are found: what Studio shows of them is what is stored, whatever their defaults, keys, names and values are.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import type { VendorName } from '../harness/vendors.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const vendors = inject('vendors');
const vendor = vendors.find(({ name }) => name === 'postgres') ?? vendors[0];

const counter: Readonly<Record<VendorName, string>> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'serial primary key',
  mysql: 'integer auto_increment primary key',
};

const exact: Readonly<Record<VendorName, string>> = { sqlite: 'datetime', postgres: 'timestamp(6)', mysql: 'datetime(6)' };
const moment = '2024-05-06T07:08:09.123456';

const named = (text: string, name: VendorName): string => (name === 'mysql' ? `\`${text}\`` : `"${text}"`);

const tables = (name: VendorName): string => `
  create table casts (role varchar(40), actor integer not null, film varchar(20) not null, words varchar(40), primary key (film, actor));
  insert into casts values ('lead', 3, 'a,b/c', 'one'), ('side', 4, 'a,b/c', 'two'), ('third', 5, 'd', 'three'), ('fourth', 6, 'd', 'four');
  create table loose (name varchar(20), amount integer);
  insert into loose values ('first', 1), ('second', 2);
  create table moments (id ${counter[name]}, name varchar(40), seen ${exact[name]});
  insert into moments (name, seen) values ('exact', '${moment.replace('T', ' ')}');
  create table ${named('odd', name)} (id ${counter[name]}, ${named('2nd half, total', name)} integer, ${named('Price (EUR)', name)} integer,
    ${named('a.b', name)} varchar(20), ${named('sold (at, day)', name)} date);
  insert into ${named('odd', name)} (${named('2nd half, total', name)}, ${named('Price (EUR)', name)}, ${named('a.b', name)}, ${named('sold (at, day)', name)})
    values (11, 21, 'dotted', '2025-06-07'), (12, 22, 'plain', '2024-06-07');
  create table heavy (id ${counter[name]}, name varchar(40), words ${name === 'mysql' ? 'longtext' : 'text'});
  create table people (id ${counter[name]}, name varchar(40), born integer);
  insert into people (name, born) values ('Ada', 1815), ('Grace', 1906);
  create table offers (id ${counter[name]}, code varchar(20) not null, status varchar(20) not null default 'draft', in_stock boolean default true,
    sold boolean, pages integer default 12, words varchar(40) default 'now()', open_from date default '2020-02-03',
    made timestamp not null default current_timestamp);`;

describe.runIf(inject('browser') !== null && vendor !== undefined)('tables as they are found, in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    const starting = startService(vendor, { area: 'studio-found', fixture: tables(vendor.name) });
    [browser, service] = await Promise.all([launchBrowser(), starting]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;
  const save = async ({ page }: StudioPage) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
  };

  it('a new item begins with the defaults of the database, and "No" is one click', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/offers/+');
    const shown = () =>
      Promise.all([
        page.getByLabel('Status').inputValue(),
        page.getByLabel('Pages').inputValue(),
        page.getByLabel('Words').inputValue(),
        page.getByLabel('Open From').inputValue(),
        page.getByRole('radiogroup', { name: 'In Stock' }).getByLabel('Yes').isChecked(),
        page.getByRole('radiogroup', { name: 'Sold' }).getByLabel('Not set').isChecked(),
      ]);
    // The first field has the focus.
    await page.locator('[data-field="code"] :focus').waitFor();
    await page.getByLabel('Code').fill('A1');
    expect(await shown()).toEqual(['draft', '12', 'now()', '02/03/2020', true, true]);
    await page.locator('[data-field="made"]').getByText('If left empty, the database sets it').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('radiogroup', { name: 'Sold' }).getByLabel('No', { exact: true }).check();
    await page.getByText('2 unsaved changes').waitFor();
    await save(studio);
    await page.waitForURL(/\/c\/offers\/\d+$/);
    const [stored] = await read('/items/offers?filter[code][_eq]=A1');
    expect(stored).toMatchObject({ status: 'draft', in_stock: true, sold: false, pages: 12, words: 'now()', open_from: '2020-02-03' });
    expect(await shown()).toEqual(['draft', '12', 'now()', '02/03/2020', true, false]);
    studio.expectQuiet();
    await studio.close();
  });

  it('a default that is cleared is not stored', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/offers/+');
    await page.getByLabel('Code').fill('A2');
    await page.getByLabel('Pages').fill('');
    await page.getByRole('radiogroup', { name: 'In Stock' }).getByLabel('No', { exact: true }).check();
    await save(studio);
    await page.waitForURL(/\/c\/offers\/\d+$/);
    expect((await read('/items/offers?filter[code][_eq]=A2'))[0]).toMatchObject({ pages: null, in_stock: false, words: 'now()' });
    await studio.close();
  });

  it('an item whose key has several parts opens, is saved, followed back, talked about, deleted and brought back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const path = '/items/casts/a%2Cb%2Fc,3';
    await signIn(studio, service, '/admin/c/casts?fields=role,words&sort=role');
    await page.getByRole('gridcell', { name: 'lead', exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByLabel('Role').fill('the lead');
    await save(studio);
    expect(await read(path)).toEqual({ role: 'the lead', actor: 3, film: 'a,b/c', words: 'one' });
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('dialog').locator('[data-change="role"]').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Comments' }).click();
    await page.getByRole('textbox', { name: 'Write a comment' }).fill('About both');
    await page.getByRole('dialog').getByRole('button', { name: 'Comment', exact: true }).click();
    await expect.poll(() => read('/comments?fields=item,comment')).toEqual([{ item: 'a%2Cb%2Fc,3', comment: 'About both' }]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('was deleted').waitFor();
    expect((await service.api.get(path)).status).toBe(403);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.locator('[data-field="role"]').waitFor();
    expect(await read(path)).toMatchObject({ role: 'the lead', words: 'one' });
    studio.expectQuiet();
    await studio.close();
  });

  it('rows whose key has several parts are made, changed in their cells, by the dozen, and deleted, by the number that is said', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/casts/+');
    await page.getByLabel('Actor').fill('7');
    await page.getByLabel('Film').fill('d,e');
    await page.getByLabel('Role').fill('fifth');
    await save(studio);
    await page.waitForURL(/\/c\/casts\/d~252Ce%2C7$/);
    await page.goto(`${service.url}/admin/c/casts?fields=role,words&sort=-actor`);
    await page.getByRole('gridcell', { name: 'fifth', exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('grid').focus();
    await page.keyboard.type('in its cell');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect(await read('/items/casts/d%2Ce,7')).toMatchObject({ role: 'in its cell' });
    await page.getByRole('grid').focus();
    for (const key of ['ArrowUp', 'Shift+Space', 'ArrowDown', 'Shift+Space']) await page.keyboard.press(key);
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field to change').selectOption('words');
    await dialog.getByRole('textbox', { name: 'Words' }).fill('all of them');
    await dialog.getByRole('button', { name: /^Change/ }).click();
    await page.getByText('2 items changed').waitFor();
    expect(await read('/items/casts?filter[words][_eq]=all of them&fields=actor&sort=actor')).toEqual([{ actor: 6 }, { actor: 7 }]);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+Space');
    // Somebody else was faster.
    await service.sql('delete from casts where actor in (6, 7)');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await page.getByText('Nothing was changed').waitFor();
    await page.getByRole('gridcell', { name: 'third', exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+Space');
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /Delete/ })
      .click();
    await page.getByText('1 item deleted').waitFor();
    expect(await read('/items/casts?fields=role&sort=actor')).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(() => read('/items/casts?fields=role&sort=actor')).toHaveLength(3);
    await studio.close();
  });

  it('an item whose key has several parts has versions, which are promoted, and shares, which open it', async () => {
    expect((await service.api.patch('/collections/casts', { meta: { versioning: true } })).status).toBe(200);
    const made = async (path: string, body: object) => (await service.api.post(path, body)).body.data.id as string;
    const [role, policy] = [await made('/roles', { name: 'Readers' }), await made('/policies', { name: 'Reads casts' })];
    await made('/permissions', { policy, collection: 'casts', action: 'read', fields: ['*'] });
    await made('/access', { role, policy });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const words = () => read('/items/casts/a%2Cb%2Fc,4?fields=words');
    await signIn(studio, service, '/admin/c/casts/a~252Cb~252Fc%2C4');
    await page.getByRole('button', { name: 'Version: Published' }).click();
    await page.getByRole('menuitem', { name: 'New version' }).click();
    await page.getByRole('button', { name: 'Create version' }).click();
    await page.waitForURL(/version=draft$/);
    await page.getByLabel('Words').fill('drafted');
    await save(studio);
    expect(await words()).toEqual({ words: 'two' });
    await page.getByRole('button', { name: 'Compare and promote' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Promote chosen fields' }).click();
    await page.getByText('1 field was promoted').waitFor();
    expect(await words()).toEqual({ words: 'drafted' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Role').selectOption({ label: 'Readers' });
    await drawer.getByRole('button', { name: 'Create link' }).click();
    await expect.poll(() => read('/shares?fields=collection,item')).toEqual([{ collection: 'casts', item: 'a%2Cb%2Fc,4' }]);
    const [share] = await read('/shares?fields=id');
    const guest = await openStudio(browser, service);
    await guest.page.goto(`${service.url}/admin/shared/${share.id}`);
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByLabel('Words').waitFor();
    expect(await guest.page.getByLabel('Words').inputValue()).toBe('drafted');
    for (const each of [guest, studio]) {
      each.expectQuiet();
      await each.close();
    }
  });

  it('a table without a key shows its cells, and says what cannot be done with them', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/loose?fields=name,amount');
    await page.getByText('These rows have no primary key.').waitFor();
    await page.getByRole('gridcell', { name: 'second', exact: true }).waitFor({ state: 'attached' });
    expect(await page.getByRole('link', { name: 'New item' }).count()).toBe(0);
    expect(await page.getByLabel('Select all items').count()).toBe(0);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('Space');
    await page.keyboard.type('x');
    expect(await page.getByRole('toolbar').count()).toBe(0);
    expect(page.url()).toMatch(/\/c\/loose\?/);
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('listitem').getByText('first').waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('a moment is shown and kept to its last digit', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/moments/1');
    expect(await page.getByLabel('Seen').inputValue()).toBe('05/06/2024 7:08:09.123456 AM');
    await page.getByLabel('Name').fill('still exact');
    await save(studio);
    expect(await read('/items/moments/1?fields=name,seen')).toEqual({ name: 'still exact', seen: moment });
    await page.getByLabel('Seen').fill('05/06/2024 7:08:09.123457 AM');
    await save(studio);
    await expect.poll(() => read('/items/moments/1?fields=seen')).toEqual({ seen: moment.replace('123456', '123457') });
    await page.getByLabel('Seen').fill('05/06/2024 7:08:09.123456 AM');
    await save(studio);
    await expect.poll(() => read('/items/moments/1?fields=seen')).toEqual({ seen: moment });
    await page.goto(`${service.url}/admin/c/moments?fields=seen,name`);
    await page.getByRole('gridcell', { name: 'still exact' }).waitFor({ state: 'attached' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('grid').getByLabel('Seen').waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByText('unsaved change').count()).toBe(0);
    const filter = encodeURIComponent(JSON.stringify({ seen: { _eq: moment } }));
    expect(await read(`/items/moments?filter=${filter}`)).toHaveLength(1);
    studio.expectQuiet();
    await studio.close();
  });

  it('what was discarded comes back, in the form and in the list, and is never there twice', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/people/1');
    const name = page.getByLabel('Name');
    await name.click();
    await page.keyboard.type('!');
    await page.getByLabel('Born').fill('1816');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Discarded 2 changes').waitFor();
    await name.click();
    await page.keyboard.press('Control+z');
    expect(await name.inputValue()).toBe('Ada');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 unsaved changes').waitFor();
    expect([await name.inputValue(), await page.getByLabel('Born').inputValue()]).toEqual(['Ada!', '1816']);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.goto(`${service.url}/admin/c/people?fields=name,born&sort=id`);
    await page.getByRole('gridcell', { name: 'Grace' }).waitFor({ state: 'attached' });
    await page.getByRole('grid').focus();
    await page.keyboard.type('Changed');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Discarded 1 change').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('gridcell', { name: 'Changed' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('gridcell', { name: 'Changed' }).waitFor({ state: 'detached' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+z');
    await page.getByRole('gridcell', { name: 'Changed' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await studio.close();
  });

  it('the first change of an item that was there before is followed back', async () => {
    await service.api.patch('/items/people/2', { born: 1907 });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/people/2');
    await page.getByRole('button', { name: 'History' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('[data-change="born"]').getByText('1906').waitFor();
    await drawer.getByRole('button', { name: 'Before the first change' }).click();
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Restore this state' }).click();
    await save(studio);
    expect(await read('/items/people/2?fields=name,born')).toEqual({ name: 'Grace', born: 1906 });
    studio.expectQuiet();
    await studio.close();
  });

  it('columns with commas, brackets and dots in their names are listed, sorted, filtered, changed and chosen', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/odd');
    for (const value of ['11', '22', 'dotted'])
      await page.getByRole('gridcell', { name: value, exact: true }).waitFor({ state: 'attached' });
    const first = async () => (await page.getByRole('gridcell').first().textContent()) ?? '';
    await page.getByRole('button', { name: /^2nd half, total/i }).click();
    await page.getByRole('button', { name: /^2nd half, total/i }).click();
    await expect.poll(first).toBe('plain');
    await page.reload();
    await expect.poll(first).toBe('plain');
    const filter = encodeURIComponent(JSON.stringify({ 'Price \\(EUR\\)': { _eq: 21 } }));
    await page.goto(`${service.url}/admin/c/odd?filter=${filter}&fields=${encodeURIComponent('2nd half\\, total,a\\.b')}`);
    await page.getByText('1 item', { exact: true }).waitFor();
    await expect.poll(first).toBe('11');
    await page.getByRole('grid').focus();
    await page.keyboard.type('13');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).first().waitFor();
    expect(await read('/items/odd/1')).toMatchObject({ '2nd half, total': 13, 'a.b': 'dotted' });
    await page.goto(`${service.url}/admin/c/odd/1`);
    await page.getByLabel('Price (EUR)').fill('23');
    await save(studio);
    expect(await read('/items/odd/1')).toMatchObject({ 'Price (EUR)': 23, 'sold (at, day)': '2025-06-07' });
    studio.expectQuiet();
    await studio.close();
  });

  it('a value of megabytes does not hold up its form, and is edited once it is loaded', async () => {
    const words = 'all work and no play '.repeat(200_000);
    expect((await service.sql('select count(*) as n from heavy')).length).toBe(1);
    const { data } = (await service.api.post('/items/heavy?fields=id', { name: 'heavy', words: 'short' })).body;
    const quoted = `repeat('all work and no play ', 200000)`;
    await service.sql(
      `update heavy set words = ${vendor?.name === 'sqlite' ? `replace(hex(zeroblob(200000)), '00', 'all work and no play ')` : quoted}`,
    );
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/heavy/${data.id}`);
    const field = page.locator('[data-field="words"]');
    await field.getByText('4.2 MB in all').waitFor();
    expect(await page.locator('textarea').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Name').fill('light');
    await save(studio);
    const [download] = await Promise.all([page.waitForEvent('download'), field.getByRole('button', { name: 'Download' }).click()]);
    expect(download.suggestedFilename()).toBe('words.txt');
    await field.getByRole('button', { name: 'Load', exact: true }).click();
    expect(await page.getByLabel('Words').inputValue()).toBe(words);
    await page.getByLabel('Words').fill('short again');
    await save(studio);
    await expect.poll(() => read(`/items/heavy/${data.id}?fields=name,words`)).toEqual({ name: 'light', words: 'short again' });
    studio.expectQuiet();
    await studio.close();
  });
});

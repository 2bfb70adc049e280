// Journey 14 of the design brief: fields are dragged, grouped, made narrower and shown on a condition, and forms obey at once. The same order by
// keyboard alone; collections in their order and in folders.

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

const fixture = `
  create table authors (id integer primary key, name varchar(100));
  create table articles (
    id integer primary key, title varchar(200), featured boolean, status varchar(20), price decimal(10, 2), author integer references authors (id)
  );
  insert into articles (id, title, featured, status, price) values (1, 'On engines', false, 'draft', 9.5);
`;

const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Move ${title}`, exact: true }) });

describe.runIf(inject('browser') !== null && vendor !== undefined)('the layout of forms and of the tree', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-layout', fixture })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const fieldsInOrder = async (): Promise<readonly string[]> => {
    const { data } = (await service.api.get('/fields/articles')).body;
    const fields = data as { field: string; meta: { sort: number; group: string | null } | null }[];
    return fields.toSorted((left, right) => (left.meta?.sort ?? 0) - (right.meta?.sort ?? 0)).map(({ field }) => field);
  };

  it('journey 14: drags a field into a group, narrows it and shows it on a condition in six clicks; the form obeys at once', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    let clicks = 0;
    const click = async (place: Locator) => {
      clicks += 1;
      await place.click();
    };
    await signIn(studio, service, '/admin/model/articles');
    await click(page.getByRole('button', { name: 'New group' }));
    await page.getByLabel('Name', { exact: true }).fill('selling');
    await page.keyboard.press('Enter');
    await page.getByText('The group selling is created').waitFor();
    clicks += 1;
    await rowOf(page, 'Price').dragTo(rowOf(page, 'Selling'));
    await page.getByText('The order is saved').waitFor();
    clicks += 1;
    await page.getByLabel('Width of Price').selectOption({ label: 'Half a row' });
    await page.getByText('The width of Price is saved').waitFor();
    await click(page.getByRole('button', { name: 'Conditions of Price' }));
    await page.getByLabel('Field', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await click(page.getByRole('button', { name: 'Save conditions' }));
    await page.getByText('shown if Featured is Yes').waitFor();
    expect(clicks).toBeLessThanOrEqual(6);

    const { meta } = (await service.api.get('/fields/articles/price')).body.data;
    expect(meta).toMatchObject({
      group: 'selling',
      width: 'half',
      hidden: true,
      conditions: [{ rule: { _and: [{ featured: { _eq: true } }] }, hidden: false }],
    });
    const { meta: group } = (await service.api.get('/fields/articles/selling')).body.data;
    expect(group).toMatchObject({ interface: 'group-detail', special: 'alias,no-data,group' });

    // Without a reload.
    await page.getByRole('link', { name: 'Open items' }).click();
    await page.getByRole('link', { name: 'New item' }).click();
    await page.getByRole('group').filter({ hasText: 'Selling' }).waitFor();
    expect(await page.getByLabel('Price').count()).toBe(0);
    await page.getByRole('radiogroup', { name: 'Featured' }).getByText('Yes').click();
    await page.getByLabel('Price').waitFor();
    expect(await page.locator('[data-field=price].half').count()).toBe(1);
    studio.expectQuiet();
    await studio.close();
  });

  it('moves fields by keyboard and by the menu of the handle, and takes it back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model/articles');
    const before = await fieldsInOrder();
    const handle = page.getByRole('button', { name: 'Move Status', exact: true });
    await handle.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.getByText('Status is number 2', { exact: true }).waitFor({ state: 'attached' });
    expect(await handle.and(page.locator(':focus')).count()).toBe(1);
    await expect.poll(fieldsInOrder).toEqual(['id', 'status', 'title', 'featured', ...before.slice(4)]);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Into “Selling”' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Into “Selling”' }).click();
    await page.getByText('Status is number 2 in Selling').waitFor({ state: 'attached' });
    await expect.poll(async () => (await service.api.get('/fields/articles/status')).body.data.meta.group).toBe('selling');
    await expect.poll(fieldsInOrder).toEqual(['id', 'title', 'featured', 'author', 'selling', 'price', 'status']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await service.api.get('/fields/articles/status')).body.data.meta.group).toBe(null);
    studio.expectQuiet();
    await studio.close();
  });

  it('puts collections into folders and into their order, and the tree follows', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const tree = page.getByRole('navigation', { name: 'Collections' });
    const placesOf = async () => {
      const { data } = (await service.api.get('/collections')).body;
      const own = (data as { collection: string; meta: { sort: number | null; group: string | null; system?: boolean } | null }[]).filter(
        ({ collection }) => !collection.startsWith('service_'),
      );
      return own
        .toSorted((left, right) => (left.meta?.sort ?? 0) - (right.meta?.sort ?? 0))
        .map(({ collection, meta }) => [collection, meta?.group ?? null]);
    };
    await signIn(studio, service, '/admin/model');
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name', { exact: true }).fill('magazine');
    await page.keyboard.press('Enter');
    await page.getByText('The folder magazine is created').waitFor();
    await rowOf(page, 'Articles').dragTo(rowOf(page, 'Magazine'));
    await page.getByText('The order is saved').waitFor();
    await expect.poll(placesOf).toEqual([
      ['authors', null],
      ['magazine', null],
      ['articles', 'magazine'],
    ]);
    await page.getByRole('button', { name: 'Move Magazine', exact: true }).focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(placesOf).toEqual([
      ['magazine', null],
      ['articles', 'magazine'],
      ['authors', null],
    ]);
    await expect.poll(() => tree.locator('.folder, a[href*="/c/"]').allTextContents()).toEqual(['Magazine', 'Articles', 'Authors']);
    expect(await findBarriers(page)).toEqual([]);
    // A folder goes like any collection: by a card. What was in it stays.
    await page.getByRole('button', { name: 'Delete Magazine' }).click();
    await page.getByRole('dialog', { name: 'Change desk' }).getByRole('button', { name: 'Delete magazine', exact: true }).click();
    await page.getByText('The change is applied').waitFor();
    await expect.poll(() => tree.locator('.folder, a[href*="/c/"]').allTextContents()).toEqual(['Articles', 'Authors']);
    studio.expectQuiet();
    await studio.close();
  });
});

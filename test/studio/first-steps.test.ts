// Studio as a person meets it: signing in, finding a collection, changing an item. What is asserted is what is in the database.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminPassword, startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio' })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const book = async (id: number) => (await service.api.get(`/items/books/${id}`)).body.data;

  it('signs in with a cookie that scripts cannot read, and says once when the password is wrong', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('401 POST /auth/login');
    const { page } = studio;
    await page.goto(`${service.url}/admin/`);
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
    expect(await page.evaluate('document.activeElement?.getAttribute("name")')).toBe('password');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Books' }).first().waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.map(({ httpOnly }) => httpOnly)).toEqual([true]);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toMatch(/ey[A-Za-z0-9_-]{10}/);
    await studio.close();
  });

  it('opens a list with one request for the application and two for the list', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    studio.requests();
    await page.goto(`${service.url}/admin/c/books`);
    await page.getByText('25 items').waitFor();
    await page.getByRole('gridcell', { name: 'Pride and Prejudice' }).waitFor({ state: 'attached' });
    expect(studio.requests().filter((request) => !request.includes('/admin/'))).toEqual([
      'POST /graphql/system',
      'SEARCH /items/books',
      'SEARCH /items/books',
    ]);
    expect(await findBarriers(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('narrows a list by search, condition and order, all kept in the address', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books');
    await page.getByText('25 items').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    // A reference asks nothing before it has a value, nor does a field behind it.
    await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Author' });
    await page.getByLabel('Detail').selectOption({ label: '› Name' });
    await page.getByLabel('Condition', { exact: true }).waitFor();
    expect(await page.getByLabel('Condition', { exact: true }).inputValue()).not.toMatch(/null|empty/);
    expect(new URL(page.url()).search).toBe('');
    await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Pages' });
    await page.getByLabel('Condition', { exact: true }).selectOption({ label: 'is greater than' });
    await page.getByLabel('Value', { exact: true }).fill('1000');
    await page.getByText('2 items').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Pages', exact: true }).click();
    await page.getByRole('button', { name: 'Pages, sorted ascending' }).waitFor();
    await page.reload();
    await page.getByText('2 items').waitFor();
    const titles = page.getByRole('row').filter({ hasNot: page.getByRole('columnheader') });
    expect(await titles.first().textContent()).toContain('Bleak House');
    await page.getByRole('searchbox', { name: 'Search' }).fill('war');
    await page.getByText('1 item', { exact: true }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('changes an item in one request and keeps a draft over a reload', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/2');
    await page.getByLabel('Title').fill('Emma, revised');
    await page.getByText('1 unsaved change').waitFor();
    await page.reload();
    expect(await page.getByLabel('Title').inputValue()).toBe('Emma, revised');
    expect((await book(2)).title).toBe('Emma');
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(studio.requests().filter((request) => request.startsWith('PATCH'))).toEqual(['PATCH /items/books/2']);
    expect((await book(2)).title).toBe('Emma, revised');
    expect(await findBarriers(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('shows a refusal beside its field and loses nothing that was typed', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /items/books');
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/+');
    await page.getByLabel('Title').fill('Without a slug');
    await page.getByLabel('Slug').fill('emma');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('has to be unique').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Without a slug');
    await page.getByLabel('Slug').fill('without-a-slug');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    const stored = await service.api.get('/items/books?filter[slug][_eq]=without-a-slug&fields=title');
    expect(stored.body.data).toEqual([{ title: 'Without a slug' }]);
    await studio.close();
  });

  it('fits a phone, in the dark, in German', async () => {
    const studio = await openStudio(browser, service, { viewport: { width: 390, height: 844 }, locale: 'de-DE', colorScheme: 'dark' });
    const { page } = studio;
    await page.goto(`${service.url}/admin/`);
    await page.getByLabel('E-Mail').fill('admin@example.com');
    await page.getByLabel('Passwort', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('heading').first().waitFor();
    for (const place of ['c/books', 'c/books/1']) {
      await page.goto(`${service.url}/admin/${place}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), place).toBe(true);
      expect(await findBarriers(page), place).toEqual([]);
    }
    studio.expectQuiet();
    await studio.close();
  });
});

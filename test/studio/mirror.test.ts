// The request of a screen, as a person copies it: run outside of the browser it gives the rows that the screen shows.

import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { oddNames } from '../fixtures/odd-names.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import {
  closePages,
  findBarriers,
  findBarriersInBothColours,
  launchBrowser,
  openStudio,
  type StudioPage,
  signIn,
  visit,
} from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('the request of a screen', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { area: 'studio-mirror', demo: true, fixture: oddNames(vendor.name) }),
    ]);
    const facts = { author: 1, published: 1900, pages: 10, price: '1.00', summary: `quoted & "odd" \\ it's` };
    for (const title of ["It's here", 'Say "cheese"', '$HOME sweet `home`']) {
      const answer = await service.api.post('/items/books', { title, slug: `s${title.length}`, ...facts });
      expect(answer.status, answer.text).toBe(200);
    }
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const open = async (place: string, options = {}): Promise<StudioPage> => {
    const studio = await openStudio(browser, service, { permissions: ['clipboard-read', 'clipboard-write'], ...options });
    await signIn(studio, service, `/admin/${place}`);
    return studio;
  };
  const show = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Show as request' }).click();
    await page.getByRole('dialog', { name: 'This page as a request' }).waitFor();
  };
  const hide = async (page: Page): Promise<void> => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const copy = async (page: Page, tab: 'curl' | 'SDK' | 'GraphQL'): Promise<string> => {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel', { name: tab }).getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').first().waitFor();
    return page.evaluate('navigator.clipboard.readText()');
  };
  // The service runs in this process: waiting for a command must not stop it.
  const shell = async (command: string): Promise<string> => {
    return new Promise((resolve, reject) =>
      execFile('sh', ['-c', command], { env: { ...process.env, TOKEN: adminToken } }, (error, out) =>
        error === null ? resolve(out) : reject(error),
      ),
    );
  };
  /** Runs the program as it is, and prints what it got. */
  const script = async (text: string): Promise<unknown> => {
    const file = fileURLToPath(new URL(`./mirror-${process.pid}.mjs`, import.meta.url));
    writeFileSync(file, `${text}\nconsole.log(JSON.stringify(result));\n`);
    try {
      return JSON.parse(await shell(`"${process.execPath}" "${file}"`));
    } finally {
      rmSync(file);
    }
  };
  const askGraphql = async (document: string, endpoint = '/graphql'): Promise<Record<string, unknown>> => {
    const { body } = await service.api.post(endpoint, { query: document });
    expect(body.errors).toBeUndefined();
    return body.data;
  };
  type Row = Readonly<Record<string, unknown>>;

  it('a filtered list gives the same rows by curl, by the client package and by GraphQL', async () => {
    const filter = { _and: [{ summary: { _contains: `"odd" \\ it's` } }, { author: { _eq: 1 } }] };
    const studio = await open(`c/books?filter=${encodeURIComponent(JSON.stringify(filter))}&sort=-title&search=e`);
    const { page } = studio;
    const sent = page.waitForRequest(
      (request) =>
        request.method() === 'SEARCH' && request.url().endsWith('/items/books') && request.postData()?.includes('"fields"') === true,
    );
    await page.reload();
    const { query } = (await sent).postDataJSON() as { readonly query: Row };
    const answer = await (await (await sent).response())?.json();
    const rows: readonly Row[] = answer.data;
    expect(rows.length).toBe(3);
    await show(page);
    const curl = await copy(page, 'curl');
    expect(curl).toContain('Bearer $TOKEN');
    expect(JSON.parse(await shell(curl))).toEqual({ data: rows });
    expect(await script(await copy(page, 'SDK'))).toEqual(rows);
    expect(query['limit']).toBe(100);
    const found = (await askGraphql(await copy(page, 'GraphQL')))['books'] as readonly Row[];
    expect(found.map(({ id }) => String(id))).toEqual(rows.map(({ id }) => String(id)));
    expect(found.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
    expect(await findBarriersInBothColours(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('a list with columns of related items of every kind gives the same by each of the three', async () => {
    const studio = await open('');
    const { page } = studio;
    /** Keys are texts in GraphQL, and items of several collections objects; functions are one level deeper. */
    const plain = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(plain);
      if (typeof value !== 'object' || value === null) return value === null ? null : String(value);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
    };
    const expectSame = async (place: string, settings: Readonly<Record<string, string>>, shape = (row: Row) => row) => {
      await page.goto(`${service.url}/admin/c/${place}?${new URLSearchParams(settings)}`);
      await page.getByRole('grid').waitFor();
      await show(page);
      const { data: rows } = JSON.parse(await shell(await copy(page, 'curl'))) as { readonly data: readonly Row[] };
      expect(rows.length, place).toBeGreaterThan(1);
      expect(await script(await copy(page, 'SDK')), place).toEqual(rows);
      const found = (await askGraphql(await copy(page, 'GraphQL')))[place] as readonly Row[];
      expect(found.map(plain), place).toEqual(rows.map(shape).map(plain));
      return rows;
    };
    const tagged = { tags: { tag: { name: { _contains: 'e' } } } };
    const books = await expectSame('books', {
      fields: 'title,author.name,reviews.rating,tags.tag.name',
      filter: JSON.stringify({ _and: [tagged, { author: { born: { _gt: 1700 } } }] }),
      sort: '-author.name,title',
      search: 'a',
    });
    for (const field of ['author', 'reviews', 'tags']) expect(books.some((book) => typeof book[field] === 'object')).toBe(true);
    const blocks = await expectSame(
      'page_blocks',
      { fields: 'page.title,collection,item', filter: JSON.stringify({ 'item:block_texts': { heading: { _nnull: true } } }), sort: '-id' },
      ({ item, ...row }) => ({ ...row, item: { id: item } }),
    );
    expect(new Set(blocks.map(({ collection }) => collection))).toEqual(new Set(['block_texts']));
    studio.expectQuiet();
    await studio.close();
  });

  it('names that GraphQL cannot write have their aliases there', async () => {
    const made = await service.api.post('/items/Order%20Details', [
      { 'unit price': 10, '2nd': 'x', 'größe.id': { 'Maß (cm)': 42 } },
      { 'unit price': 20, '2nd': 'y' },
    ]);
    expect(made.status, made.text).toBe(200);
    const filter = { _and: [{ 'unit price': { _gt: 5 } }, { '2nd': { _eq: 'x' } }] };
    const settings = new URLSearchParams({ fields: 'unit price,2nd', filter: JSON.stringify(filter) });
    const studio = await open(`c/Order%20Details?${settings}`);
    const { page } = studio;
    await page.getByRole('grid').waitFor();
    await show(page);
    const found = (await askGraphql(await copy(page, 'GraphQL')))['Order_Details'] as readonly Row[];
    expect(found).toMatchObject([{ unit_price: 10, _2nd: 'x' }]);
    await page.goto(`${service.url}/admin/c/Order%20Details/1`);
    await page.getByLabel('2nd').waitFor();
    await show(page);
    const item = (await askGraphql(await copy(page, 'GraphQL')))['Order_Details_by_id'] as Row;
    expect(item).toMatchObject({ unit_price: 10, _2nd: 'x', grosse__id: { id: expect.anything() } });
    studio.expectQuiet();
    await studio.close();
  });

  it('an item, too, with the titles of what it refers to', async () => {
    const studio = await open('c/books/2');
    const { page } = studio;
    const { data: item } = (await service.api.get('/items/books/2')).body;
    await page.getByLabel('Title').waitFor();
    await show(page);
    expect(JSON.parse(await shell(await copy(page, 'curl'))).data).toMatchObject({ id: 2, title: item.title });
    expect(await script(await copy(page, 'SDK'))).toMatchObject({ id: 2, title: item.title });
    const found = (await askGraphql(await copy(page, 'GraphQL')))['books_by_id'] as Row;
    expect(found['title']).toBe(item.title);
    expect(found['author']).toMatchObject({ id: expect.anything() });
    studio.expectQuiet();
    await studio.close();
  });

  it('every other screen shows how it reads, and the requests work', async () => {
    const studio = await open('');
    const { page } = studio;
    for (const place of [
      'c/shop',
      'files',
      'people',
      'roles',
      'policies',
      'public',
      'activity',
      'dashboards',
      'settings',
      'system',
      'me',
      'settings/sign-on',
    ]) {
      await visit(studio, place);
      await show(page);
      const answer = JSON.parse(await shell(await copy(page, 'curl')));
      expect(answer.errors, place).toBeUndefined();
      if (['files', 'roles', 'dashboards', 'system'].includes(place)) await script(await copy(page, 'SDK'));
      const document = await copy(page, 'GraphQL');
      const address = await page
        .getByRole('tabpanel', { name: 'GraphQL' })
        .getByText(/^For POST/)
        .textContent();
      await askGraphql(document, address?.endsWith('/system') === true ? '/graphql/system' : '/graphql');
      await hide(page);
    }
    for (const place of ['model', 'model/books', 'model/diagram', 'model/compare']) {
      await visit(studio, place);
      await show(page);
      expect(JSON.parse(await shell(await copy(page, 'curl'))).data, place).toBeTruthy();
      await hide(page);
    }
    studio.expectQuiet();
    await studio.close();
  });

  it('opens from the command menu, and fits a phone', async () => {
    const studio = await open('c/books', { viewport: { width: 390, height: 844 } });
    const { page } = studio;
    await page.getByRole('button', { name: 'More', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('request');
    await page.getByRole('menuitem', { name: 'Show as request' }).click();
    await page.getByRole('dialog', { name: 'This page as a request' }).waitFor();
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });
});

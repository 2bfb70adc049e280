// Journey 21 of the design brief: what journeys 2, 3, 8, 10 and 15 do, on a phone. On every screen of theirs the page is no wider than the
// phone, whatever can be tapped is large enough for a finger, and axe finds nothing serious.

import { authenticator } from 'otplib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeImage, makeStorageFolder, upload } from '../harness/upload.js';
import { type EditorsWorld, fixture, settleEditors } from './editors-world.js';
import { closePages, findBarriers, launchBrowser, openStudio, seek, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/**
 * What can be tapped and is smaller than 40 px in a direction, one line each. The label of a control belongs to it, links in a text are text, and
 * what is one pixel large, or inside of that, is there for screen readers.
 */
const findSmallTargets = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=tab], [role=menuitem], [role=option], [role=switch]',
    )]
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => !element.matches(':disabled') && element.closest('[aria-hidden=true], [inert]') === null)
    .filter((element) => !element.matches('a') || getComputedStyle(element).display !== 'inline')
    .flatMap((element) => {
      const boxes = [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect());
      const within = element.parentElement.getBoundingClientRect();
      if ([...boxes, within].some(({ width, height }) => width <= 1 || height <= 1)) return [];
      if (boxes.some(({ width, height }) => width >= 39.5 && height >= 39.5)) return [];
      return [Math.round(boxes[0].width) + ' × ' + Math.round(boxes[0].height) + ': ' + element.outerHTML.slice(0, 140)];
    })`);

async function expectFit(page: Page, screen: string): Promise<void> {
  expect.soft(await page.evaluate('document.documentElement.scrollWidth'), `${screen}: its width`).toBe(phone.viewport.width);
  expect.soft(await findSmallTargets(page), `${screen}: its targets`).toEqual([]);
  expect.soft(await findBarriers(page), `${screen}: its barriers`).toEqual([]);
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('journey 21: on a phone', () => {
  const storage = makeStorageFolder();
  let browser: Browser;
  let books: TestService;
  let magazine: TestService;
  let world: EditorsWorld;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, books, magazine] = await Promise.all([
      launchBrowser(),
      startService(vendor, { area: 'studio-phone', demo: true, config: { storageRoot: storage.root } }),
      startService(vendor, { area: 'studio-phone-access', fixture }),
    ]);
    world = await settleEditors(magazine);
    const cover = { field: 'cover', type: 'uuid', meta: { interface: 'file-image', special: ['file'] } };
    expect((await books.api.post('/fields/books', cover)).status).toBe(200);
    const relation = { collection: 'books', field: 'cover', related_collection: 'service_files', schema: {}, meta: {} };
    expect((await books.api.post('/relations', relation)).status).toBe(200);
    await upload(books.api, { name: 'harbour.png', type: 'image/png', bytes: await makeImage(60, 40) });
  });
  afterAll(async () => {
    await closePages(browser);
    await Promise.all([books?.stop(), magazine?.stop()]);
    storage.remove();
  });

  it('people sign in, a wrong password is reported once, and a second factor is asked for (2)', async () => {
    const permissions = [{ collection: 'books', action: 'read' }] as const;
    const { email, password } = await makePerson(books, [{ app_access: true, permissions }]);
    const own = books.as((await books.as(null).post('/auth/login', { email, password })).body.data.access_token);
    const { secret } = (await own.post('/users/me/tfa/generate', { password })).body.data;
    // A code is good for once: the previous one, which is accepted still, leaves the present one for the sign-in.
    const otp = authenticator.clone({ epoch: Date.now() - 30_000 }).generate(secret);
    expect((await own.post('/users/me/tfa/enable', { secret, otp })).status).toBe(204);
    const studio = await openStudio(browser, books, phone);
    studio.allowRefusals('401 POST /auth/login');
    const { page } = studio;
    await page.goto(`${books.url}/admin/`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await page.getByRole('alert').getByText('Email or password is wrong.').waitFor();
    await expectFit(page, 'sign-in');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await page.getByLabel('One-time code').waitFor();
    await expectFit(page, 'one-time code');
    await page.getByLabel('One-time code').fill(authenticator.generate(secret));
    await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
    await page.locator('nav.side').waitFor({ state: 'attached' });
    await expectFit(page, 'home');
    expect((await page.context().cookies()).map(({ httpOnly }) => httpOnly)).toEqual([true]);
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toMatch(/ey[A-Za-z0-9_-]{10}/);
    await studio.close();
  });

  it('a list of ten thousand is scrolled to its end, sorted, and kept where it was (3)', async () => {
    const studio = await openStudio(browser, magazine, phone);
    const { page } = studio;
    await signIn(studio, magazine, '/admin/c/articles');
    const list = page.getByRole('list', { name: 'Articles' });
    await list.getByRole('link').first().waitFor();
    await page.getByText('10,000 items').waitFor();
    await expectFit(page, 'list');
    studio.requests();
    await page.evaluate("document.querySelector('.cards').parentElement.scrollTo(0, 1e9)");
    const last = list.getByRole('link').last();
    await expect.poll(() => last.getAttribute('href')).toBe('/admin/c/articles/10000');
    expect(await list.getByRole('listitem').count()).toBeLessThan(40);
    // The pages on the way are not read.
    expect(studio.requests().filter((request) => request.includes('/items/')).length).toBeLessThan(5);
    await page.getByRole('button', { name: 'Sort' }).tap();
    await expectFit(page, 'sort');
    await page.getByRole('menuitem', { name: 'Status' }).tap();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('status');
    await expect.poll(() => list.getByRole('link').first().getAttribute('href')).toBe('/admin/c/articles/2');
    // Among those of equal status the last one comes first.
    await page.getByRole('button', { name: 'Sort' }).tap();
    await expectFit(page, 'sort by a second field');
    await page.getByRole('menuitem', { name: 'Then by: ID' }).tap();
    await page.getByRole('button', { name: 'Sort' }).tap();
    await page.getByRole('menuitem', { name: 'ID, sorted ascending' }).tap();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('status,-id');
    await expect.poll(() => list.getByRole('link').first().getAttribute('href')).toBe('/admin/c/articles/9998');
    await page.evaluate("document.querySelector('.cards').parentElement.scrollTo(0, 500000)");
    const inSight = list.getByRole('link').nth(8);
    await expect.poll(() => inSight.innerText()).toContain('draft');
    const opened = await inSight.getAttribute('href');
    await inSight.tap();
    await page.waitForURL(`**${opened}`);
    await page.getByLabel('Title').waitFor();
    await expectFit(page, 'item');
    await page.goBack();
    await list.locator(`a[href="${opened}"]`).waitFor();
    expect(await page.evaluate("document.querySelector('.cards').parentElement.scrollTop")).toBe(500_000);
    await studio.close();
  });

  it('a book is made with a new author, two tags and a cover, in one request (8)', async () => {
    const read = async (path: string) => (await books.api.get(path)).body.data;
    const [tag] = await read('/items/tags?limit=1&fields=name');
    const studio = await openStudio(browser, books, phone);
    const { page } = studio;
    const drawer = page.getByRole('dialog');
    await signIn(studio, books, '/admin/c/books');
    await page.getByRole('link', { name: 'New item' }).tap();
    await page.getByLabel('Title').fill('The Harbour');
    await page.getByLabel('Slug').fill('the-harbour');
    await expectFit(page, 'form');
    await page.getByRole('button', { name: 'Create new: Author' }).tap();
    await drawer.getByLabel('Name').fill('Nora Quay');
    await expectFit(page, 'drawer');
    await drawer.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Add existing: Tags' }).tap();
    await seek(page.getByRole('combobox', { name: 'Find in Tags' }), tag.name);
    // While a list of suggestions is open, axe takes what it covers for reachable: it is closed before the focus leaves.
    expect.soft(await findSmallTargets(page), 'picker: its targets').toEqual([]);
    await page.getByRole('option', { name: tag.name, exact: true }).tap();
    await page.getByRole('button', { name: `Remove “${tag.name}”` }).waitFor();
    await page.getByRole('button', { name: 'Create new: Tags' }).tap();
    await drawer.getByLabel('Name').fill('harbours');
    await drawer.getByRole('button', { name: 'Close' }).tap();
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cover' }).tap();
    await drawer.getByRole('row', { name: 'Harbour' }).waitFor();
    await expectFit(page, 'library');
    await drawer.getByRole('row', { name: 'Harbour' }).tap();
    await drawer.waitFor({ state: 'detached' });
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).tap();
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    expect(studio.requests().filter((request) => /^(POST|PATCH|DELETE) \/(items|batch)/.test(request))).toEqual(['POST /items/books']);
    const fields = 'title,author.name,tags.tag.name,cover.filename_download';
    expect(await read(`/items/books?filter[slug][_eq]=the-harbour&fields=${fields}`)).toEqual([
      {
        title: 'The Harbour',
        author: { name: 'Nora Quay' },
        tags: [{ tag: { name: tag.name } }, { tag: { name: 'harbours' } }],
        cover: { filename_download: 'harbour.png' },
      },
    ]);
    await studio.close();
  });

  it('what two people changed is merged, and only what both did is asked about (10)', async () => {
    const [mine, theirs] = [await openStudio(browser, books, phone), await openStudio(browser, books)];
    for (const studio of [mine, theirs]) studio.allowRefusals('412 PATCH /items/books/');
    for (const studio of [mine, theirs]) await signIn(studio, books, '/admin/c/books/3');
    await mine.page.getByLabel('Title').fill('Mine');
    await mine.page.getByLabel('Slug').fill('mine');
    await theirs.page.getByLabel('Title').fill('Theirs');
    await theirs.page.getByLabel('Pages').fill('1');
    await theirs.page.getByRole('button', { name: 'Save' }).click();
    await theirs.page.getByText('Saved', { exact: true }).waitFor();
    await mine.page.getByRole('button', { name: 'Save' }).tap();
    const dialog = mine.page.getByRole('dialog');
    await dialog.getByLabel('Theirs').check();
    await expectFit(mine.page, 'conflict');
    await dialog.getByRole('button', { name: 'Save the result' }).tap();
    await mine.page.getByText('Saved', { exact: true }).waitFor();
    const stored = (await books.api.get('/items/books/3?fields=title,slug,pages')).body.data;
    expect(stored).toEqual({ title: 'Theirs', slug: 'mine', pages: 1 });
    for (const studio of [mine, theirs]) await studio.close();
  });

  it('editors are given published articles without the price, checked as one of them (15)', async () => {
    const studio = await openStudio(browser, magazine, phone);
    const { page } = studio;
    await signIn(studio, magazine, `/admin/policies/${world.policy}`);
    await page.getByRole('button', { name: 'Articles, Read: nothing' }).waitFor();
    await expectFit(page, 'matrix');
    await page.getByRole('button', { name: 'Articles, Read: nothing' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Read Articles' });
    await drawer.getByText('Only items that match a rule').tap();
    await drawer.getByLabel('Field', { exact: true }).selectOption({ label: 'Status' });
    await drawer.getByLabel('Condition', { exact: true }).selectOption({ label: 'is' });
    await drawer.getByLabel('Value', { exact: true }).fill('published');
    await drawer.getByRole('region', { name: 'Proof' }).getByText('3,333 of 10,000 items in Articles').waitFor();
    await drawer.getByRole('checkbox', { name: 'Price' }).tap();
    await expectFit(page, 'rule');
    await drawer.getByRole('button', { name: 'Save permission' }).tap();
    await page.getByRole('button', { name: 'See as Emma Editor' }).tap();
    await page.getByText('3,333 items').waitFor();
    await expectFit(page, 'see as');
    await page.getByRole('button', { name: 'Hidden items' }).tap();
    await page.getByRole('button', { name: 'Why not Article?' }).first().tap();
    await page.getByText('wants: Status is published, but it is “draft”').waitFor();
    await expectFit(page, 'why');
    const rules = (await magazine.api.get('/permissions?filter[collection]=articles&fields=action,permissions,fields')).body.data;
    expect(rules).toMatchObject([{ action: 'read', permissions: { _and: [{ status: { _eq: 'published' } }] } }]);
    expect(rules[0].fields).not.toContain('price');
    await studio.close();
  });
});

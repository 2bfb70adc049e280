// What Studio may cost: bytes, requests, time of the main thread, nodes and memory, and no barrier on any screen, light or dark. A change that
// needs more than this has to say why.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminEmail, startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriersInBothColours, go, holdBack, launchBrowser, openStudio, signIn } from './open-studio.js';
import { leastThreadTime, leastTimeMore, metricsOf } from './thread-time.js';

const [vendor] = inject('vendors');
const assets = fileURLToPath(new URL('../../dist/studio/assets/', import.meta.url));
const kilobyte = 1024;

/** The bytes of these assets as gzip, which every client takes. */
const weigh = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (existsSync(`${assets}${name}.gz`) ? statSync(`${assets}${name}.gz`).size : 0), 0);

const assetsIn = (requests: readonly string[], ending: string): readonly string[] => [
  ...new Set(requests.flatMap((request) => /\/admin\/assets\/([^/]+)$/.exec(request)?.[1] ?? []).filter((name) => name.endsWith(ending))),
];

const apiRequests = (requests: readonly string[]): readonly string[] => requests.filter((request) => !request.includes('/admin/'));

describe.runIf(inject('browser') !== null && vendor !== undefined)('budgets of Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([
      launchBrowser({ measures: true }),
      startService(vendor, { demo: true, area: 'studio-budget' }),
    ]);
  });
  afterAll(async () => {
    for (const each of [browser, await launchBrowser()]) await closePages(each);
    await service?.stop();
  });

  it('hold for bytes and requests, from the sign-in to an item', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await page.goto(`${service.url}/admin/`);
    await page.getByLabel('Email').waitFor();
    const atSignIn = studio.requests();
    expect(apiRequests(atSignIn).toSorted()).toEqual(['GET /auth', 'GET /server/info']);
    expect(weigh(assetsIn(atSignIn, '.js'))).toBeLessThan(120 * kilobyte);
    expect(weigh(assetsIn(atSignIn, '.css'))).toBeLessThan(25 * kilobyte);
    await signIn(studio, service, '/admin/c/books');
    await page.getByRole('gridcell', { name: 'Emma' }).first().waitFor({ state: 'attached' });
    // The number of items is asked for when the rows are there.
    await page.getByText('25 items').waitFor();
    const atList = [...atSignIn, ...studio.requests()];
    expect(weigh(assetsIn(atList, '.js'))).toBeLessThan(230 * kilobyte);
    expect(weigh(assetsIn(atList, '.css'))).toBeLessThan(25 * kilobyte);
    await page.reload();
    await page.getByText('25 items').waitFor();
    const again = apiRequests(studio.requests());
    expect([again[0], again.length <= 3]).toEqual(['POST /graphql/system', true]);
    await page.goto(`${service.url}/admin/c/books/2`);
    await page.getByLabel('Title').waitFor();
    await page.waitForLoadState('networkidle');
    // The application itself, then the item.
    expect(apiRequests(studio.requests()).length).toBeLessThanOrEqual(1 + 3);
    expect(await page.evaluate('document.fonts.size')).toBe(0);
    studio.expectQuiet();
    await page.context().close();
  });

  it('hold for the build as a whole', () => {
    const names = readdirSync(assets).filter((name) => name.endsWith('.js'));
    expect(names.filter((name) => !name.startsWith('text-')).length).toBeLessThanOrEqual(60);
    expect(weigh(names)).toBeLessThan(1536 * kilobyte);
  });

  it('hold for the main thread, the page and its memory', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const session = await page.context().newCDPSession(page);
    const signInTime = await leastThreadTime(session, 0.25, async () => {
      await page.goto(`${service.url}/admin/`);
      await page.getByLabel('Email').waitFor();
    });
    await signIn(studio, service);
    const listTime = await leastThreadTime(session, 0.4, async () => {
      await page.goto(`${service.url}/admin/c/books`);
      await page.getByText('25 items').waitFor();
    });
    expect(signInTime).toBeLessThan(0.25);
    expect(listTime).toBeLessThan(0.4);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(1500);
    await session.send('HeapProfiler.collectGarbage');
    expect((await metricsOf(session))['JSHeapUsedSize']).toBeLessThan(20_000_000);
    await page.context().close();
  });

  it('hold for an item that was read before: it is there without waiting for the service, and seen as it is now', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/3');
    const title = page.getByLabel('Title');
    const { data } = (await service.api.get('/items/books/3?fields=title')).body;
    const toList = async () => {
      await page.waitForLoadState('networkidle');
      await go(page, 'c/books');
      await page.getByText('25 items').waitFor();
      await page.waitForLoadState('networkidle');
    };
    await title.waitFor();
    const session = await page.context().newCDPSession(page);
    const time = await leastTimeMore(
      session,
      0.05,
      async () => {
        await go(page, 'c/books/3');
        await title.waitFor();
      },
      toList,
    );
    expect(time).toBeLessThan(0.05);
    await toList();
    const letGo = await holdBack(page, 'GET', /\/items\/books\/3/);
    expect((await service.api.patch('/items/books/3', { title: 'Meanwhile' })).status).toBe(200);
    await go(page, 'c/books/3');
    await title.waitFor();
    expect(await title.inputValue()).toBe(data.title);
    letGo();
    await expect.poll(() => title.inputValue()).toBe('Meanwhile');
    expect((await service.api.patch('/items/books/3', data)).status).toBe(200);
    studio.expectQuiet();
    await page.context().close();
  });

  it('leave no barrier on any screen, light or dark', async () => {
    // Here no time is measured.
    const studio = await openStudio(await launchBrowser(), service);
    const { page } = studio;
    const check = async (place: string) => {
      expect(await findBarriersInBothColours(page), place).toEqual([]);
    };
    for (const [place, title] of entrances) {
      await page.goto(`${service.url}/admin/${place}`);
      await page.getByRole('heading', { name: title }).waitFor();
      await check(place);
    }
    await signIn(studio, service);
    for (const [place, show] of screens) {
      await go(page, place);
      await show(page);
      await check(place);
    }
    studio.expectQuiet();
    await page.context().close();
  });

  it('open the command menu by keyboard alone, and lead where it says', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    // Keys go where the focus is: to the field when it has it, and to the command that is marked.
    const field = page.locator('input[type=search]:focus');
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('new book');
    await page.locator('[role=menuitem][data-focused]', { hasText: 'New item in Books' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/c\/books\/\+$/);
    await page.getByLabel('Title').waitFor();
    await page.keyboard.press('Control+k');
    await field.waitFor();
    await page.keyboard.type('zzz');
    await page.getByRole('menuitem', { name: 'Search “zzz” in Authors' }).waitFor();
    // The first empties the field, the second closes the menu.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    studio.expectQuiet();
    await page.context().close();
  });
});

const entrances = [
  ['', 'Sign in to'],
  ['setup#none', 'This setup link is no longer valid.'],
  ['reset-password?token=none', 'Choose a new password'],
  ['accept-invite?token=none', 'Welcome: choose a password'],
] as const;

/** A screen is there with something that the one before it does not have. */
const screens: readonly (readonly [place: string, show: (page: Page) => Promise<void>])[] = [
  ['', (page) => page.getByRole('heading', { name: 'Collections' }).waitFor()],
  ['c/books', (page) => page.getByText('25 items').waitFor()],
  ['c/books/2', (page) => page.getByLabel('Title').waitFor()],
  ['c/books/+', (page) => page.getByLabel('Title').waitFor()],
  ['c/shop', (page) => page.getByLabel('Name').waitFor()],
  ['files', (page) => page.getByText('No files yet').waitFor()],
  ['model', (page) => page.getByRole('button', { name: 'Move Books' }).waitFor()],
  ['model/books', (page) => page.getByRole('button', { name: 'Move Title' }).waitFor()],
  ['model/diagram', (page) => page.locator('[data-ready=true]').waitFor()],
  ['model/compare', (page) => page.getByText('Compare this database with a snapshot file').waitFor()],
  ['dashboards', (page) => page.getByText('No dashboards yet').waitFor()],
  ['activity', (page) => page.getByRole('table', { name: 'Activity' }).waitFor()],
  ['settings', (page) => page.getByLabel('Appearance', { exact: true }).waitFor()],
  ['settings/sign-on', (page) => page.getByText('Only email and password so far').waitFor()],
  ['settings/translations', (page) => page.getByText('No translations yet').waitFor()],
  ['people', (page) => page.getByRole('main').getByText(adminEmail).waitFor()],
  ['roles', (page) => page.locator('.role-tree').getByText('Administrator').first().waitFor()],
  ['policies', (page) => page.locator('.home-cards.flush').getByText('Administrator').first().waitFor()],
  ['public', (page) => page.getByRole('switch', { name: 'Open to the public: Books' }).waitFor()],
  ['me', (page) => page.getByRole('region', { name: 'Sessions' }).getByText('here', { exact: true }).waitFor()],
  ['system', (page) => page.getByText('Largest file').waitFor()],
  ['system/statements', (page) => page.getByText('The log of slow statements is off').waitFor()],
  ['system/storage', (page) => page.getByText('There are no files yet.').waitFor()],
  ['keys', (page) => page.getByRole('table', { name: 'Keys' }).waitFor()],
  [
    'api',
    async (page) => {
      const reference = page.frameLocator('iframe');
      // Most of its many sections look alike.
      await reference.getByRole('heading', { name: 'books', exact: true }).waitFor();
      await reference.getByRole('searchbox').fill('/items/books');
      await reference.locator('summary').first().click();
      await reference.getByRole('button', { name: 'Try it' }).click();
      await reference.getByText('"Emma"').waitFor();
    },
  ],
  [
    'api/graphql',
    async (page) => {
      const graphiql = page.frameLocator('iframe');
      await graphiql.getByRole('button', { name: 'Execute query' }).click();
      await graphiql.locator('.result-window').getByText('"Query"').waitFor();
      await graphiql.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await graphiql.locator('.graphiql-doc-explorer-type-name').first().waitFor();
      await graphiql.getByRole('textbox', { name: 'Answer' }).waitFor({ state: 'attached' });
    },
  ],
  ['nowhere', (page) => page.getByText('There is nothing at this address.').waitFor()],
  [
    '',
    async (page) => {
      await page.getByRole('heading', { name: 'Collections' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('menuitem', { name: 'Books', exact: true }).waitFor();
    },
  ],
];

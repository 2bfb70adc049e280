// Journeys 3 and 24 of the design brief: a list of 100,000 rows on every database, one of a million rows, and a database of 400 tables without
// metadata.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { patience } from '../harness/patience.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, launchBrowser, openStudio, signIn } from './open-studio.js';
import { leastTimeMore } from './thread-time.js';

const [first] = inject('vendors');
const poll = { timeout: patience, interval: 50 };
const apiRequests = (requests: readonly string[]) => requests.filter((request) => !request.includes('/admin/'));

/** Numbers from 1 to 100,000, in words that every database understands. */
const digits =
  'select 0 as d union all select 1 union all select 2 union all select 3 union all select 4 union all select 5 union all select 6 union all select 7 union all select 8 union all select 9';
const place = (name: string) => `(${digits}) ${name}`;
const manyRows = `
  create table articles (id integer primary key, title varchar(60), place_in_line integer);
  insert into articles
    select n + 1, concat('Article ', n + 1), 100000 - n
    from (select a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d as n
      from ${place('a')} cross join ${place('b')} cross join ${place('c')} cross join ${place('d')} cross join ${place('e')}) numbers`;

/** What the grid does in a second of fling, a frame at a time: every row new. */
const fling = `new Promise((resolve) => {
  const grid = document.querySelector('[role=grid]');
  let frames = 0;
  const step = () => {
    grid.scrollTop += 4000;
    frames += 1;
    if (frames < 50) requestAnimationFrame(step);
    else resolve();
  };
  step();
})`;

describeEachVendor('a long list', (vendor) => {
  describe.runIf(inject('browser') !== null)('in Studio', () => {
    let browser: Browser;
    let service: TestService;
    beforeAll(async () => {
      [browser, service] = await Promise.all([
        launchBrowser({ measures: true }),
        startService(vendor, { area: 'studio-large', fixture: manyRows }),
      ]);
    });
    afterAll(async () => {
      await closePages(browser);
      await service?.stop();
    });

    it('journey 3: opens with two requests, is scrolled to its end, sorted, and kept where it was, in three clicks', async () => {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      const grid = page.getByRole('grid');
      const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
      await signIn(studio, service);
      await page.getByRole('link', { name: 'Articles' }).first().waitFor();
      studio.requests();
      await page.getByRole('link', { name: 'Articles' }).first().click();
      await page.getByText('100,000 items').waitFor();
      expect(apiRequests(studio.requests())).toEqual(['SEARCH /items/articles', 'SEARCH /items/articles']);
      await expect.poll(() => grid.getAttribute('aria-rowcount'), poll).toBe('100001');

      await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 1e9)");
      await cell('Article 100000').waitFor({ state: 'attached' });

      await page.getByRole('button', { name: 'Place In Line', exact: true }).click();
      await cell('Article 99999').waitFor({ state: 'attached' });
      await expect.poll(() => grid.getAttribute('aria-rowcount'), poll).toBe('100001');

      await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 50000 * 36)");
      await cell('Article 49995').waitFor({ state: 'attached' });
      const box = await grid.boundingBox();
      await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 18);
      await page.getByText('Open', { exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Article 50000' }).waitFor();
      studio.requests();
      await page.goBack();
      await cell('Article 49995').waitFor({ state: 'attached' });
      expect(await page.evaluate("document.querySelector('[role=grid]').scrollTop")).toBe(50_000 * 36);
      await page.getByText('100,000 items').waitFor();

      // 50 frames a second leave 20 ms for each.
      const session = await page.context().newCDPSession(page);
      const seconds = await leastTimeMore(session, 50 * 0.02, async () => {
        await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 0)");
        await page.evaluate(fling);
      });
      expect(seconds / 50).toBeLessThan(0.02);
      studio.expectQuiet();
      await page.context().close();
    });
  });
});

const millionRows = `
  create table numbers (id integer primary key, name varchar(60));
  insert into numbers
    select n + 1, concat('Number ', n + 1)
    from (select a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d as n
      from ${['a', 'b', 'c', 'd', 'e', 'f'].map(place).join(' cross join ')}) numbers`;

describe.runIf(inject('browser') !== null && first !== undefined)('a list taller than browsers draw', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (first === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([
      launchBrowser({ measures: true }),
      startService(first, { area: 'studio-tall', fixture: millionRows }),
    ]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('is scrolled to its end in the grid, where cells are found under the mouse and shown when keys lead to them', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const grid = page.getByRole('grid');
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
    const scrollTo = (top: number) => page.evaluate(`document.querySelector('[role=grid]').scrollTo(0, ${top})`);
    await signIn(studio, service, '/admin/c/numbers');
    await page.getByText('1,000,000 items').waitFor();
    await scrollTo(1e9);
    await cell('Number 1000000').waitFor({ state: 'attached' });
    const box = await grid.boundingBox();
    if (box === null) throw new Error('there is no grid');
    // The last row ends where the grid does, but for the bar that scrolls it sideways.
    const last = box.y + Number(await page.evaluate("document.querySelector('[role=grid]').clientHeight")) - 18;
    await page.mouse.move(box.x + 100, last);
    await page.getByText('Open', { exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Number 1000000' }).waitFor();
    await page.goBack();
    await cell('Number 1000000').waitFor({ state: 'attached' });
    await grid.focus();
    await page.keyboard.press('Control+Home');
    await cell('Number 1').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+End');
    await cell('Number 1000000').waitFor({ state: 'attached' });
    studio.expectQuiet();
    await page.context().close();
  });

  it('is scrolled to its end as cards, none of which is left out on the way', async () => {
    const studio = await openStudio(browser, service, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const { page } = studio;
    await signIn(studio, service, '/admin/c/numbers');
    await page.getByText('1,000,000 items').waitFor();
    const inSight = async (): Promise<readonly number[]> =>
      page.evaluate(`[...document.querySelectorAll('.cards > li')]
        .filter((card) => {
          const { top, bottom } = card.getBoundingClientRect();
          const view = card.parentElement.parentElement.getBoundingClientRect();
          return bottom > view.top && top < view.bottom;
        })
        .map((card) => Number(card.getAttribute('aria-posinset')))`);
    await expect.poll(async () => (await inSight())[0], poll).toBe(1);
    const scroll = (how: string) => page.evaluate(`document.querySelector('.cards').parentElement.${how}`);
    let [seen = 0] = (await inSight()).slice(-1);
    for (let swipe = 0; swipe < 8; swipe += 1) {
      await scroll('scrollBy(0, 60)');
      await expect.poll(async () => (await inSight()).at(-1), poll).toBeGreaterThan(seen);
      const [top = 0, bottom = 0] = [(await inSight())[0], (await inSight()).at(-1)];
      expect(top).toBeLessThanOrEqual(seen + 1);
      seen = bottom;
    }
    await scroll('scrollTo(0, 1e9)');
    await expect.poll(async () => (await inSight()).at(-1), poll).toBe(1_000_000);
    await page.getByRole('link', { name: /Number 1000000/ }).tap();
    await page.getByRole('heading', { level: 1, name: 'Number 1000000' }).waitFor();
    studio.expectQuiet();
    await page.context().close();
  });
});

const kinds = ['varchar(100)', 'integer', 'text', 'timestamp', 'boolean'];
const columns = Array.from({ length: 59 }, (_, index) => `column_${index} ${kinds[index % kinds.length]}`).join(', ');
const manyTables = Array.from({ length: 400 }, (_, index) => `create table table_${index} (id integer primary key, ${columns})`).join(
  ';\n',
);

describe.runIf(inject('browser') !== null && first !== undefined)('many tables', () => {
  it('journey 24: 400 tables of 60 columns open with little to load, and are found as one types', async () => {
    if (first === undefined) throw new Error('no database');
    const [browser, service] = await Promise.all([
      launchBrowser({ measures: true }),
      startService(first, { area: 'studio-many-tables', fixture: manyTables }),
    ]);
    try {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      const link = (name: string) => page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name });
      await signIn(studio, service);
      await link('Table 399').waitFor({ state: 'attached' });
      const answers: Promise<number>[] = [];
      page.on('response', (response) => {
        const isAnswer = !response.url().includes('/admin/');
        if (isAnswer)
          answers.push(
            response
              .request()
              .sizes()
              .then(({ responseBodySize }) => responseBodySize),
          );
      });
      await page.reload();
      await link('Table 399').waitFor({ state: 'attached' });
      const bytes = (await Promise.all(answers)).reduce((sum, size) => sum + size, 0);
      expect([answers.length > 0, bytes < 150 * 1024]).toEqual([true, true]);
      // Found once: looking for it by its role costs the page as much as what is measured.
      const search = await page.getByRole('searchbox', { name: 'Find a collection' }).elementHandle();
      if (search === null) throw new Error('no field to find a collection');
      const session = await page.context().newCDPSession(page);
      const painted = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      // All are shown, all are found, one is found: three changes of 50 ms.
      const seconds = await leastTimeMore(
        session,
        3 * 0.05,
        async () => {
          for (const text of ['', 'table', '399']) {
            await search.fill(text);
            await painted();
          }
        },
        () => search.fill('399'),
      );
      expect([await link('Table 399').count(), await link('Table 398').count()]).toEqual([1, 0]);
      expect(seconds).toBeLessThan(3 * 0.05);
      await link('Table 399').click();
      await page.getByRole('heading', { level: 1, name: 'Table 399' }).waitFor();
      expect(await link('Table 399').getAttribute('aria-current')).toBe('page');
      await page.getByText('0 items').waitFor();
      studio.expectQuiet();
    } finally {
      await closePages(browser);
      await service.stop();
    }
  });
});

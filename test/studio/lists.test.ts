// Lists as people work with them: cells edited, pasted and taken back, filters built and kept as views, many items changed at once, files
// brought in and taken out. What is asserted is what is in the database.

import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, coveredByToasts, findBarriers, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  { field: 'name', type: 'string', schema: { is_nullable: false } },
  {
    field: 'status',
    type: 'string',
    meta: { interface: 'select-dropdown', options: { choices: ['draft', 'published', 'archived'] } },
  },
  { field: 'amount', type: 'integer' },
  { field: 'price', type: 'decimal', schema: { numeric_precision: 8, numeric_scale: 2 } },
  { field: 'done', type: 'boolean' },
  { field: 'day', type: 'date' },
  { field: 'code', type: 'string', schema: { is_unique: true } },
  { field: 'year', type: 'integer' },
];
const meta = { archive_field: 'status', archive_value: 'archived', unarchive_value: 'draft' };

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

async function makeThings({ api }: TestService, count: number): Promise<void> {
  expect((await api.post('/collections', { collection: 'things', schema: {}, meta, fields })).status).toBe(200);
  const things = Array.from({ length: count }, (_, index) => ({
    name: `Thing ${index + 1}`,
    status: index % 3 === 0 ? 'draft' : 'published',
    amount: 1000 + index,
    year: 1990 + (index % 30),
    code: `c${index + 1}`,
  }));
  for (let start = 0; start < count; start += 1000) {
    const { status } = await api.post('/items/things?fields=id', things.slice(start, start + 1000));
    expect(status).toBe(200);
  }
}

const vendors = inject('vendors');
const [vendor] = vendors;
const writes = (studio: StudioPage) =>
  studio.requests().filter((request) => /^(POST|PATCH|DELETE)/.test(request) && !request.includes('/graphql'));
const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

/** What the grid makes of a clipboard event, as script of the page. */
const clipboard = (page: Page, kind: 'copy' | 'paste', text: string): Promise<string> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    const event = new ClipboardEvent('${kind}', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('[role=grid]').dispatchEvent(event);
    return clipboardData.getData('text/plain');
  })()`);
const paste = (page: Page, text: string) => clipboard(page, 'paste', text);
const copy = (page: Page) => clipboard(page, 'copy', '');

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};

const columns = 'fields=name,status,amount,price,done,day,code,year';

describe.runIf(inject('browser') !== null && vendor !== undefined)('lists of Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-lists' })]);
    await makeThings(service, 300);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const thing = async (id: number): Promise<Thing> => (await service.api.get(`/items/things/${id}`)).body.data;
  const open = async (query = columns) => {
    const studio = await openStudio(browser, service);
    await signIn(studio, service, `/admin/c/things?${query}`);
    await studio.page.getByRole('gridcell').first().waitFor({ state: 'attached' });
    await studio.page.getByText(/^[\d,]+ items?$/).waitFor();
    return studio;
  };

  it('change cells by typing and choosing, one step taken back, and save them as one request', async () => {
    const studio = await open();
    const { page } = studio;
    await page.getByRole('grid').focus();
    await page.keyboard.type('First');
    await press(page, 'Enter');
    await page.keyboard.type('Second');
    await press(page, 'Tab');
    await page.keyboard.type('arch');
    await press(page, 'Tab');
    await page.keyboard.type('7');
    await press(page, 'Tab');
    await page.keyboard.type('12.5');
    await press(page, 'Tab');
    await page.keyboard.type('y');
    await press(page, 'Enter');
    await page.getByText('6 unsaved changes').waitFor();
    await press(page, 'Control+z');
    await page.getByText('5 unsaved changes').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.reload();
    await page.getByText('5 unsaved changes').waitFor();
    await cell(page, 'Second (changed)').waitFor({ state: 'attached' });
    expect((await thing(1)).name).toBe('Thing 1');
    studio.requests();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(writes(studio)).toEqual(['POST /batch']);
    await cell(page, '12.50').waitFor({ state: 'attached' });
    expect(await thing(1)).toMatchObject({ name: 'First' });
    // The message that the last save can be undone is not over what is needed for the next.
    await page.getByRole('grid').focus();
    await page.keyboard.type('Once more');
    await press(page, 'Enter');
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.locator('.toast').count()).toBeGreaterThan(0);
    expect(await coveredByToasts(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByText('Discarded 1 change').waitFor();
    const changed = await thing(2);
    expect({ ...changed, price: Number(changed['price']) }).toMatchObject({
      name: 'Second',
      status: 'archived',
      amount: 7,
      price: 12.5,
      done: null,
    });
    await page.locator('.toast', { hasText: 'Saved' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect([await thing(1), await thing(2)]).toMatchObject([
      { name: 'Thing 1' },
      { name: 'Thing 2', status: 'published', amount: 1001, price: null },
    ]);
    studio.expectQuiet();
    await studio.close();
  });

  it('take a block from a spreadsheet, mark the cells that are refused, and store nothing until they are mended', async () => {
    const studio = await open();
    studio.allowRefusals('400 POST /batch');
    const { page } = studio;
    const before = await thing(150);
    const line = (row: number) => [
      `Pasted ${row}`,
      'Archived',
      row === 3 ? 'many' : `${row}`,
      '1.25',
      row === 200 ? 'maybe' : 'yes',
      '2026-01-31',
    ];
    const block = Array.from({ length: 200 }, (_, index) => line(index + 1).join('\t')).join('\n');
    await page.getByRole('grid').focus();
    await paste(page, block);
    await page.getByText('1,200 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('[data-mark=refused]', { hasText: 'many This is not a number.' }).waitFor({ state: 'attached' });
    await page.getByText('2 cells need attention.').first().waitFor();
    expect([await thing(1), await thing(150)]).toMatchObject([{ name: 'Thing 1' }, before]);
    // The first refused cell has the focus.
    await page.getByRole('alert').getByText('This is not a number.').waitFor();
    await page.keyboard.type('3');
    await press(page, 'Enter');
    await page.getByText('1 cell needs attention.').first().waitFor();
    await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 199 * 36 - 100)");
    const bad = page.locator('[data-mark=refused]', { hasText: 'maybe' });
    await bad.waitFor({ state: 'attached' });
    const box = await page.getByRole('grid').boundingBox();
    await page.mouse.dblclick((box?.x ?? 0) + 44 + 280 + 180 + 120 + 120 + 30, (box?.y ?? 0) + 100 + 18);
    await page.getByRole('combobox', { name: 'Done' }).fill('No');
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect([await thing(3), await thing(200)]).toMatchObject([
      { name: 'Pasted 3', status: 'archived', amount: 3, done: true, day: '2026-01-31' },
      { name: 'Pasted 200', amount: 200, done: false },
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect([await thing(1), await thing(150)]).toMatchObject([{ name: 'Thing 1' }, before]);
    await studio.close();
  });

  it('fill down, copy, empty, and add rows that are pasted below the last one', async () => {
    const studio = await open(`${columns}&filter={"_and":[{"id":{"_in":[10,11,12]}}]}`);
    const { page } = studio;
    await page.getByRole('grid').focus();
    await press(page, 'ArrowRight', 'ArrowRight');
    await page.keyboard.type('5');
    await press(page, 'Enter', 'ArrowUp', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+d');
    await page.getByText('3 unsaved changes').waitFor();
    expect(await copy(page)).toBe('5\n5\n5');
    await press(page, 'Control+Home', 'Control+ArrowDown');
    await paste(page, 'Renamed\nAdded\nToo');
    await page.getByText('6 unsaved changes').waitFor();
    studio.requests();
    await press(page, 'Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(writes(studio)).toEqual(['POST /batch']);
    expect([await thing(10), await thing(12)]).toMatchObject([{ amount: 5 }, { name: 'Renamed', amount: 5 }]);
    const added = async () => (await service.api.get('/items/things?filter[name][_in]=Added,Too&fields=name')).body.data;
    expect(await added()).toEqual([{ name: 'Added' }, { name: 'Too' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await added()).toEqual([]);
    await studio.close();
  });

  it('are put into an order of their own by dragging, by keyboard and by buttons, each way one request that can be undone', async () => {
    const chapters = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string' },
      { field: 'place', type: 'integer', meta: { hidden: true } },
    ];
    const made = { collection: 'chapters', schema: {}, meta: { sort_field: 'place' }, fields: chapters };
    expect((await service.api.post('/collections', made)).status).toBe(200);
    // They have no places yet.
    expect(
      (
        await service.api.post(
          '/items/chapters',
          ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name })),
        )
      ).status,
    ).toBe(200);
    const inOrder = async () =>
      (await service.api.get('/items/chapters?fields=name')).body.data.map(({ name }: Readonly<{ name: string }>) => name).join('');
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/chapters');
    await cell(page, 'E').waitFor({ state: 'attached' });
    const shown = async () =>
      (
        await page
          .getByRole('gridcell')
          .filter({ hasText: /^[A-E]$/ })
          .allTextContents()
      ).join('');
    const grid = page.getByRole('grid');
    const sorted = () => page.waitForResponse((answer) => answer.url().includes('/utils/sort/'));
    studio.requests();
    // By keyboard: three steps, one request.
    await grid.focus();
    let stored = sorted();
    await press(page, 'Alt+ArrowDown', 'Alt+ArrowDown', 'Alt+ArrowDown');
    expect(await shown()).toBe('BCDAE');
    await stored;
    await expect.poll(inOrder).toBe('BCDAE');
    expect(writes(studio)).toEqual(['POST /utils/sort/chapters']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(inOrder).toBe('ABCDE');
    await expect.poll(shown).toBe('ABCDE');
    // By the mouse, from the first row below the fourth, at the edge where rows are selected.
    studio.requests();
    const box = await grid.boundingBox();
    if (box === null) throw new Error('the grid is not in sight');
    const at = (row: number) => [box.x + 20, box.y + row * 36 + 18] as const;
    await page.mouse.move(...at(4));
    await page.mouse.down();
    await page.mouse.move(...at(2), { steps: 4 });
    await page.mouse.move(...at(0), { steps: 4 });
    stored = sorted();
    await page.mouse.up();
    expect(await shown()).toBe('EABCD');
    await stored;
    await expect.poll(inOrder).toBe('EABCD');
    expect(writes(studio)).toEqual(['POST /utils/sort/chapters']);
    // A click there still selects; the one that is selected has buttons, which fingers use, too.
    await page.mouse.click(...at(1));
    await page.getByText('1 selected').waitFor();
    stored = sorted();
    await page.getByRole('button', { name: 'Move down' }).click();
    await stored;
    await expect.poll(inOrder).toBe('EBACD');
    // In another order there is nothing to move.
    await page.goto(`${service.url}/admin/c/chapters?sort=-name`);
    await cell(page, 'E').waitFor({ state: 'attached' });
    await grid.focus();
    await press(page, 'Alt+ArrowDown');
    expect(await shown()).toBe('EDCBA');
    expect(await inOrder()).toBe('EBACD');
    studio.expectQuiet();
    await studio.close();
  });

  it('do not overwrite what another user changed without showing it', async () => {
    const studio = await open();
    const { page } = studio;
    await page.getByRole('grid').focus();
    await page.keyboard.type('Mine');
    await press(page, 'Enter');
    await service.api.patch('/items/things/1', { name: 'Theirs', amount: 1 });
    await press(page, 'Control+s');
    await page.getByText('Somebody changed this to “Theirs” meanwhile.').first().waitFor();
    expect((await thing(1)).name).toBe('Theirs');
    await press(page, 'Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await thing(1)).toMatchObject({ name: 'Mine', amount: 1 });
    await service.api.patch('/items/things/1', { name: 'Later' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Nothing was undone.').waitFor();
    expect((await thing(1)).name).toBe('Later');
    await studio.close();
  });

  it('are filtered with groups, kept as a view for everyone, and opened again by its link', async () => {
    const studio = await open();
    const { page } = studio;
    await page.getByRole('button', { name: 'Filter' }).click();
    const builder = page.getByRole('dialog', { name: 'Filter' });
    await builder.getByLabel('Field', { exact: true }).selectOption({ label: 'Status' });
    await builder.getByLabel('Value', { exact: true }).selectOption({ label: 'Published' });
    await builder.getByRole('button', { name: 'Add a group' }).click();
    const group = builder.getByRole('group').nth(1);
    await group.getByLabel('Field', { exact: true }).selectOption({ label: 'Year' });
    await group.getByLabel('Condition', { exact: true }).selectOption({ label: 'is between' });
    await group.getByLabel('From', { exact: true }).fill('1991');
    await group.getByLabel('To', { exact: true }).fill('1991');
    await group.getByRole('button', { name: 'Add a condition' }).click();
    await group.getByLabel('Condition', { exact: true }).nth(1).selectOption({ label: 'ends with' });
    await group.getByLabel('Value', { exact: true }).fill('300');
    await page.getByText('11 items', { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await press(page, 'Escape');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as new view…' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Early ones');
    await page.getByLabel('Everyone').check();
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('View saved').waitFor();
    const [preset] = (await service.api.get('/presets?filter[bookmark][_eq]=Early ones')).body.data;
    expect(preset).toMatchObject({ collection: 'things', user: null, role: null, layout: 'tabular' });
    expect(preset.filter).toEqual({
      _and: [{ status: { _eq: 'published' } }, { _or: [{ year: { _between: ['1991', '1991'] } }, { name: { _iends_with: '300' } }] }],
    });
    expect(preset.layout_query.tabular.fields).toEqual(['name', 'status', 'amount', 'price', 'done', 'day', 'code', 'year']);
    await page.goto(`${service.url}/admin/c/things?view=${preset.id}`);
    await page.getByText('11 items', { exact: true }).waitFor();
    expect(await page.getByRole('columnheader').allTextContents()).toHaveLength(8);
    // Years are no quantities.
    await cell(page, '1991').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Hide Code' }).click();
    await page.getByRole('columnheader', { name: 'Code' }).waitFor({ state: 'detached' });
    await press(page, 'Escape');
    await page.getByRole('button', { name: 'Early ones' }).click();
    await page.getByRole('menuitem', { name: 'Save changes to “Early ones”' }).click();
    await expect
      .poll(async () => (await service.api.get(`/presets/${preset.id}`)).body.data.layout_query.tabular.fields)
      .toEqual(['name', 'status', 'amount', 'price', 'done', 'day', 'year']);
    studio.expectQuiet();
    await studio.close();
  });

  it('keep their length when they are put into another order', async () => {
    const studio = await open();
    const { page } = studio;
    const rows = page.getByRole('grid');
    const total = Number((await service.api.get('/items/things?aggregate[count]=*')).body.data[0].count);
    await expect.poll(() => rows.getAttribute('aria-rowcount')).toBe(`${total + 1}`);
    await page.getByRole('button', { name: 'Amount', exact: true }).click();
    await page.getByRole('button', { name: /^Amount, / }).click();
    await page.waitForURL(/sort=-amount/);
    await cell(page, (1000 + 299).toLocaleString('en-US')).waitFor({ state: 'attached' });
    await expect.poll(() => rows.getAttribute('aria-rowcount')).toBe(`${total + 1}`);
    studio.expectQuiet();
    await studio.close();
  });

  it('scroll their cells along with a heading that gets the focus outside of the window', async () => {
    const studio = await open();
    const { page } = studio;
    await page.setViewportSize({ width: 760, height: 600 });
    const places = () =>
      page.evaluate(`(() => {
        const [head, body] = [document.querySelector('.grid-head'), document.querySelector('.grid-body')];
        const heading = document.activeElement.getBoundingClientRect();
        const frame = body.getBoundingClientRect();
        const inner = document.querySelector('.grid-head-inner').getBoundingClientRect();
        return {
          own: head.scrollLeft,
          apart: Math.round(inner.left - frame.left + body.scrollLeft),
          isSeen: heading.left >= frame.left && heading.right <= frame.left + body.clientWidth + 1,
        };
      })()`);
    for (const [from, title] of [
      ['Name', 'Year'],
      ['Year', 'Name'],
    ] as const) {
      const button = (name: string) => page.locator('.grid-head').getByRole('button', { name, exact: true });
      await button(from).focus();
      for (let count = 0; count < 7; count += 1) await press(page, from === 'Name' ? 'Tab' : 'Shift+Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe(title);
      await expect.poll(places).toEqual({ own: 0, apart: 0, isSeen: true });
    }
    // Whatever else would bring a heading into sight.
    await page.evaluate(`document.querySelector('.grid-head-cell:last-child').scrollIntoView({ inline: 'end' })`);
    await expect.poll(places).toEqual({ own: 0, apart: 0, isSeen: true });
    studio.expectQuiet();
    await studio.close();
  });

  it('are imported from CSV: mapped, checked without a trace, then stored at once', async () => {
    const studio = await open();
    studio.allowRefusals('400 POST /utils/import');
    const { page } = studio;
    const total = async () => Number((await service.api.get('/items/things?aggregate[count]=*')).body.data[0].count);
    const before = await total();
    const rows = Array.from(
      { length: 1200 },
      (_, index) => `New ${index};${index === 700 ? 'lots' : index};${index === 9 ? 'c1' : `n${index}`};x`,
    );
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Import…' }).click();
    const buffer = Buffer.from(['Label;Amount;code;rest', ...rows].join('\r\n'));
    await page.getByLabel(/Choose a file/).setInputFiles({ name: 'things.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Required and not in the file: Name').waitFor();
    await page.getByLabel('Field for Label').selectOption({ label: 'Name' });
    expect(await page.getByLabel('Field for rest').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1,198 of 1,200 rows can be imported').waitFor();
    const refused = page.getByRole('table', { name: 'Refused rows' });
    expect(await refused.getByRole('row').count()).toBe(3);
    await refused.getByRole('row', { name: /10 Code c1/ }).waitFor();
    await refused.getByRole('row', { name: /701 Amount lots/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await total()).toBe(before);
    studio.requests();
    await page.getByRole('button', { name: 'Import 1,198 rows' }).click();
    await page.getByText('1,198 items imported').waitFor();
    expect(writes(studio)).toEqual(['POST /utils/import']);
    expect(await total()).toBe(before + 1198);
    const [first] = (await service.api.get('/items/things?filter[code][_eq]=n0')).body.data;
    expect(first).toMatchObject({ name: 'New 0', amount: 0 });
    // What somebody has changed since stays, whoever it was.
    const [second] = (await service.api.get('/items/things?filter[code][_eq]=n1')).body.data;
    expect((await service.api.patch(`/items/things/${first.id}`, { year: 2001 })).status).toBe(200);
    await service.sql(`update things set year = 2002 where id = ${second.id}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone, but for 2 items that were changed since').waitFor();
    expect(await total()).toBe(before + 2);
    expect(await Promise.all([thing(first.id), thing(second.id)])).toMatchObject([{ year: 2001 }, { year: 2002 }]);
    await service.api.delete('/items/things', [first.id, second.id]);
    await studio.close();
  });

  it('are exported as the filter finds them', async () => {
    const studio = await open(`fields=name,year&filter={"_and":[{"id":{"_lte":3}}]}&sort=-id`);
    const { page } = studio;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export…' }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await downloading;
    const file = await readFile(await download.path(), 'utf8');
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const lines = file.split('\n');
    expect([lines[0], lines.length]).toEqual(['"id","name","year"', 4]);
    expect(lines[3]).toMatch(/^1,/);
    await studio.close();
  });

  it('fit a phone in the dark, selection and filter included', async () => {
    const studio = await openStudio(browser, service, { colorScheme: 'dark' });
    const { page } = studio;
    await signIn(studio, service, '/admin/c/things');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Select “Thing 2”').check();
    await page.getByText('1 selected').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('dialog', { name: 'Filter' }).getByLabel('Field', { exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    studio.expectQuiet();
    await studio.close();
  });
});

describe.runIf(inject('browser') !== null).each(vendors)('many items at once on $label', (each) => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startService(each, { area: 'studio-bulk' })]);
    await makeThings(service, 3000);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const stored = async () => (await service.api.get('/items/things?limit=-1&sort=id')).text;

  it('are changed by what the filter finds, and byte for byte as before after the change is taken back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/things?filter={"_and":[{"status":{"_eq":"published"}}]}');
    await page.getByText('2,000 items').waitFor();
    const before = await stored();
    await page.getByLabel('Select all items').check();
    await page.getByText('All 2,000 selected').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Field to change').selectOption({ label: 'Status' });
    await page.getByRole('dialog').getByLabel('Status', { exact: true }).selectOption({ label: 'Draft' });
    studio.requests();
    await page.getByRole('button', { name: 'Change 2,000 items' }).click();
    await page.getByText('2,000 items changed').waitFor();
    expect(writes(studio)).toEqual(['PATCH /items/things']);
    const drafts = await service.api.get('/items/things?filter[status][_eq]=draft&aggregate[count]=*');
    expect(Number(drafts.body.data[0].count)).toBe(3000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await stored()).toBe(before);
    studio.expectQuiet();
    await studio.close();
  });

  it('are archived and deleted by selection, and come back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/things');
    await page.getByText('3,000 items').waitFor();
    const before = await stored();
    await page.getByRole('grid').focus();
    await press(page, 'Shift+Space', 'ArrowDown', 'Shift+Space');
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Archive 2 items' }).click();
    await page.getByText('2 items archived').waitFor();
    expect((await service.api.get('/items/things?filter[status][_eq]=archived&fields=id&sort=id')).body.data).toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await stored()).toBe(before);
    await page.getByRole('grid').focus();
    await press(page, 'Shift+Space');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 item' }).click();
    await page.getByText('1 item deleted').waitFor();
    expect(await stored()).not.toBe(before);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(stored).toBe(before);
    studio.expectQuiet();
    await studio.close();
  });
});

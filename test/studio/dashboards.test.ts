// Dashboards: built by hand, kept in the form of the peer, with the figures of the database, and each user sees only what they may read.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  {
    field: 'status',
    type: 'string',
    meta: {
      options: {
        choices: [
          { value: 'paid', text: 'Paid' },
          { value: 'sent', text: 'Sent' },
        ],
      },
    },
  },
  { field: 'total', type: 'decimal', schema: { numeric_precision: 10, numeric_scale: 2 } },
  { field: 'placed', type: 'dateTime' },
];

/** 90 orders over three months, whose sums are known. */
const orders = Array.from({ length: 90 }, (_, index) => ({
  status: index % 3 === 0 ? 'paid' : 'sent',
  total: `${index + 1}.50`,
  placed: `2026-0${1 + (index % 3)}-15T10:00:00`,
}));
const sumOf = (list: readonly { readonly total: string }[]): number => list.reduce((sum, { total }) => sum + Number(total), 0);
const inEnglish = (value: number): string => new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 }).format(value);

describe.runIf(inject('browser') !== null && vendor !== undefined)('dashboards', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-dashboards' })]);
    await service.api.post('/collections', { collection: 'orders', schema: {}, meta: {}, fields });
    expect((await service.api.post('/items/orders?fields=id', orders)).status).toBe(200);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const openAt = async (place: string): Promise<StudioPage> => {
    const studio = await openStudio(browser, service);
    await signIn(studio, service, `/admin/${place}`);
    return studio;
  };
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const make = async (panels: readonly object[]): Promise<string> => {
    const places = panels.map((each, index) => ({
      position_x: 1 + (index % 3) * 16,
      position_y: 1 + Math.floor(index / 3) * 10,
      width: 16,
      height: 10,
      show_header: true,
      ...each,
    }));
    return (await service.api.post('/dashboards', { name: 'Orders', panels: places })).body.data.id;
  };

  it('are made, filled by the builder while the result is seen, renamed and deleted', async () => {
    const studio = await openAt('dashboards');
    const { page } = studio;
    await page.getByRole('button', { name: 'New dashboard' }).click();
    await page.getByLabel('Name').fill('Sales');
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByRole('heading', { name: 'This dashboard is empty' }).waitFor();
    await page.getByRole('button', { name: 'New panel' }).click();
    const drawer = page.getByRole('dialog', { name: 'New panel' });
    await drawer.getByLabel('Name').fill('Revenue of paid orders');
    await drawer.getByLabel('Collection').selectOption('orders');
    await drawer.getByLabel('Value', { exact: true }).selectOption({ label: 'Sum' });
    await drawer.getByLabel('Of the field').selectOption('total');
    const preview = drawer.getByRole('region', { name: 'Preview' });
    await preview.getByText(inEnglish(sumOf(orders)), { exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Add a filter' }).click();
    await drawer.getByLabel('Field', { exact: true }).selectOption('status');
    await drawer.getByLabel('Condition', { exact: true }).selectOption({ label: 'is' });
    await drawer.getByRole('group').getByLabel('Value', { exact: true }).selectOption('paid');
    const paid = sumOf(orders.filter(({ status }) => status === 'paid'));
    await preview.getByText(inEnglish(paid), { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Add panel' }).click();
    await panel(page, 'Revenue of paid orders').getByText(inEnglish(paid), { exact: true }).waitFor();
    const stored = (await service.api.get('/panels?fields=name,type,options,show_header,position_x,position_y,dashboard.name')).body.data;
    expect(stored).toEqual([
      {
        name: 'Revenue of paid orders',
        type: 'metric',
        options: { collection: 'orders', function: 'sum', field: 'total', filter: { _and: [{ status: { _eq: 'paid' } }] } },
        show_header: true,
        position_x: 1,
        position_y: 1,
        dashboard: { name: 'Sales' },
      },
    ]);
    const { body } = await service.api.get('/items/orders?aggregate[sum]=total&filter[status]=paid');
    expect(Number(body.data[0].sum.total)).toBe(paid);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings of Sales' }).click();
    await page.getByLabel('Name').fill('Money');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Money' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings of Money' }).click();
    await page.getByRole('button', { name: 'Delete dashboard' }).click();
    await page.getByText('Its panel is deleted with it.').waitFor();
    await page.getByRole('button', { name: 'Delete dashboard' }).click();
    await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor();
    expect((await service.api.get('/panels')).body.data).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('of the peer open under their stored names, with the figures of the database, in few requests; what is not known is kept', async () => {
    const collection = 'orders';
    const id = await make([
      { type: 'metric', name: 'Number', options: { collection, function: 'count', field: 'id' } },
      { type: 'metric', name: 'Largest', options: { collection, function: 'max', field: 'total' } },
      { type: 'meter', name: 'Average', options: { collection, function: 'avg', field: 'total', max: 100 } },
      {
        type: 'time-series',
        name: 'By month',
        options: { collection, function: 'sum', valueField: 'total', dateField: 'placed', precision: 'month' },
      },
      { type: 'bar-chart', name: 'Bars', options: { collection, xAxis: 'status', yAxis: 'total', function: 'sum' } },
      { type: 'pie-chart', name: 'Shares', options: { collection, column: 'status' } },
      {
        type: 'metric-list',
        name: 'Ranking',
        options: { collection, groupByField: 'status', aggregateField: 'total', aggregateFunction: 'sum' },
      },
      { type: 'list', name: 'Latest', options: { collection, displayTemplate: '{{total}} {{status}}', sortField: 'id', limit: 2 } },
      { type: 'label', name: null, options: { text: 'Words' } },
      { type: 'weather', name: 'Weather', options: { city: 'Oslo' } },
      { type: 'metric', name: 'Lost', options: { collection: 'nowhere' } },
    ]);
    const studio = await openAt(`dashboards/${id}`);
    const { page } = studio;
    await panel(page, 'Number').getByText('90', { exact: true }).waitFor();
    await panel(page, 'Largest').getByText('90.5', { exact: true }).waitFor();
    await panel(page, 'Average').getByText('46', { exact: true }).waitFor();
    const rowsOf = (name: string) => panel(page, name).locator('tbody tr').allTextContents();
    const ofMonth = (month: number) => inEnglish(sumOf(orders.filter(({ placed }) => placed.startsWith(`2026-0${month}`))));
    await expect
      .poll(() => rowsOf('By month'), poll)
      .toEqual([1, 2, 3].map((month) => `${['Jan', 'Feb', 'Mar'][month - 1]} 2026${ofMonth(month)}`));
    const ofStatus = (name: string) => inEnglish(sumOf(orders.filter(({ status }) => status === name)));
    await expect.poll(() => rowsOf('Bars'), poll).toEqual([`Sent${ofStatus('sent')}`, `Paid${ofStatus('paid')}`]);
    await expect.poll(() => panel(page, 'Shares').getByRole('listitem').allTextContents(), poll).toEqual(['Sent6067 %', 'Paid3033 %']);
    await expect
      .poll(() => panel(page, 'Ranking').getByRole('listitem').allTextContents(), poll)
      .toEqual([`Sent${ofStatus('sent')}`, `Paid${ofStatus('paid')}`]);
    await panel(page, 'Latest').getByRole('link', { name: '90.50 sent' }).waitFor();
    await panel(page, 'Words').getByRole('paragraph').getByText('Words').waitFor();
    await panel(page, 'Weather').getByText('Studio does not know panels of the kind “weather”.').waitFor();
    await panel(page, 'Lost').getByText('You may not read nowhere, or it is gone.').waitFor();
    // Three figures of the same items are one request, and each other panel has its own.
    expect(studio.requests().filter((request) => request === 'SEARCH /items/orders')).toHaveLength(1 + 5);
    expect(await findBarriers(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    studio.expectQuiet();
    await studio.close();
  });

  it('are arranged by pointer and by keyboard, stored in one request and taken back; a panel that is deleted comes back', async () => {
    const options = { collection: 'orders' };
    const id = await make([
      { type: 'metric', name: 'One', options },
      { type: 'metric', name: 'Two', options },
      { type: 'weather', name: 'Three', options: { city: 'Oslo' } },
    ]);
    const studio = await openAt(`dashboards/${id}`);
    const { page } = studio;
    const stored = async () =>
      (
        await service.api.get(`/panels?filter[dashboard]=${id}&fields=name,position_x,position_y,width,height,options&sort=name`)
      ).body.data.map(({ name, position_x: x, position_y: y, width, height }: Record<string, unknown>) => [name, x, y, width, height]);
    const before = [
      ['One', 1, 1, 16, 10],
      ['Three', 33, 1, 16, 10],
      ['Two', 17, 1, 16, 10],
    ];
    await panel(page, 'One').getByText('90', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    studio.requests();
    await page.getByRole('button', { name: 'Move or resize One' }).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.getByText('One: column 3, row 1, 16 wide, 11 high').waitFor({ state: 'attached' });
    await page.getByText('The places are saved').waitFor();
    expect(await stored()).toEqual([
      ['One', 3, 1, 16, 11],
      ['Three', 33, 1, 16, 10],
      ['Two', 17, 12, 16, 10],
    ]);
    expect(studio.requests().filter((request) => request.startsWith('PATCH'))).toEqual(['PATCH /panels']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(stored, poll).toEqual(before);
    const handle = await page.getByRole('button', { name: 'Move or resize Three' }).boundingBox();
    if (handle === null) throw new Error('not in sight');
    await page.mouse.move(handle.x + 10, handle.y + 10);
    await page.mouse.down();
    await page.mouse.move(handle.x + 10, handle.y + 10 + 10 * 20, { steps: 4 });
    await page.mouse.up();
    await expect.poll(stored, poll).toEqual([before[0], ['Three', 33, 11, 16, 10], before[2]]);
    await page.getByRole('button', { name: 'Delete Three' }).click();
    await page.getByText('Three is deleted').waitFor();
    await expect.poll(async () => (await stored()).length, poll).toBe(2);
    await page.locator('.toast', { hasText: 'Three is deleted' }).getByRole('button', { name: 'Undo' }).click();
    await expect.poll(stored, poll).toEqual([before[0], ['Three', 33, 11, 16, 10], before[2]]);
    expect((await service.api.get(`/panels?filter[name]=Three&fields=type,options`)).body.data).toEqual([
      { type: 'weather', options: { city: 'Oslo' } },
    ]);
    expect(await findBarriers(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('show each person what they may read, and follow what others do', async () => {
    const id = await make([
      { type: 'metric', name: 'Number', options: { collection: 'orders' } },
      { type: 'metric', name: 'Sum', options: { collection: 'orders', function: 'sum', field: 'total' } },
    ]);
    const reads = (collection: string, more: object = {}) => ({ collection, action: 'read' as const, ...more });
    const reader = await makePerson(service, [
      {
        app_access: true,
        permissions: [
          reads('service_dashboards'),
          reads('service_panels'),
          reads('orders', { fields: ['id', 'status'], permissions: { status: { _eq: 'paid' } } }),
        ],
      },
    ]);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/', reader);
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.locator(`a[href$="/dashboards/${id}"]`).click();
    await panel(page, 'Number').getByText('30', { exact: true }).waitFor();
    await panel(page, 'Sum').getByText('You may not read total, or it is gone.').waitFor();
    expect(await page.getByRole('button', { name: 'New panel' }).count()).toBe(0);
    await service.api.post('/items/orders', { status: 'paid', total: '1.00', placed: '2026-01-01T00:00:00' });
    await panel(page, 'Number').getByText('31', { exact: true }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });
});

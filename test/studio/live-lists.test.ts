// Two people at once: lists and forms follow what the other one saves, and nothing moves under a hand.

import type { Browser, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };
const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  { field: 'name', type: 'string' },
  { field: 'place', type: 'string' },
  { field: 'note', type: 'string' },
];

describe.runIf(inject('browser') !== null && vendor !== undefined)('what others do', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-live' })]);
    await service.api.post('/collections', { collection: 'boats', schema: {}, meta: {}, fields });
  });
  beforeEach(async () => {
    await service.api.delete('/items/boats', { query: { limit: -1 } });
    const boats = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, name: `Boat ${index + 1}`, place: 'here', note: '' }));
    expect((await service.api.post('/items/boats?fields=id', boats)).status).toBe(200);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  /** Resolves when the service sends changes to the page: `count` subscriptions, that of the bell included. */
  const following = async (studio: StudioPage, place: string, count: number): Promise<void> => {
    const frames: string[] = [];
    studio.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
    await signIn(studio, service, place);
    await expect.poll(() => frames.filter((frame) => frame.includes('"init"')).length, poll).toBeGreaterThanOrEqual(count);
  };
  const openList = async () => {
    const studio = await openStudio(browser, service);
    await following(studio, '/admin/c/boats?fields=name,place,note', 3);
    await studio.page.getByText('150 items').waitFor();
    return studio;
  };
  const openItem = async () => {
    const studio = await openStudio(browser, service);
    await following(studio, '/admin/c/boats/1', 2);
    await studio.page.getByLabel('Name').waitFor();
    return studio;
  };

  it('is in the list when they save it, without a request', async () => {
    const [mine, theirs] = [await openList(), await openItem()];
    mine.requests();
    await theirs.page.getByLabel('Name').fill('Argo');
    await theirs.page.getByRole('button', { name: 'Save' }).click();
    await cell(mine.page, 'Argo').waitFor({ state: 'attached' });
    expect(mine.requests()).toEqual([]);
    for (const studio of [mine, theirs]) {
      studio.expectQuiet();
      await studio.close();
    }
  });

  it('appears by itself in a list without edits', async () => {
    const { page, expectQuiet, close } = await openList();
    await service.api.post('/items/boats', { id: 0, name: 'First of all' });
    await page.getByText('151 items').waitFor();
    await cell(page, 'First of all').waitFor({ state: 'attached' });
    await service.api.delete('/items/boats/0');
    await page.getByText('150 items').waitFor();
    await cell(page, 'First of all').waitFor({ state: 'detached' });
    expectQuiet();
    await close();
  });

  it('waits during edits in the list, and moves neither edits nor selection nor the cell that is typed into', async () => {
    const { page, expectQuiet, close } = await openList();
    await page.getByRole('grid').focus();
    for (const key of ['Shift+Space', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.type('Mine');
    await page.keyboard.press('Enter');
    await page.getByText('1 unsaved change').waitFor();
    await page.keyboard.type('Half a na');
    await service.api.post('/items/boats', { id: 0, name: 'First of all' });
    await service.api.patch('/items/boats/3', { place: 'far away' });
    await service.api.delete('/items/boats/5');
    await cell(page, 'far away').waitFor({ state: 'attached' });
    await page.getByText('1 new, 1 removed').waitFor();
    await page.keyboard.type('me');
    await page.keyboard.press('Enter');
    await cell(page, 'Half a name (changed)').waitFor({ state: 'attached' });
    await page.getByText('1 selected').waitFor();
    expect(await cell(page, 'First of all').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show' }).click();
    await cell(page, 'First of all').waitFor({ state: 'attached' });
    await page.getByText('2 unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await service.api.get('/items/boats?filter[id][_in]=2,3&fields=name,place&sort=id');
    expect(body.data).toEqual([
      { name: 'Mine', place: 'here' },
      { name: 'Half a name', place: 'far away' },
    ]);
    expectQuiet();
    await close();
  });

  it('leaves a list where it is scrolled to, and reaches rows that come into sight later', async () => {
    const { page, close } = await openList();
    await page.evaluate("document.querySelector('[role=grid]').scrollTo(0, 100 * 36)");
    await cell(page, 'Boat 105').waitFor({ state: 'attached' });
    await service.api.post('/items/boats', { id: 0, name: 'First of all' });
    await page.getByText('1 new').waitFor();
    expect(await page.evaluate("document.querySelector('[role=grid]').scrollTop")).toBe(100 * 36);
    await expect
      .poll(async () => {
        await service.api.patch('/items/boats/105', { place: `at ${Date.now()}` });
        return page.getByRole('gridcell', { name: /^at \d+$/ }).count();
      }, poll)
      .toBe(1);
    await close();
  });

  it('is shown after a cut as well, once the connection is back', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const sockets: WebSocketRoute[] = [];
    let begun = 0;
    let cut = false;
    await page.routeWebSocket(/\/websocket$/, (socket) => {
      const first = sockets.push(socket) === 1;
      socket.connectToServer().onMessage((message) => {
        begun += String(message).includes('"init"') ? 1 : 0;
        if (!first || !cut) socket.send(message);
      });
    });
    await signIn(studio, service, '/admin/c/boats?fields=name,place,note');
    await expect.poll(() => begun, poll).toBeGreaterThanOrEqual(3);
    // The first connection ends and carries nothing from here on, however long its end takes to arrive.
    cut = true;
    await sockets[0]?.close();
    await service.api.patch('/items/boats/2', { name: 'Changed in the dark' });
    await cell(page, 'Changed in the dark').waitFor({ state: 'attached' });
    await expect.poll(() => sockets.length, poll).toBeGreaterThan(1);
    await studio.close();
  });

  it('reaches the form of a singleton', async () => {
    await service.api.post('/collections', { collection: 'harbour', schema: {}, meta: { singleton: true }, fields });
    expect((await service.api.patch('/items/harbour', { name: 'Old harbour' })).status).toBe(200);
    const studio = await openStudio(browser, service);
    await following(studio, '/admin/c/harbour', 1);
    await studio.page.getByLabel('Name').waitFor();
    await service.api.patch('/items/harbour', { name: 'New harbour' });
    await expect.poll(() => studio.page.getByLabel('Name').inputValue(), poll).toBe('New harbour');
    studio.expectQuiet();
    await studio.close();
    await service.api.delete('/collections/harbour');
  });

  it('reaches an open form: unedited fields change in place, fields that both edit are marked and resolved with the save', async () => {
    const { page, close, allowRefusals } = await openItem();
    allowRefusals('412 PATCH /items/boats/1');
    await service.api.patch('/items/boats/1', { name: 'Theirs' });
    await expect.poll(() => page.getByLabel('Name').inputValue(), poll).toBe('Theirs');
    await page.getByLabel('Note').fill('My note');
    await service.api.patch('/items/boats/1', { place: 'there' });
    await expect.poll(() => page.getByLabel('Place').inputValue(), poll).toBe('there');
    expect(await page.getByLabel('Note').inputValue()).toBe('My note');
    const actions = ['read', 'update'] as const;
    const permissions = actions.map((action) => ({ collection: 'boats', action }));
    const carol = await makePerson(service, [{ permissions }], { first_name: 'Carol', last_name: 'Danvers' });
    expect((await carol.api.patch('/items/boats/1', { note: 'Their note' })).status).toBe(200);
    await page.getByText('Carol Danvers has just changed what you are editing.').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('My note');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Carol Danvers saved this item meanwhile.' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save the result' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByText('Carol Danvers has just changed what you are editing.').waitFor({ state: 'detached' });
    expect((await service.api.get('/items/boats/1')).body.data).toEqual({ id: 1, name: 'Theirs', place: 'there', note: 'My note' });
    await page.getByLabel('Note').fill('Kept');
    await service.api.delete('/items/boats/1');
    await page.getByText('This item was deleted meanwhile').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('Kept');
    await close();
  });
});

describe.runIf(inject('browser') !== null && vendor !== undefined)('a list that is too long to remember', () => {
  it('shows what another program adds, changes in sight and deletes in sight', async () => {
    if (vendor === undefined) throw new Error('no database');
    const rows = Array.from({ length: 2_000 }, (_, index) => `(${index + 1}, 'Boat ${index + 1}')`);
    const fixture = `create table ships (id integer primary key, name varchar(50)); insert into ships values ${rows.join(', ')}`;
    const [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { fixture, area: 'studio-long', config: { realtimeItems: 100 } }),
    ]);
    try {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      const frames: string[] = [];
      page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
      await signIn(studio, service, '/admin/c/ships?fields=name');
      await page.getByText('2,000 items').waitFor();
      await expect.poll(() => frames.filter((frame) => frame.includes('"init"')).length, poll).toBeGreaterThanOrEqual(3);
      await service.sql("update ships set name = 'Renamed' where id = 3");
      await cell(page, 'Renamed').waitFor();
      await service.sql("insert into ships values (2001, 'Last one')");
      await page.getByText('2,001 items').waitFor();
      await service.sql('delete from ships where id = 2');
      await page.getByText('2,000 items').waitFor();
      await cell(page, 'Boat 2').waitFor({ state: 'detached' });
      studio.expectQuiet();
    } finally {
      await closePages(browser);
      await service.stop();
    }
  });
});

describe.runIf(inject('browser') !== null && vendor !== undefined)('a service without realtime', () => {
  it('opens no connection, and everything else works', async () => {
    if (vendor === undefined) throw new Error('no database');
    const [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { demo: true, area: 'studio-not-live', config: { websockets: false } }),
    ]);
    try {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      let sockets = 0;
      page.on('websocket', () => {
        sockets += 1;
      });
      await signIn(studio, service, '/admin/c/books');
      await page.getByText('25 items').waitFor();
      await page.goto(`${service.url}/admin/c/books/2`);
      await page.getByLabel('Summary').fill('Quiet');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved', { exact: true }).waitFor();
      expect(sockets).toBe(0);
      studio.expectQuiet();
    } finally {
      await closePages(browser);
      await service.stop();
    }
  });
});

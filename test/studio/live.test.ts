// Realtime in a real browser: EventSource with the session cookie, which comes back by itself after a cut, and the live console of the reference.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { closePages, launchBrowser, openStudio } from './open-studio.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const fixture = `
  create table books (id integer primary key, title varchar(50));
  insert into books values (1, 'one')`;

describe.runIf(inject('browser') !== null)('realtime in a browser', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService(sqlite, { area: 'live', fixture });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('EventSource gets the list, what changes, and after a cut what it missed', async () => {
    const { page, close } = await openStudio(browser, service);
    await page.goto(`${service.url}/server/reference`);
    // As a text: the script runs in the browser.
    await page.evaluate(`
      globalThis.received = [];
      const source = new EventSource('/items/books?fields=id,title&access_token=${adminToken}');
      for (const kind of ['init', 'create', 'update', 'delete', 'reset'])
        source.addEventListener(kind, ({ data }) => received.push(kind + ' ' + JSON.stringify(JSON.parse(data).data)));`);
    const received = (): Promise<readonly string[]> => page.evaluate('received');
    const poll = { timeout: patience, interval: 50 };
    await expect.poll(received, poll).toEqual(['init [{"id":1,"title":"one"}]']);
    await service.api.post('/items/books', { id: 2, title: 'two' });
    await expect.poll(received, poll).toHaveLength(2);
    await page.context().setOffline(true);
    await service.api.patch('/items/books/2', { title: 'TWO' });
    await page.context().setOffline(false);
    await service.api.delete('/items/books/1');
    await expect.poll(received, poll).toHaveLength(4);
    expect(await received()).toEqual([
      'init [{"id":1,"title":"one"}]',
      'create [{"id":2,"title":"two"}]',
      'update [{"id":2,"title":"TWO"}]',
      'delete [1]',
    ]);
    await close();
  });

  it('the reference has a live console', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await service.api.post('/permissions', {
      policy: (await service.api.get('/policies?filter[name][_contains]=ublic&fields=id')).body.data[0].id,
      collection: 'books',
      action: 'read',
      fields: ['*'],
    });
    await page.goto(`${service.url}/server/reference`);
    const list = page.locator('details', { has: page.locator('summary', { hasText: /^get\s*\/items\/books(?!\/)/ }) }).first();
    await list.locator('summary').click();
    await list.getByRole('button', { name: 'Follow' }).click();
    await list.getByText('init [', { exact: false }).waitFor();
    await service.api.post('/items/books', { id: 7, title: 'seven' });
    await list.getByText('create [{"id":7,"title":"seven"}]', { exact: false }).waitFor();
    await list.getByRole('button', { name: 'Stop' }).click();
    await list.getByRole('button', { name: 'Follow' }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });
});

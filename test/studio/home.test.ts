// The first screen: what somebody edited, what they have not saved, the collections, and the first steps of an empty project.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriersInBothColours, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

const checkBarriers = async (page: Page): Promise<void> => {
  expect(await findBarriersInBothColours(page)).toEqual([]);
};

describe.runIf(inject('browser') !== null && vendor !== undefined)('the first screen', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-home', demo: true })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('leads back to what was edited, saved or not, with one request', async () => {
    await service.api.patch('/items/books/2', { pages: 1 });
    await service.api.patch('/items/authors/1', { country: 'England!' });
    await service.api.patch('/items/books/2', { pages: 2 });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/3');
    await page.getByLabel('Title').fill('A better title');
    await page.getByText('1 unsaved change').waitFor();
    studio.requests();
    await page.goto(`${service.url}/admin/`);
    const recent = page.getByRole('region', { name: 'Recently edited by you' });
    await recent.getByRole('link').first().waitFor();
    expect((await recent.getByRole('link').allTextContents()).map((text) => text.split('Books')[0])).toEqual([
      'Emma',
      expect.stringMatching(/^Jane Austen/),
    ]);
    const asked = studio.requests().filter((request) => !request.includes('/admin/'));
    expect(asked.filter((request) => request !== 'POST /graphql/system' && request !== 'GET /websocket')).toEqual(['SEARCH /activity']);
    const drafts = page.getByRole('region', { name: 'Your drafts in this browser' });
    await checkBarriers(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await drafts.getByRole('link', { name: 'A better title' }).click();
    await page.waitForURL(/\/admin\/c\/books\/3$/);
    expect(await page.getByLabel('Title').inputValue()).toBe('A better title');
    studio.expectQuiet();
    await studio.close();
  });

  it('shows people what they may read, and their own work only', async () => {
    const reader = await makePerson(service, [
      {
        app_access: true,
        permissions: [
          { collection: 'books', action: 'read' },
          { collection: 'books', action: 'update' },
        ],
      },
    ]);
    expect((await reader.api.patch('/items/books/5', { pages: 7 })).status).toBe(200);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/', reader);
    const recent = page.getByRole('region', { name: 'Recently edited by you' });
    // Without a right to revisions its key is its title.
    await recent.getByRole('link', { name: /^5/ }).waitFor();
    expect(await recent.getByRole('link').count()).toBe(1);
    expect(await page.getByRole('region', { name: 'Collections' }).getByRole('link').allTextContents()).toEqual([
      'BooksWhat the shop sells',
    ]);
    studio.expectQuiet();
    await studio.close();
  });
});

describe.runIf(inject('browser') !== null && vendor !== undefined)('the first screen of an empty project', () => {
  it('shows the first steps to an administrator', async () => {
    if (vendor === undefined) throw new Error('no database');
    const [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-empty' })]);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await checkBarriers(page);
    await page.getByRole('link', { name: /^Make a collection/ }).click();
    await page.waitForURL(/\/admin\/model$/);
    studio.expectQuiet();
    await closePages(browser);
    await service.stop();
  });
});

// The first screen: what somebody edited, what they have not saved, the collections, and the first steps of an empty project.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriersInBothColours, launchBrowser, openStudio, signIn, visit } from './open-studio.js';

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
    // A draft is named by the title of its item, whether or not that was edited.
    await visit(studio, 'c/books/4');
    await page.getByLabel('Pages').fill('444');
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
    const { data: fourth } = (await service.api.get('/items/books/4?fields=title')).body;
    await drafts.getByRole('link', { name: fourth.title }).waitFor();
    await checkBarriers(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await drafts.getByRole('link', { name: 'A better title' }).click();
    await page.waitForURL(/\/admin\/c\/books\/3$/);
    expect(await page.getByLabel('Title').inputValue()).toBe('A better title');
    studio.expectQuiet();
    await studio.close();
  });

  it('has a way past the side, a menu that closes at once, and room for a long name of the project', async () => {
    const before = (await service.api.get('/settings?fields=project_name')).body.data;
    await service.api.patch('/settings', { project_name: 'The Royal Society of Books, Pamphlets, Almanacs and Other Printed Matter' });
    const studio = await openStudio(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = studio;
    await signIn(studio, service, '/admin/me');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    const levels = await page.evaluate("[...document.querySelectorAll('main :is(h1, h2, h3)')].map(({ tagName }) => tagName)");
    expect([...new Set(levels as string[])]).toEqual(['H1', 'H2']);
    const cut = await page.evaluate("[document.querySelector('.side-head')].map((head) => head.scrollWidth - head.clientWidth)");
    expect(cut).toEqual([0]);
    const bell = await page.locator('.side-head .bell, .side-head button').first().boundingBox();
    const name = await page.locator('.side-head > a').boundingBox();
    expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(bell?.x ?? 0);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Skip to the content' }).press('Enter');
    expect(await page.evaluate('document.activeElement.localName')).toBe('main');
    await page.keyboard.press('Control+k');
    const menu = page.getByRole('dialog');
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await service.api.patch('/settings', before);
    // Without a mail server the link of an invitation is there to be copied.
    await visit(studio, 'people');
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Email addresses').fill('nora@example.com');
    await page.getByRole('dialog').getByLabel('Role').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const links = page.getByRole('dialog', { name: /link/ });
    const link = await links.getByLabel('nora@example.com', { exact: true }).inputValue();
    expect(link).toMatch(/\/accept-invite\?token=/);
    await checkBarriers(page);
    await links.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
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

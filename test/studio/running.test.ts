// Running a project: who did what with the values that changed, the settings, the state of the service, its slow statements, keys and files, its API.

import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { adminEmail, adminToken, startService, type TestService } from '../harness/start-service.js';
import { makeImage, makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, signIn, visit } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };

/** A proxy that knows the service below a path, which it strips, and nothing else. */
function serveBelow(path: string, url: string): Promise<Server> {
  const server = createServer((asked, response) => {
    const { url: target = '', method, headers } = asked;
    if (!target.startsWith(`${path}/`)) return response.writeHead(404).end();
    const passed = forward(url + target.slice(path.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on('close', () => passed.destroy());
    return asked.pipe(passed);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('running a project', () => {
  let browser: Browser;
  let service: TestService;
  let mailBox: MailBox;
  let storage: StorageFolder;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    mailBox = await openMailBox();
    storage = makeStorageFolder();
    // Every statement takes at least as long as 0 ms.
    const config = { mailUrl: mailBox.url, slowStatement: 0, storageRoot: storage.root };
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-running', demo: true, config })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    await mailBox?.close();
    storage?.remove();
  });

  const openAt = async (place: string, options = {}): Promise<StudioPage> => {
    const studio = await openStudio(browser, service, options);
    await signIn(studio, service, `/admin/${place}`);
    return studio;
  };

  it('activity is chosen by person, action and collection, and shows what changed', async () => {
    const editor = await makePerson(
      service,
      [
        {
          app_access: true,
          permissions: [
            { collection: 'books', action: 'read' },
            { collection: 'books', action: 'update' },
          ],
        },
      ],
      { first_name: 'Emma', last_name: 'Editor' },
    );
    await service.api.patch('/items/books/2', { summary: 'A story of old' });
    expect((await editor.api.patch('/items/books/2', { summary: 'A story of today' })).status).toBe(200);
    await service.api.delete('/items/books/3');
    const studio = await openAt('activity');
    const { page } = studio;
    await page.getByRole('table', { name: 'Activity' }).waitFor();
    await page.getByLabel('Person', { exact: true }).selectOption({ label: 'Emma Editor' });
    await page.getByLabel('Collection', { exact: true }).selectOption('books');
    await page.getByLabel('Action', { exact: true }).selectOption('update');
    await expect.poll(() => page.getByRole('row').count(), poll).toBe(1 + 1);
    expect(new URL(page.url()).searchParams.get('collection')).toBe('books');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Details of changed, Books 2' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('del', { hasText: 'old' }).waitFor();
    await drawer.locator('ins', { hasText: 'today' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('link', { name: 'Open item' }).click();
    await page.getByLabel('Summary').waitFor();
    expect(await page.getByLabel('Summary').inputValue()).toBe('A story of today');
    await page.goto(`${service.url}/admin/activity?action=delete`);
    await page.getByRole('button', { name: 'Details of deleted, Books 3' }).click();
    await page.getByRole('dialog').getByText('Title', { exact: true }).waitFor();
    expect(await page.getByRole('dialog').getByRole('link', { name: 'Open item' }).count()).toBe(0);
    studio.expectQuiet();
    await studio.close();
  });

  it('settings are saved by the form, and the name of the project follows', async () => {
    const studio = await openAt('settings');
    const { page } = studio;
    await page.getByLabel('Name', { exact: true }).fill('Book shop');
    await page.getByLabel('Appearance', { exact: true }).selectOption('dark');
    await page.getByLabel('People may register themselves').click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { body } = await service.api.get('/settings?fields=project_name,default_appearance,public_registration');
    expect(body.data).toEqual({ project_name: 'Book shop', default_appearance: 'dark', public_registration: true });
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByRole('link', { name: 'Book shop' }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('the state of the service is shown to administrators only', async () => {
    const studio = await openAt('system');
    const { page } = studio;
    await page.getByText('Everything works').waitFor();
    await page
      .getByRole('row', { name: /Connections/ })
      .first()
      .waitFor();
    await page.getByText('Largest file').waitFor();
    await page.getByRole('button', { name: 'Send a test mail to yourself' }).click();
    await page.getByText(`On its way to ${adminEmail}. The mail server said: 250 taken`).waitFor();
    expect((await mailBox.next(adminEmail)).text).toContain('to see whether mails arrive');
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const place of ['system', 'system/statements', 'system/storage', 'keys', 'settings', 'activity', 'api', 'api/graphql']) {
      await visit(studio, place);
      expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBe(390);
    }
    studio.expectQuiet();
    await studio.close();

    const reader = await makePerson(service, [{ app_access: true, permissions: [{ collection: 'books', action: 'read' }] }]);
    const other = await openStudio(browser, service);
    await signIn(other, service, '/admin/', reader);
    await other.page.getByRole('link', { name: 'Books', exact: true }).first().waitFor();
    for (const name of ['Settings', 'System']) expect(await other.page.getByRole('link', { name, exact: true }).count()).toBe(0);
    await other.page.goto(`${service.url}/admin/settings`);
    await other.page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
    await other.close();
  });

  it('slow statements are listed, each with its plan', async () => {
    const studio = await openAt('system');
    const { page } = studio;
    const answered = page.waitForResponse(/\/server\/statements\/slow$/);
    await page.getByRole('link', { name: 'Slow statements' }).click();
    const { data } = (await (await answered).json()) as { data: { process: string; statements: { sql: string; plan: string[] | null }[] } };
    await page.getByText(`these are those of ${data.process}`).waitFor();
    expect(await page.getByRole('table', { name: 'Slow statements' }).getByRole('row').count()).toBe(1 + data.statements.length);
    expect(await findBarriers(page)).toEqual([]);
    const planned = data.statements.findIndex(({ plan }) => plan !== null);
    expect(planned, 'one was explained').toBeGreaterThanOrEqual(0);
    const { sql = '', plan = [] } = data.statements[planned] ?? {};
    await page.getByRole('table').getByRole('button').nth(planned).click();
    const drawer = page.getByRole('dialog', { name: 'Statement' });
    await drawer
      .getByText(plan?.[0] ?? '')
      .first()
      .waitFor();
    expect(await drawer.locator('pre').last().textContent()).toBe(sql);
    expect(await findBarriers(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('holders of keys are listed, and a key is revoked after a question', async () => {
    const program = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }], {
      first_name: 'Import',
      last_name: 'Program',
    });
    const without = await makePerson(service, [], { first_name: 'Without', token: null });
    const studio = await openAt('keys', { viewport: { width: 390, height: 844 } });
    const { page } = studio;
    const table = page.getByRole('table', { name: 'Keys' });
    await table.getByRole('link', { name: /Import Program/ }).waitFor();
    expect(await table.getByText('Without').count()).toBe(0);
    expect(await page.content()).not.toMatch(new RegExp(`${program.token}|${adminToken}`));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove the token of Import Program' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await program.api.get('/items/books?limit=1')).status).toBe(200);
    await page.getByRole('button', { name: 'Remove the token of Import Program' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove the token' }).click();
    await table.getByRole('link', { name: /Import Program/ }).waitFor({ state: 'detached' });
    expect((await program.api.get('/items/books?limit=1')).status).toBe(401);
    expect((await service.api.get(`/users/${without.id}?fields=token`)).body.data).toEqual({ token: null });
    studio.expectQuiet();
    await studio.close();
  });

  it('the space of files is shown by storage and by kind, with a link to the largest', async () => {
    const picture = await makeImage(300, 200);
    for (const [name, type, bytes] of [
      ['small.txt', 'text/plain', 'x'.repeat(100)],
      ['large.txt', 'text/plain', 'x'.repeat(50_000)],
      ['picture.png', 'image/png', picture],
      ['table.ods', 'application/vnd.oasis.opendocument.spreadsheet', 'x'.repeat(2000)],
    ] as const)
      expect((await upload(service.api, { name, type, bytes })).status).toBe(200);
    const studio = await openAt('system/storage');
    const { page } = studio;
    const kilobytes = (bytes: number) => `${Math.round(bytes / 100) / 10} kB`;
    const rowsOf = (name: string) => page.getByRole('table', { name }).locator('tbody tr').allTextContents();
    for (const name of ['By kind', 'The largest files']) await page.getByRole('table', { name }).waitFor();
    expect(await rowsOf('By kind')).toEqual(['Texts250.1 kB', 'Others12 kB', `Pictures1${kilobytes(picture.length)}`]);
    expect(await rowsOf('By storage')).toEqual([`local4${kilobytes(52_100 + picture.length)}`]);
    expect((await rowsOf('The largest files'))[0]).toBe('Largelocal50 kB');
    expect(await findBarriers(page)).toEqual([]);
    expect(studio.requests().filter((each) => each === 'SEARCH /files')).toHaveLength(2);
    await page.getByRole('link', { name: 'Large', exact: true }).click();
    await page.getByRole('dialog').getByText('large.txt').first().waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  describe('the API inside of Studio', () => {
    const frame = (page: Page): FrameLocator => page.frameLocator('iframe');

    it('has the reference, narrowed by typing, without its own ways to other pages', async () => {
      const studio = await openAt('');
      const { page } = studio;
      await page.getByRole('link', { name: 'API', exact: true }).click();
      const reference = frame(page);
      await reference.getByRole('heading', { name: 'books', exact: true }).waitFor();
      await reference.getByRole('searchbox').fill('/server/statements/slow');
      await expect.poll(() => reference.locator('summary').count(), poll).toBe(1);
      expect(await reference.getByRole('link', { name: 'GraphiQL' }).count()).toBe(0);
      studio.expectQuiet();
      await studio.close();
    });

    it('works below a path of a host that knows nothing else of the service', async () => {
      const proxy = await serveBelow('/data', service.url);
      const below = { ...service, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/data` };
      const studio = await openStudio(browser, below);
      const { page } = studio;
      await signIn(studio, below, '/admin/api');
      const reference = frame(page);
      await reference.getByRole('searchbox').fill('/server/ping');
      await reference.locator('summary', { hasText: '/server/ping' }).click();
      await reference.getByText(`curl ${below.url}/server/ping`).waitFor();
      await reference.getByRole('button', { name: 'Try it' }).click();
      await reference.getByText('pong', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'GraphiQL', exact: true }).click();
      const graphiql = frame(page);
      await graphiql.getByRole('link', { name: '/graphql/system' }).click();
      await graphiql.locator('.graphiql-logo [aria-current]', { hasText: '/graphql/system' }).waitFor();
      await graphiql.getByRole('button', { name: 'Execute query' }).click();
      await graphiql.locator('.result-window').getByText('"Query"').waitFor();
      studio.expectQuiet();
      // Each on its own leads to the other.
      await page.goto(`${below.url}/server/reference`);
      await page.getByRole('link', { name: 'GraphiQL' }).click();
      await page.getByRole('button', { name: 'Execute query' }).waitFor();
      await page.getByRole('link', { name: 'Front page' }).click();
      await page.getByRole('link', { name: 'Books', exact: true }).first().waitFor();
      expect(page.url()).toBe(`${below.url}/admin/`);
      studio.expectQuiet();
      await studio.close();
      proxy.closeAllConnections();
      proxy.close();
    });

    for (const [device, width, height] of [
      ['a desk', 1440, 900],
      ['a phone', 390, 844],
    ] as const)
      it(`has GraphiQL, which asks as whoever is signed in, on ${device}`, async () => {
        const studio = await openAt('api/graphql', { viewport: { width, height } });
        const { page } = studio;
        const graphiql = frame(page);
        await graphiql.getByRole('button', { name: 'Execute query' }).waitFor();
        await graphiql.getByRole('link', { name: '/graphql/system' }).click();
        const editor = graphiql.locator('.graphiql-query-editor .CodeMirror');
        await graphiql.locator('.graphiql-logo [aria-current]', { hasText: '/graphql/system' }).waitFor();
        await editor.click();
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText('{ users_me { email } }');
        await graphiql.getByRole('button', { name: 'Execute query' }).click();
        const answer = graphiql.locator('.result-window');
        await answer.getByText(adminEmail).waitFor();
        const [asked, answered] = [await editor.boundingBox(), await answer.boundingBox()];
        if (asked === null || answered === null) throw new Error('a pane is not shown');
        if (width < 640) expect(answered.y).toBeGreaterThanOrEqual(asked.y + asked.height);
        else expect(answered.x).toBeGreaterThanOrEqual(asked.x + asked.width);
        for (const pane of [asked, answered]) {
          expect(Math.min(pane.width, pane.height)).toBeGreaterThan(200);
          expect(pane.x + pane.width).toBeLessThanOrEqual(width);
          expect(pane.y + pane.height).toBeLessThanOrEqual(height);
        }
        studio.expectQuiet();
        await studio.close();
      });

    it('is light or dark as Studio is, and keeps nothing of it', async () => {
      expect((await service.api.patch('/users/me', { appearance: 'dark' })).status).toBe(200);
      const studio = await openAt('', { colorScheme: 'light' });
      const { page } = studio;
      const appearAs = (theme: 'light' | 'dark') => page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      for (const [place, ground] of [
        ['api', 'body:has(details)'],
        ['api/graphql', '.graphiql-container'],
      ] as const) {
        await page.goto(`${service.url}/admin/${place}`);
        await frame(page).locator(ground).waitFor();
        const colour = `getComputedStyle(document.querySelector('${ground}')).backgroundColor`;
        const isDark = async () => Number(/\d+/.exec(await frame(page).locator('body').evaluate(colour))?.[0]) < 80;
        await expect.poll(isDark, poll).toBe(true);
        await appearAs('light');
        await expect.poll(isDark, poll).toBe(false);
        await appearAs('dark');
        await expect.poll(isDark, poll).toBe(true);
      }
      expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.endsWith('theme'))")).toEqual([]);
      expect((await service.api.patch('/users/me', { appearance: null })).status).toBe(200);
      studio.expectQuiet();
      await studio.close();
    });
  });
});

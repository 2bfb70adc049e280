// Nothing is lost: history, undo, versions, drafts that are older than their item, a structure that changed.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, holdBack, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('Studio loses nothing', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio-nothing-lost' })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;
  const makeBook = async (slug: string, more: object = {}) =>
    (await service.api.post('/items/books', { title: `Book ${slug}`, slug, ...more })).body.data.id as number;
  const save = async ({ page }: StudioPage) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.save-state').waitFor({ state: 'detached' });
  };

  it('leaves the title its room beside what can be done, on every screen', async () => {
    const id = await makeBook('room', { title: 'In Remembrance of Things Past' });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByLabel('Summary').fill('Changed');
    for (const width of [1600, 1280, 1200, 1024, 900, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = await page.evaluate(
        "[document.querySelector('h1')].flatMap((title) => [title.scrollWidth - title.clientWidth, title.scrollHeight - title.clientHeight])",
      );
      expect({ width, cut }).toEqual({ width, cut: [0, 0] });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
    await studio.close();
  });

  it('shows what changed, and puts one old value or a whole old state into the form', async () => {
    const id = await makeBook('history', { summary: 'A quiet old house.', pages: 10 });
    await service.api.patch(`/items/books/${id}`, { summary: 'A quiet new house.', pages: 20 });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByRole('button', { name: 'History' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('[data-change="summary"] del').getByText('old').waitFor();
    await drawer.locator('[data-change="summary"] ins').getByText('new').waitFor();
    await drawer.getByRole('button', { name: 'Created' }).click();
    expect(await findBarriers(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Use this value: Pages' }).click();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await save(studio);
    expect(await read(`/items/books/${id}?fields=pages,summary`)).toEqual({ pages: 10, summary: 'A quiet new house.' });
    await page.getByRole('button', { name: 'History' }).click();
    await drawer.getByRole('button', { name: 'Created' }).click();
    await drawer.getByRole('button', { name: 'Restore this state' }).click();
    await page.getByText('1 unsaved change').waitFor();
    await save(studio);
    expect(await read(`/items/books/${id}?fields=pages,summary`)).toEqual({ pages: 10, summary: 'A quiet old house.' });
    studio.expectQuiet();
    await studio.close();
  });

  it('closes a drawer on Escape at the very moment at which the button that had the focus goes', async () => {
    const id = await makeBook('escape', { pages: 10 });
    await service.api.patch(`/items/books/${id}`, { pages: 20 });
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByRole('button', { name: 'History' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Created' }).click();
    // Before the next frame, in which the drawer would take the focus back.
    await drawer.getByRole('button', { name: 'Use this value: Pages' }).focus();
    const focus = await page.evaluate(`(async () => {
      document.activeElement.click();
      await Promise.resolve();
      const focused = document.activeElement;
      for (const type of ['keydown', 'keyup'])
        focused.dispatchEvent(new KeyboardEvent(type, { key: 'Escape', bubbles: true, cancelable: true }));
      return focused.nodeName;
    })()`);
    expect(focus).toBe('BODY');
    await drawer.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Pages').inputValue()).toBe('10');
    studio.expectQuiet();
    await studio.close();
  });

  it('undoes a save, with everything that was staged, unless another user was faster', async () => {
    const id = await makeBook('undo', { tags: [{ tag: { name: 'stays' } }] });
    const state = () => read(`/items/books/${id}?fields=title,pages,tags.tag.name,reviews.reader`);
    const before = await state();
    const studio = await openStudio(browser, service);
    studio.allowRefusals('412 PATCH /items/books/');
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    const undo = page.getByRole('button', { name: 'Undo' });
    await page.getByLabel('Title').fill('Another title');
    await save(studio);
    expect((await state()).title).toBe('Another title');
    // By the key as by the button; in a text the key undoes what was typed.
    await undo.focus();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone').waitFor();
    expect(await state()).toEqual(before);
    expect(await page.getByLabel('Title').inputValue()).toBe('Book undo');

    await page.getByLabel('Pages').fill('77');
    await page.getByRole('button', { name: 'Remove “stays”' }).click();
    await page.getByRole('button', { name: 'Create new: Reviews' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Reader').fill('Zoe');
    await drawer.getByLabel('Rating').fill('4');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(state).toEqual({ title: 'Book undo', pages: 77, tags: [], reviews: [{ reader: 'Zoe' }] });
    await undo.last().click();
    await expect.poll(state).toEqual(before);
    await expect.poll(() => page.getByLabel('Pages').inputValue()).toBe('');

    // The page knows the state it saved before somebody changes it.
    await page.getByLabel('Title').fill('Mine');
    await save(studio);
    expect((await state()).title).toBe('Mine');
    await service.api.patch(`/items/books/${id}`, { pages: 5 });
    await undo.last().click();
    await page.getByText('Someone changed this meanwhile').waitFor();
    expect(await state()).toMatchObject({ title: 'Mine', pages: 5 });
    await studio.close();
  });

  const addReview = async ({ page }: StudioPage, reader: string) => {
    await page.getByRole('button', { name: 'Create new: Reviews' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.locator('.form :focus').waitFor();
    await drawer.getByLabel('Reader').fill(reader);
    await drawer.getByLabel('Rating').fill('4');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
  };

  it('takes back what its own request wrote, and nothing that another tab saved meanwhile', async () => {
    const id = await makeBook('own-undo');
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await addReview(studio, 'Zoe');
    // The same user, in the middle of the save.
    await page.route(`**/items/books/${id}?*`, async (route) => {
      if (route.request().method() === 'PATCH') await makeBook('another-tab');
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await read(`/items/books/${id}?fields=reviews.reader`)).toEqual({ reviews: [] });
    expect(await read('/items/books?filter[slug][_eq]=another-tab&fields=title')).toEqual([{ title: 'Book another-tab' }]);

    await page.unrouteAll();
    // What was added is not deleted under somebody who has changed it.
    await addReview(studio, 'Yann');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => read(`/items/books/${id}?fields=reviews.reader`)).toEqual({ reviews: [{ reader: 'Yann' }] });
    const [review] = await read(`/items/books/${id}?fields=reviews.id`).then(({ reviews }) => reviews);
    await service.api.patch(`/items/reviews/${review.id}`, { rating: 5 });
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Someone changed this meanwhile, so it was not undone.').waitFor();
    expect(await read(`/items/books/${id}?fields=reviews.reader,reviews.rating`)).toEqual({ reviews: [{ reader: 'Yann', rating: 5 }] });
    studio.expectQuiet();
    await studio.close();
  });

  it('asks nothing that is refused for somebody who may not read revisions, and offers the undo that needs none', async () => {
    const actions = ['create', 'read', 'update', 'delete'] as const;
    const permissions = ['books', 'reviews'].flatMap((collection) => actions.map((action) => ({ collection, action })));
    const person = await makePerson(service, [{ app_access: true, permissions }]);
    await service.api.delete('/permissions', {
      query: { filter: { policy: { _in: person.policies }, collection: { _eq: 'service_revisions' } } },
    });
    const id = await makeBook('unread');
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`, person);
    expect(await page.getByRole('button', { name: 'History' }).count()).toBe(0);
    await addReview(studio, 'Zoe');
    await save(studio);
    await page.getByText('Saved').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.getByLabel('Title').fill('Plain');
    await save(studio);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => read(`/items/books/${id}?fields=title,reviews.reader`))
      .toEqual({ title: 'Book unread', reviews: [{ reader: 'Zoe' }] });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Book unread').waitFor({ state: 'detached' });
    studio.expectQuiet();
    await studio.close();
  });

  it('keeps what is typed while a save is under way', async () => {
    const id = await makeBook('meanwhile');
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    const letGo = await holdBack(page, 'PATCH', `**/items/books/${id}?*`);
    await page.getByLabel('Title').fill('Sent');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await page.getByLabel('Pages').fill('8');
    letGo();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.getByLabel('Pages').inputValue()).toBe('8');
    expect(await read(`/items/books/${id}?fields=title,pages`)).toEqual({ title: 'Sent', pages: null });
    await save(studio);
    expect(await read(`/items/books/${id}?fields=title,pages`)).toEqual({ title: 'Sent', pages: 8 });
    studio.expectQuiet();
    await studio.close();
  });

  it('takes what is typed while a new item is saved along to that item', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/+');
    const letGo = await holdBack(page, 'POST', '**/items/books?*');
    await page.getByLabel('Title').fill('New and sent');
    await page.getByLabel('Slug').fill('new-and-sent');
    const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('/items/books'));
    await page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await page.getByLabel('Pages').fill('9');
    letGo();
    await page.waitForURL(/\/c\/books\/\d+$/);
    await page.getByText('1 unsaved change').waitFor();
    expect(await page.getByLabel('Pages').inputValue()).toBe('9');
    const id = page.url().split('/').at(-1);
    expect(await read(`/items/books/${id}?fields=title,pages`)).toEqual({ title: 'New and sent', pages: null });
    await save(studio);
    expect(await read(`/items/books/${id}?fields=title,pages`)).toEqual({ title: 'New and sent', pages: 9 });
    studio.expectQuiet();
    await studio.close();
  });

  it('keeps what is typed while a change of another user is merged', async () => {
    const id = await makeBook('merging');
    const studio = await openStudio(browser, service);
    studio.allowRefusals('412 PATCH /items/books/');
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByLabel('Title').fill('Mine');
    const letGo = await holdBack(page, 'PATCH', `**/items/books/${id}?*`);
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await sent;
    await service.api.patch(`/items/books/${id}`, { summary: 'Theirs' });
    await page.getByLabel('Pages').fill('7');
    letGo();
    await expect.poll(() => read(`/items/books/${id}?fields=title,pages,summary`)).toEqual({ title: 'Mine', pages: 7, summary: 'Theirs' });
    await studio.close();
  });

  it('brings a deleted item back, at once and later', async () => {
    const id = await makeBook('deleted', { pages: 3 });
    const whole = await read(`/items/books/${id}`);
    const studio = await openStudio(browser, service);
    studio.allowRefusals('403 GET /items/books/');
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('“Book deleted” was deleted').waitFor();
    };
    await remove();
    expect((await service.api.get(`/items/books/${id}`)).status).toBe(403);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForURL(new RegExp(`/admin/c/books/${id}$`));
    expect(await read(`/items/books/${id}`)).toEqual(whole);
    await page.getByLabel('Title').waitFor();
    await page.reload();
    await remove();
    await page.goto(`${service.url}/admin/c/books/${id}`);
    await page.getByText('This is how it was.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByLabel('Title').waitFor();
    expect(await read(`/items/books/${id}`)).toEqual(whole);
    await studio.close();
  });

  it('asks about a draft that is older than the item, and keeps it to the person', async () => {
    const id = await makeBook('older');
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByLabel('Title').fill('From yesterday');
    await page.getByText('1 unsaved change').waitFor();
    await service.api.patch(`/items/books/${id}`, { title: 'From today' });
    await page.reload();
    await page.getByText('Your unsaved changes from').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('From today').waitFor();
    await dialog.getByLabel('From yesterday').check();
    await dialog.getByRole('button', { name: 'Save the result' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read(`/items/books/${id}`)).title).toBe('From yesterday');
    await studio.close();
  });

  it('shows a structure that changed under the form, and keeps what was typed into a field that is gone', async () => {
    const body = { field: 'blurb', type: 'string', schema: {}, meta: {} };
    expect((await service.api.post('/fields/books', body)).status).toBe(200);
    const id = await makeBook('structure');
    const studio = await openStudio(browser, service);
    studio.allowRefusals('403 PATCH /items/books/');
    const { page } = studio;
    await signIn(studio, service, `/admin/c/books/${id}`);
    await page.getByLabel('Title').fill('Still here');
    await page.getByLabel('Blurb').fill('Typed in vain');
    expect((await service.api.delete('/fields/books/blurb')).status).toBe(204);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The structure changed meanwhile.').waitFor();
    await page.getByText('Typed in vain').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Still here');
    await page.getByRole('button', { name: 'Let go of these values' }).click();
    await save(studio);
    expect((await read(`/items/books/${id}`)).title).toBe('Still here');
    await studio.close();
  });

  it('keeps a version beside what is published, compares and promotes it', async () => {
    expect((await service.api.patch('/collections/authors', { meta: { versioning: true } })).status).toBe(200);
    const { data: author } = (await service.api.post('/items/authors', { name: 'Versioned', country: 'Here', born: 1900 })).body;
    const published = () => read(`/items/authors/${author.id}?fields=country,born`);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/authors/${author.id}`);
    await page.getByRole('button', { name: 'Version: Published' }).click();
    await page.getByRole('menuitem', { name: 'New version' }).click();
    await page.getByRole('button', { name: 'Create version' }).click();
    await page.waitForURL(/version=draft$/);
    await page.getByLabel('Country').fill('There');
    await page.getByLabel('Born').fill('1901');
    await save(studio);
    expect(await published()).toEqual({ country: 'Here', born: 1900 });
    await page.getByRole('button', { name: 'Compare and promote' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Born').uncheck();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Promote chosen fields' }).click();
    await page.getByText('1 field was promoted').waitFor();
    expect(await published()).toEqual({ country: 'There', born: 1900 });
    expect(await page.getByLabel('Country').inputValue()).toBe('There');
    studio.expectQuiet();
    await studio.close();
  });
});

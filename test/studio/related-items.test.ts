// Forms of related items: staged in drawers and saved with the item they belong to, in one request, all or nothing.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson, type PermissionSpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, type StudioPage, seek, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('related items in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio-related' })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;
  const writes = (studio: StudioPage) => studio.requests().filter((request) => /^(POST|PATCH|DELETE) \/items/.test(request));
  const counts = async () => {
    const all = await Promise.all(['books', 'authors', 'tags', 'book_tags'].map((name) => read(`/items/${name}?aggregate[count]=*`)));
    return all.map(([row]) => Number(row.count));
  };

  it('creates a book with a new author and two tags, one of them new, in one request; a refusal leaves nothing behind', async () => {
    const studio = await openStudio(browser, service);
    studio.allowRefusals('400 POST /items/books');
    const { page } = studio;
    const before = await counts();
    const [taken] = await read('/items/authors?limit=1&fields=name');
    const [tag] = await read('/items/tags?limit=1&fields=name');
    await signIn(studio, service, '/admin/c/books/+');
    await page.getByLabel('Title').fill('A book of firsts');
    await page.getByLabel('Slug').fill('a-book-of-firsts');

    await page.getByRole('button', { name: 'Create new: Author' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill(taken.name);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add existing: Tags' }).click();
    await seek(page.getByRole('combobox', { name: 'Find in Tags' }), tag.name);
    await page.getByRole('option', { name: tag.name, exact: true }).click();
    await page.getByRole('button', { name: 'Create new: Tags' }).click();
    await drawer.getByLabel('Name').fill('firsts');
    await drawer.getByRole('button', { name: 'Done' }).click();
    expect(await findBarriers(page)).toEqual([]);

    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-field="author"]').getByText('has to be unique').waitFor();
    expect(writes(studio)).toEqual(['POST /items/books']);
    expect(await counts()).toEqual(before);

    await page.getByRole('button', { name: taken.name }).click();
    await drawer.getByText('has to be unique').waitFor();
    await drawer.getByLabel('Name').fill('Nora First');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    expect(writes(studio)).toEqual(['POST /items/books']);
    const [stored] = await read('/items/books?filter[slug][_eq]=a-book-of-firsts&fields=title,author.name,tags.tag.name');
    expect(stored).toEqual({
      title: 'A book of firsts',
      author: { name: 'Nora First' },
      tags: [{ tag: { name: tag.name } }, { tag: { name: 'firsts' } }],
    });
    expect(await counts()).toEqual(before.map((count, index) => count + (index === 3 ? 2 : 1)));
    await studio.close();
  });

  it('marks a required field that is missing, in the drawer too, before anything is sent', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/+');
    // Whoever opens a new item or a drawer goes on typing.
    await page.locator('[data-field="title"] :focus').waitFor();
    await page.keyboard.type('Incomplete');
    await page.getByRole('button', { name: 'Create new: Author' }).click();
    await page.getByRole('dialog').locator('[data-field="name"] :focus').waitFor();
    await page.getByRole('dialog').getByLabel('Country').fill('Nowhere');
    await page.keyboard.press('Escape');
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('[data-field="slug"]').getByText('This field needs a value.').waitFor();
    await page.locator('[data-field="author"]').getByRole('alert').waitFor();
    await page.locator('[data-field="slug"] :focus').waitFor();
    expect(writes(studio)).toEqual([]);
    await page.getByRole('button', { name: 'Untitled' }).click();
    await page.getByRole('dialog').locator('[data-field="name"]').getByText('This field needs a value.').waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('asks nothing of a relation in a filter before the person does, and nothing that is refused', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books');
    await studio.settled();
    await page.getByRole('button', { name: 'Filter' }).click();
    const builder = page.getByRole('dialog', { name: 'Filter' });
    studio.requests();
    const operator = builder.getByLabel('Condition', { exact: true });
    await builder.getByLabel('Field', { exact: true }).selectOption({ label: 'Tags' });
    expect(await operator.inputValue()).toBe('');
    await operator.selectOption({ label: 'is empty' });
    await page.waitForURL(/_null/);
    // One that was asked of the list is not kept for a text below it.
    await builder.getByLabel('Detail').selectOption({ label: '› Tag' });
    await builder.getByLabel('Detail').selectOption({ label: '› Name' });
    await page.waitForURL(/\/books$/);
    expect(await operator.inputValue()).toBe('_eq');
    await builder.getByLabel('Field', { exact: true }).selectOption({ label: 'Price' });
    await builder.getByLabel('Value', { exact: true }).fill('12x');
    await operator.focus();
    await builder.getByText('This is not a number.').waitFor({ state: 'attached' });
    expect(new URL(page.url()).search).toBe('');
    await builder.getByLabel('Value', { exact: true }).fill('1,234.50');
    await page.waitForURL(/1234\.50/);
    await studio.settled();
    studio.expectQuiet();
    await studio.close();
  });

  it('keeps open drawers and what is typed in them when the session ends and while the service is away', async () => {
    const actions = ['read', 'create', 'update'] as const;
    const permissions = ['books', 'authors', 'tags', 'book_tags'].flatMap((collection) =>
      actions.map((action): PermissionSpec => ({ collection, action })),
    );
    const person = await makePerson(service, [{ app_access: true, permissions }]);
    const studio = await openStudio(browser, service);
    studio.allowRefusals('401 ');
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/+', person);
    await page.getByLabel('Title').fill('Patient');
    await page.getByLabel('Slug').fill('patient');
    await page.getByRole('button', { name: 'Create new: Author' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('Pat Ient');
    await service.api.patch(`/users/${person.id}`, { password: 'another one' });
    await page.keyboard.press('Control+s');
    const ended = page.getByRole('alertdialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password', { exact: true }).fill('another one');
    await ended.getByRole('button', { name: 'Sign in again' }).click();
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    expect(await read('/items/books?filter[slug][_eq]=patient&fields=title,author.name')).toEqual([
      { title: 'Patient', author: { name: 'Pat Ient' } },
    ]);

    await page.getByRole('button', { name: 'Pat Ient' }).click();
    await drawer.getByLabel('Country').fill('Elsewhere');
    await page.context().setOffline(true);
    await page.keyboard.press('Control+s');
    await page.getByText('The service does not answer. Trying again').waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => read('/items/authors?filter[name][_eq]=Pat Ient&fields=country')).toEqual([{ country: 'Elsewhere' }]);
    await studio.close();
  });

  it('removes, changes and adds items of lists in one request, and keeps them staged over a reload', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const { data: book } = (
      await service.api.post('/items/books', {
        title: 'Listed',
        slug: 'listed',
        tags: [{ tag: { name: 'to-remove' } }, { tag: { name: 'to-rename' } }],
        reviews: [{ reader: 'Ann', rating: 1 }],
      })
    ).body;
    await signIn(studio, service, `/admin/c/books/${book.id}`);
    await page.getByRole('button', { name: 'Remove “to-remove”' }).click();
    await page.getByRole('button', { name: 'to-rename', exact: true }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('renamed');
    await drawer.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Create new: Reviews' }).click();
    await drawer.getByLabel('Reader').fill('Bob');
    await drawer.getByLabel('Rating').fill('5');
    expect(await drawer.getByLabel('Book').count()).toBe(0);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('2 unsaved changes').waitFor();
    await page.getByRole('button', { name: 'Bob', exact: true }).waitFor();
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(writes(studio)).toEqual([`PATCH /items/books/${book.id}`]);
    const stored = await read(`/items/books/${book.id}?fields=tags.tag.name,reviews.reader,reviews.rating&deep[reviews][_sort]=reader`);
    expect(stored).toEqual({
      tags: [{ tag: { name: 'renamed' } }],
      reviews: [
        { reader: 'Ann', rating: 1 },
        { reader: 'Bob', rating: 5 },
      ],
    });
    await page.getByRole('button', { name: 'renamed', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'to-remove', exact: true }).count()).toBe(0);
    studio.expectQuiet();
    await studio.close();
  });

  it('picks another author by key and does not write to the author', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const [author] = await read('/items/authors?limit=1&sort=-id&fields=id,name');
    await signIn(studio, service, '/admin/c/books/5');
    await seek(page.getByRole('combobox', { name: 'Author' }), author.name);
    await page.getByRole('option', { name: author.name }).click();
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ author: author.id });
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read('/items/books/5?fields=author')).author).toBe(author.id);
    studio.expectQuiet();
    await studio.close();
  });

  it('opens a singleton without a list, on a phone too', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/shop');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Motto').fill('Books, mostly');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read('/items/shop')).motto).toBe('Books, mostly');
    studio.expectQuiet();
    await studio.close();
  });
});

// Journey 19 of the design brief: a slow list is explained, and the index that it lacks is added from there. And indexes in the model of a
// collection.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { fixture } from './editors-world.js';
import { closePages, findBarriers, findBarriersInBothColours, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const sqlite = { name: 'sqlite', server: '', label: 'SQLite' } as const;
const slowList = `/admin/c/articles?filter=${encodeURIComponent('{"status":{"_eq":"published"}}')}`;

describe.runIf(inject('browser') !== null)('explain in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), startService(sqlite, { area: 'studio-explain', fixture })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  /** The list of published articles, when its rows are there. */
  const openList = async (studio: StudioPage): Promise<void> => {
    await signIn(studio, service, slowList);
    await studio.page.getByText('3,333 items').waitFor();
  };
  const planOf = async (): Promise<string> => {
    const query = 'fields=id,title&filter[status][_eq]=published';
    return String((await service.api.get(`/items/articles?${query}&explain=true`)).body.data.database);
  };
  const indexNames = async (): Promise<readonly string[]> =>
    (await service.api.get('/indexes/articles')).body.data.map(({ name }: { readonly name: string }) => name);

  it('journey 19: explains a slow list and adds the index it suggests, in four clicks', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    let clicks = 0;
    const click = async (place: ReturnType<typeof page.getByRole>) => {
      clicks += 1;
      await place.click();
    };
    expect(await planOf()).toMatch(/SCAN t0/);
    await openList(studio);
    await click(page.getByRole('button', { name: 'More', exact: true }));
    await click(page.getByRole('menuitem', { name: 'Explain this list' }));
    const drawer = page.getByRole('dialog', { name: 'How “Articles” is read' });
    await drawer.getByText('Reads all 10,000 rows of Articles: no index on Status').waitFor();
    await drawer.getByText('FROM "articles" t0').waitFor();
    expect(await findBarriersInBothColours(page)).toEqual([]);
    await click(drawer.getByRole('button', { name: 'Add this index…' }));
    const desk = page.getByRole('dialog', { name: 'Change desk' });
    await desk.getByRole('article', { name: 'Create an index on articles: status' }).getByText('No stored value is touched.').waitFor();
    expect(await indexNames()).toEqual([]);
    await click(desk.getByRole('button', { name: 'Apply this change' }));
    await drawer.getByText(/^The plan has changed\. Before: Reads all 10,000 rows of Articles\. Now: Finds rows of Articles by/).waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
    expect(await planOf()).toContain('SEARCH t0 USING INDEX articles_status_index (status=?)');
    const stored = await service.sql("SELECT sql FROM sqlite_schema WHERE name = 'articles_status_index'");
    expect(stored).toEqual([{ sql: 'CREATE INDEX "articles_status_index" ON "articles" ("status")' }]);
    await drawer.getByText('No index is missing.').waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('shows the indexes of a collection, and makes and removes one by cards', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/model/articles');
    const section = page.getByRole('region', { name: 'Indexes' });
    await section.getByRole('button', { name: 'New index' }).click();
    const form = page.getByRole('dialog', { name: 'New index' });
    await form.getByLabel('Field 1 of the index').selectOption({ label: 'Price' });
    await form.getByRole('button', { name: 'One more field' }).click();
    await form.getByLabel('Field 2 of the index').selectOption({ label: 'Title' });
    expect(await findBarriers(page)).toEqual([]);
    await form.getByRole('button', { name: 'Review the change' }).click();
    const desk = page.getByRole('dialog', { name: 'Change desk' });
    await desk.getByText(/CREATE INDEX "articles_price_title_index"/).waitFor();
    await desk.getByRole('button', { name: 'Apply this change' }).click();
    await section.getByText('articles_price_title_index').waitFor();
    expect(await indexNames()).toContain('articles_price_title_index');
    await section.getByRole('button', { name: 'Remove index articles_price_title_index' }).click();
    await desk.getByText(/DROP INDEX "articles_price_title_index"/).waitFor();
    await desk.getByRole('button', { name: 'Apply this change' }).click();
    await section.getByText('articles_price_title_index').waitFor({ state: 'detached' });
    expect(await indexNames()).not.toContain('articles_price_title_index');
    studio.expectQuiet();
    await studio.close();
  });

  it('fits a phone', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await openList(studio);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Explain this list' }).click();
    await page.getByText('No index is missing.').waitFor();
    expect(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    await studio.close();
  });
});

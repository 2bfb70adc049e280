// Journeys 12 and 13 of the design brief: a collection is made with its consequences shown, and used at once; a field that a policy needs is
// not deleted before its card has named the policy and the values.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { startService, type TestService } from '../harness/start-service.js';
import { type EditorsWorld, fixture, settleEditors } from './editors-world.js';
import { closePages, findBarriers, launchBrowser, openStudio, seek, signIn } from './open-studio.js';

describeEachVendor('the model in Studio', (vendor) => {
  describe.runIf(inject('browser') !== null)('with ten thousand articles', () => {
    let browser: Browser;
    let service: TestService;
    let world: EditorsWorld;
    beforeAll(async () => {
      [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-model', fixture })]);
      world = await settleEditors(service);
    });
    afterAll(async () => {
      await closePages(browser);
      await service?.stop();
    });

    it('journey 12: makes a collection with four fields, a relation and a template, and uses it, in twelve clicks at most', async () => {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      let clicks = 0;
      const click = async (place: ReturnType<typeof page.getByRole>) => {
        clicks += 1;
        await place.click();
      };
      const choose = async (label: string, option: string) => {
        clicks += 1;
        await page.getByLabel(label, { exact: true }).selectOption({ label: option });
      };
      await signIn(studio, service);
      await click(page.getByRole('link', { name: 'Model' }));
      await click(page.getByRole('button', { name: 'New collection' }));
      await page.getByLabel('Name', { exact: true }).fill('reviews');
      for (const [index, name] of ['headline', 'rating', 'seen_on', 'author'].entries())
        await page.getByLabel(`Name of field ${index + 1}`, { exact: true }).fill(name);
      await choose('Type of field 2', 'Whole number');
      await choose('Type of field 3', 'Date');
      await choose('Type of field 4', '→ Authors');
      await page.getByLabel('Title of an item').fill('{{headline}} by {{author.name}}');
      await click(page.getByRole('button', { name: 'Review the change' }));
      const desk = page.getByRole('dialog', { name: 'Change desk' });
      const [collection, relation] = [
        desk.getByRole('article', { name: 'Create collection reviews' }),
        desk.getByRole('article', { name: 'Relate reviews.author to authors' }),
      ];
      await collection.getByText(/CREATE TABLE/).waitFor({ state: 'attached' });
      await relation.getByText('No stored value is touched.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect((await service.api.get('/collections/reviews')).status).toBe(403);
      await click(desk.getByRole('button', { name: 'Apply 2 changes' }));
      await page.getByText('2 changes are applied').waitFor();
      await click(page.getByRole('navigation').getByRole('link', { name: 'Reviews' }));
      await click(page.getByRole('link', { name: 'New item' }));
      await page.getByLabel('Headline').fill('Well written');
      await seek(page.getByRole('combobox', { name: 'Author' }), 'Ada');
      await click(page.getByRole('option', { name: 'Ada Lovelace' }));
      await click(page.getByRole('button', { name: 'Save' }));
      await page.getByRole('heading', { name: 'Well written by Ada Lovelace' }).waitFor();
      expect(clicks).toBeLessThanOrEqual(12);
      const { data } = (await service.api.get('/items/reviews?fields=headline,rating,seen_on,author.name')).body;
      expect(data).toEqual([{ headline: 'Well written', rating: null, seen_on: null, author: { name: 'Ada Lovelace' } }]);
      studio.expectQuiet();
      await studio.close();
    });

    it('journey 13: names the policy and the values before a field is deleted, in three clicks', async () => {
      const permission = {
        policy: world.policy,
        collection: 'articles',
        action: 'read',
        permissions: { status: { _eq: 'published' } },
        fields: ['*'],
      };
      expect((await service.api.post('/permissions', permission)).status).toBe(200);
      const studio = await openStudio(browser, service);
      const { page } = studio;
      await signIn(studio, service);
      const before = [await service.checksums(), (await service.api.get('/schema/snapshot')).text];
      await page.getByRole('link', { name: 'Model' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Articles' }).click();
      await page.getByRole('button', { name: 'Delete Status' }).click();
      const card = page.getByRole('article', { name: 'Delete field articles.status' });
      await card.getByText('10,000 values of articles.status are deleted').waitFor();
      await card.getByText('Policy “Editorial”: permission to read articles').waitFor();
      await page.getByRole('button', { name: 'Delete status and 10,000 values' }).waitFor();
      await card
        .getByText(/DROP COLUMN|ALTER TABLE|CREATE TABLE/)
        .first()
        .waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await page.getByRole('button', { name: 'Discard: Delete field articles.status' }).click();
      await page.getByText('Nothing is waiting.').waitFor();
      const after = [await service.checksums(), (await service.api.get('/schema/snapshot')).text];
      expect(after).toEqual(before);
      studio.expectQuiet();
      await studio.close();
    });

    it('applies nothing when one of several changes is refused, and says why', async () => {
      const before = (await service.api.get('/schema/snapshot')).text;
      const studio = await openStudio(browser, service);
      studio.allowRefusals('400 POST /schema/changes');
      const { page } = studio;
      await signIn(studio, service, '/admin/model/authors');
      for (const name of ['born_in', 'name']) {
        await page.getByRole('button', { name: 'New field' }).click();
        await page.getByLabel('Name', { exact: true }).fill(name);
        await page.getByRole('button', { name: 'Review the change' }).click();
        await page.getByRole('article', { name: `Create field authors.${name}` }).waitFor();
        if (name !== 'born_in') continue;
        // What waits is seen where it will be.
        await page.keyboard.press('Escape');
        const waiting = page.getByRole('list', { name: 'Fields that wait to be created' });
        await waiting.getByRole('listitem').filter({ hasText: 'Born In' }).getByText('waits to be created').waitFor();
      }
      await page.getByText('The service refuses this change').first().waitFor();
      await expect.poll(() => page.getByRole('button', { name: 'Apply 2 changes' }).isDisabled()).toBe(true);
      expect((await service.api.get('/schema/snapshot')).text).toBe(before);
      // The cards survive a reload; what was refused can be taken away, and the rest applied.
      await page.reload();
      await page.getByText('2 changes are waiting').waitFor();
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByRole('button', { name: 'Discard: Create field authors.name' }).click();
      await page.getByRole('button', { name: 'Apply this change' }).click();
      await page.getByText('The change is applied').waitFor();
      await page.getByRole('button', { name: 'Born In born_in' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect((await service.api.get('/fields/authors/born_in')).status).toBe(200);
      expect(await page.getByText('waits to be created').count()).toBe(0);
      await studio.close();
    });

    it('refuses in the preview what a view of the database uses, and does not offer to apply it', async () => {
      await service.sql('create view author_names as select id, name from authors');
      const studio = await openStudio(browser, service);
      const { page } = studio;
      studio.allowRefusals('400 POST /schema/changes');
      await signIn(studio, service, '/admin/model/authors');
      await page.getByRole('button', { name: 'Delete Name' }).click();
      const desk = page.getByRole('dialog', { name: 'Change desk' });
      await desk.getByText(/^The service refuses this change: .*author_names/).waitFor();
      expect(await desk.getByRole('button', { name: /^Delete name/ }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.locator('.field-rows s').getByText('Name', { exact: true }).waitFor();
      await page.getByText('waits to be deleted').waitFor();
      await service.sql('drop view author_names');
      studio.expectQuiet();
      await studio.close();
    });
  });
});

// Journeys 15 and 16 of the design brief: access is given by a rule that is proven while it is typed, checked through the eyes of the person
// who got it, and explained. Clicks are counted; text typed is not.

import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { startService, type TestService } from '../harness/start-service.js';
import { type EditorsWorld, fixture, settleEditors } from './editors-world.js';
import { closePages, findBarriers, findBarriersInBothColours, go, launchBrowser, openStudio, signIn } from './open-studio.js';

const [first] = inject('vendors');

/** Counts what a person does with the pointer; choosing in a list is a click, too. */
class Clicks {
  count = 0;

  async on(place: Locator): Promise<void> {
    this.count += 1;
    await place.click();
  }

  async choose(list: Locator, label: string): Promise<void> {
    this.count += 1;
    await list.selectOption({ label });
  }
}

const expectNoBarriers = async (page: Page): Promise<void> => expect(await findBarriers(page)).toEqual([]);

describeEachVendor('access in Studio', (vendor) => {
  describe.runIf(inject('browser') !== null)('with ten thousand articles', () => {
    let browser: Browser;
    let service: TestService;
    let world: EditorsWorld;
    beforeAll(async () => {
      [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-access', fixture })]);
      world = await settleEditors(service);
    });
    afterAll(async () => {
      await closePages(browser);
      await service?.stop();
    });

    it('journey 15: editors read published articles without the price, checked as one of them, in nine clicks', async () => {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      const clicks = new Clicks();
      await signIn(studio, service);
      await clicks.on(page.getByRole('link', { name: 'Access' }));
      await clicks.on(page.getByRole('link', { name: 'Editorial', exact: true }).first());
      await clicks.on(page.getByRole('button', { name: 'Articles, Read: nothing' }));
      const drawer = page.getByRole('dialog', { name: 'Read Articles' });
      await clicks.on(drawer.getByText('Only items that match a rule'));
      await clicks.choose(drawer.getByLabel('Field', { exact: true }), 'Status');
      await clicks.choose(drawer.getByLabel('Condition', { exact: true }), 'is');
      await drawer.getByLabel('Value', { exact: true }).fill('published');
      const proof = drawer.getByRole('region', { name: 'Proof' });
      await proof.getByText('3,333 of 10,000 items in Articles').waitFor();
      expect(await proof.getByRole('listitem').allTextContents()).toEqual([
        '3 Article',
        '6 Article',
        '9 Article',
        '1 Article',
        '2 Article',
        '4 Article',
      ]);
      await clicks.on(drawer.getByRole('checkbox', { name: 'Price' }));
      await expectNoBarriers(page);
      await clicks.on(drawer.getByRole('button', { name: 'Save permission' }));
      await clicks.on(page.getByRole('button', { name: 'See as Emma Editor' }));
      await page.getByText('You see what Emma Editor sees').waitFor();
      await page.getByText('3,333 items').waitFor();
      expect(clicks.count).toBe(9);
      expect(await page.getByRole('columnheader', { name: 'Price' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Title', exact: true }).count()).toBe(1);
      await expectNoBarriers(page);
      studio.expectQuiet();

      const editor = service.as((await service.as(null).post('/auth/login', world.editor)).body.data.access_token);
      expect((await editor.get('/items/articles?aggregate[count]=*')).body.data).toEqual([{ count: 3333 }]);
      expect(Object.keys((await editor.get('/items/articles/3')).body.data)).not.toContain('price');
      const rules = (await service.api.get('/permissions?filter[collection]=articles&fields=action,permissions')).body.data;
      expect(rules).toEqual([{ action: 'read', permissions: { _and: [{ status: { _eq: 'published' } }] } }]);

      await page.getByRole('button', { name: 'Hidden items' }).click();
      await page.getByRole('button', { name: 'Why not Article?' }).first().click();
      await page.getByText('wants: Status is published, but it is “draft”').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Back to my own rights' }).click();
      await page.getByText('10,000 items').waitFor();
      await page.getByRole('button', { name: 'Price', exact: true }).waitFor();
      const looks = await service.api.get(`/activity?filter[action]=view_as&filter[item]=${world.editor.id}&fields=user.email`);
      expect(looks.body.data).toEqual([{ user: { email: 'admin@example.com' } }]);
      await studio.close();
    });

    it('names the rule at the address of a hidden item, and the policy that leaves out a field', async () => {
      const studio = await openStudio(browser, service);
      studio.allowRefusals('403 GET /items/articles/1');
      const { page } = studio;
      await signIn(studio, service, `/admin/policies/${world.policy}`);
      await page.getByRole('button', { name: 'See as Emma Editor' }).click();
      await page.getByText('You see what Emma Editor sees').waitFor();
      await page.goto(`${service.url}/admin/c/articles/1`);
      await page.getByRole('heading', { name: 'Emma Editor does not see this item' }).waitFor();
      await page.getByText('wants: Status is published, but it is “draft”').waitFor();
      await page.goto(`${service.url}/admin/c/articles/3`);
      await page.getByRole('button', { name: 'Why not Price?' }).click();
      await page.getByText('No permission that covers the item opens this field.').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await expectNoBarriers(page);
      // Screens of administrators are closed to the viewed user, and writes never leave the browser.
      await page.goto(`${service.url}/admin/roles`);
      await page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
      await studio.close();
    });
  });
});

describe.runIf(inject('browser') !== null && first !== undefined)('people in Studio', () => {
  let browser: Browser;
  let service: TestService;
  let mailBox: MailBox;
  let world: EditorsWorld;
  beforeAll(async () => {
    if (first === undefined) throw new Error('no database');
    mailBox = await openMailBox();
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(first, { area: 'studio-people', fixture, config: { mailUrl: mailBox.url } }),
    ]);
    world = await settleEditors(service);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    await mailBox?.close();
  });

  it('journey 16: invites somebody in five clicks, whose role applies; a suspended person is signed out', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const clicks = new Clicks();
    await signIn(studio, service);
    await clicks.on(page.getByRole('link', { name: 'Access' }));
    await clicks.on(page.getByRole('link', { name: 'People', exact: true }));
    await clicks.on(page.getByRole('button', { name: 'Invite people' }));
    await page.getByLabel('Email addresses').fill('nora@example.com');
    await clicks.choose(page.getByRole('dialog').getByLabel('Role'), 'Editors');
    await clicks.on(page.getByRole('button', { name: 'Invite', exact: true }));
    await page.getByText('1 person invited').waitFor();
    expect(clicks.count).toBe(5);
    await page.getByRole('link', { name: 'nora@example.com' }).waitFor();

    const token = /token=([\w.-]+)/.exec((await mailBox.next('nora@example.com')).text)?.[1] ?? '';
    const theirs = await openStudio(browser, service);
    theirs.allowRefusals('401 GET /users/me');
    await theirs.page.goto(`${service.url}/admin/accept-invite?token=${token}`);
    await theirs.page.getByLabel('New password', { exact: true }).fill('a password of my own');
    await theirs.page.keyboard.press('Enter');
    await theirs.page.getByRole('navigation').waitFor({ state: 'attached' });
    expect(await theirs.page.getByRole('link', { name: 'Access' }).count()).toBe(0);
    const nora = (await service.api.get('/users?filter[email]=nora@example.com&fields=id,status,role.name')).body.data[0];
    expect(nora).toMatchObject({ status: 'active', role: { name: 'Editors' } });

    await page.getByRole('link', { name: 'nora@example.com' }).click();
    const drawer = page.getByRole('dialog', { name: 'nora@example.com' });
    await drawer.getByText('HeadlessChrome').waitFor();
    await expectNoBarriers(page);
    await drawer.getByRole('button', { name: 'Suspend', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('nora@example.com is suspended').waitFor();
    await drawer.getByText('Not signed in anywhere.').waitFor();
    expect(await theirs.page.evaluate("fetch('/users/me').then((answer) => answer.status)")).toBe(401);
    studio.expectQuiet();
    await studio.close();
    await theirs.close();
  });

  it('shows a new token once, and it works', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/people/${world.editor.id}`);
    await page.getByRole('button', { name: 'Make a new token' }).click();
    const token = await page.getByRole('textbox', { name: 'Static token' }).inputValue();
    expect((await service.as(token).get('/users/me?fields=email')).body.data).toEqual({ email: 'emma@example.com' });
    await page.reload();
    await page.getByText('A token is set. It cannot be shown again.').waitFor();
    expect(await page.content()).not.toContain(token);
    studio.expectQuiet();
    await studio.close();
  });

  it('opens a collection to the public with one switch that says what it opens, and closes it again', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const anybody = service.as(null);
    await signIn(studio, service, '/admin/public');
    const open = page.getByRole('switch', { name: 'Open to the public: Authors' });
    await open.click({ force: true });
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Anybody on the internet can read 3 items in Authors').waitFor();
    expect((await anybody.get('/items/authors')).status).toBe(403);
    await expectNoBarriers(page);
    await dialog.getByRole('button', { name: 'Open Authors' }).click();
    await page.getByText('Authors is open to the public').waitFor();
    expect((await anybody.get('/items/authors')).body.data).toHaveLength(3);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect((await anybody.get('/items/authors')).status).toBe(403);
    studio.expectQuiet();
    await studio.close();
  });

  it('stores no rule with an unfinished condition, and "everything" only where it was chosen', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const stored = async () =>
      (await service.api.get(`/permissions?filter[policy]=${world.policy}&fields=action,permissions,validation,presets&sort=action`)).body
        .data;
    await signIn(studio, service, `/admin/policies/${world.policy}`);
    for (const action of ['Delete', 'Update'] as const) {
      await page.getByRole('button', { name: `Articles, ${action}: nothing` }).click();
      const drawer = page.getByRole('dialog', { name: `${action} Articles` });
      await drawer.getByText('Only items that match a rule').click();
      const fields = drawer.getByLabel('Field', { exact: true });
      const values = drawer.getByLabel('Value', { exact: true });
      await fields.selectOption({ label: 'Status' });
      await drawer.getByText('The rule is not finished.').waitFor();
      await drawer.getByRole('button', { name: 'Save permission' }).click();
      await drawer.getByText('This condition is not finished').waitFor();
      await drawer.getByText('Nothing was saved').waitFor();
      await drawer.locator('input[aria-label="Value"]:focus').waitFor();
      expect(await drawer.getByRole('region', { name: 'Proof' }).count()).toBe(0);
      // The second of two conditions is not dropped either, and no proof of a shorter rule is shown.
      await values.fill('draft');
      await drawer.getByText('3,334 of 10,000 items in Articles').waitFor();
      await drawer.getByRole('button', { name: 'Add a condition' }).first().click();
      await fields.nth(1).selectOption({ label: 'Author' });
      expect(await drawer.getByRole('region', { name: 'Proof' }).count()).toBe(0);
      await drawer.getByRole('button', { name: 'Save permission' }).click();
      await drawer.getByText('This condition is not finished').waitFor();
      expect((await stored()).some((rule: { action: string }) => rule.action === action.toLowerCase())).toBe(false);
      await expectNoBarriers(page);
      // The list of authors is open: it has the focus.
      await page.keyboard.press('Escape');
      await drawer.getByRole('button', { name: 'Remove condition' }).nth(1).click();
      if (action === 'Update') {
        await drawer.getByRole('button', { name: 'Add a rule' }).click();
        await drawer.getByLabel('Add a preset').selectOption({ label: 'Status' });
        await drawer.getByRole('button', { name: 'Save permission' }).click();
        await drawer.getByText('Give this field a value, or remove it.').waitFor();
        await drawer.getByRole('textbox', { name: 'Status', exact: true }).fill('draft');
        await drawer.getByText('This condition is not finished').waitFor();
        await values.nth(1).fill('x');
      }
      // What was typed last counts, however soon it is saved.
      await values.first().fill('published');
      await drawer.getByRole('button', { name: 'Save permission' }).click();
      await drawer.waitFor({ state: 'detached' });
    }
    const rule = { _and: [{ status: { _icontains: 'published' } }] };
    expect(await stored()).toEqual([
      { action: 'delete', permissions: rule, validation: null, presets: null },
      { action: 'update', permissions: rule, validation: { _and: [{ title: { _icontains: 'x' } }] }, presets: { status: 'draft' } },
    ]);
    for (const { id } of (await service.api.get(`/permissions?filter[policy]=${world.policy}&fields=id`)).body.data)
      await service.api.delete(`/permissions/${id}`);
    studio.expectQuiet();
    await studio.close();
  });

  it('leaves no barrier on the screens of access, light and dark, wide and narrow', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    const main = page.getByRole('main');
    for (const [place, shown] of [
      ['roles', main.getByText('Chief editors')],
      ['people', main.getByText('Emma Editor')],
      ['policies', main.getByText('What editors work with')],
      [`policies/${world.policy}`, main.getByRole('heading', { name: 'Permissions' })],
      ['public', main.getByRole('switch', { name: 'Open to the public: Articles' })],
    ] as const) {
      await go(page, place);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await shown.waitFor();
        expect(await findBarriersInBothColours(page), `${place}, ${width}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${place}, ${width}`).toBe(true);
      }
    }
    studio.expectQuiet();
    await studio.close();
  });
});

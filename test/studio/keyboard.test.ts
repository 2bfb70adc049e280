// Journey 20 of the design brief: what journeys 3, 4 and 8 do, without a mouse. Every stop of the focus has a name and can be seen.

import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminEmail, adminPassword, startService, type TestService } from '../harness/start-service.js';
import { closePages, launchBrowser, openStudio } from './open-studio.js';

const [vendor] = inject('vendors');

interface Stop {
  readonly role: string;
  readonly name: string;
  readonly isSeen: boolean;
  /** The element, to find it by. */
  readonly place: string;
}

/** Keys pressed on a page, and where they lead. */
class Keyboard {
  /** Stops without a name or without a sign of the focus. */
  readonly lost = new Set<string>();

  constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Moves the focus to the control of this name, as users of a screen reader find it. */
  async tabTo(role: string, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let count = 0; count < 120; count += 1) {
      const stop = await this.#stop();
      if (stop.role === role && stop.name.startsWith(name)) return;
      passed.push(`${stop.role} ${stop.name}`);
      await this.press(key);
    }
    throw new Error(`no ${role} "${name}" among ${passed.join(', ')}`);
  }

  async #stop(): Promise<Stop> {
    const { result } = await this.session.send('Runtime.evaluate', { expression: 'document.activeElement' });
    const { nodes } = await this.session.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId ?? '',
      fetchRelatives: false,
    });
    const [role, name] = [String(nodes[0]?.role?.value ?? ''), String(nodes[0]?.name?.value ?? '')];
    const isSeen = await this.page.evaluate(`(() => {
      const active = document.activeElement;
      if (active === document.body || active.matches('[role=grid], [role=dialog], [role=menu], [role=alertdialog], iframe')) return true;
      const shown = [active, active.closest('label'), active.parentElement].filter(Boolean).map((element) => getComputedStyle(element));
      return shown.some(({ outlineStyle, outlineWidth, boxShadow }) => (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none');
    })()`);
    const place = String(await this.page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.className"));
    const stop = { role, name, isSeen: isSeen === true, place };
    // Before the first stop, and behind the last one, nothing has the focus.
    if (!place.startsWith('BODY') && (name === '' || !stop.isSeen)) this.lost.add(JSON.stringify(stop));
    return stop;
  }
}

describe.runIf(inject('browser') !== null && vendor !== undefined)('Studio without a mouse', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { demo: true, area: 'studio-keyboard' })]);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const read = async (path: string) => (await service.api.get(path)).body.data;

  it('journey 20: signs in, sorts and opens, filters and keeps a view, creates with related items, by keys alone', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    const keys = new Keyboard(page, session);
    /** The entry of a menu that Enter chooses. */
    const marked = page.locator('[role=menuitem][data-focused]');
    await page.goto(`${service.url}/admin/`);
    await page.getByLabel('Email').waitFor();
    await keys.tabTo('textbox', 'Email');
    await keys.type(adminEmail);
    await keys.tabTo('textbox', 'Password');
    await keys.type(adminPassword);
    await keys.press('Enter');
    await page.getByRole('navigation').waitFor({ state: 'attached' });

    await keys.press('Control+k');
    await page.locator('input[type=search]:focus').waitFor();
    await keys.type('books');
    await marked.filter({ hasText: /^Books$/ }).waitFor();
    await keys.press('Enter');
    await page.getByText('25 items').waitFor();
    await keys.tabTo('button', 'Pages');
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Pages, sorted ascending' }).waitFor();
    // The rows in their new order are there: the grid knows its end.
    await page.locator('[role=grid][aria-rowcount="26"]').waitFor();
    await keys.tabTo('grid', 'Books');
    await keys.press('Control+End');
    await page.getByRole('gridcell', { name: '1,225', exact: true }).waitFor({ state: 'attached' });
    await keys.press('Space');
    await page.getByRole('heading', { level: 1, name: 'War and Peace' }).waitFor();
    await keys.tabTo('link', 'Books', 'Shift+Tab');
    await keys.press('Enter');
    await page.getByText('25 items').waitFor();

    await keys.tabTo('button', 'Filter');
    await keys.press('Enter');
    await page.getByRole('dialog', { name: 'Filter' }).getByLabel('Field', { exact: true }).waitFor();
    await keys.tabTo('combobox', 'Field');
    await keys.type('Pages');
    await keys.tabTo('combobox', 'Condition');
    await keys.type('is greater than');
    await keys.tabTo('textbox', 'Value');
    await keys.type('1000');
    await page.getByText('2 items').waitFor();
    await keys.press('Escape');
    await page.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'detached' });
    await keys.tabTo('button', 'Views');
    await keys.press('Enter');
    await marked.first().waitFor();
    await keys.type('Save');
    await marked.filter({ hasText: 'Save as new view…' }).waitFor();
    await keys.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await keys.tabTo('textbox', 'Name');
    await keys.type('Thick ones');
    await keys.tabTo('button', 'Save view');
    await keys.press('Enter');
    await page.getByText('View saved').waitFor();
    expect(await read('/presets?filter[bookmark][_eq]=Thick ones&fields=collection,filter')).toMatchObject([
      { collection: 'books', filter: { _and: [{ pages: { _gt: '1000' } }] } },
    ]);

    const [tag] = await read('/items/tags?limit=1&fields=name');
    await keys.press('Control+k');
    await page.locator('input[type=search]:focus').waitFor();
    await keys.type('new book');
    await marked.filter({ hasText: 'New item in Books' }).waitFor();
    await keys.press('Enter');
    await page.getByLabel('Title').waitFor();
    await keys.tabTo('textbox', 'Title');
    await keys.type('By hand');
    await keys.tabTo('textbox', 'Slug');
    await keys.type('by-hand');
    await keys.tabTo('button', 'Create new: Author');
    await keys.press('Enter');
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').waitFor();
    await keys.tabTo('textbox', 'Name');
    await keys.type('Hand Writer');
    await keys.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    // The focus is where it was.
    await keys.tabTo('button', 'Add existing: Tags');
    await keys.press('Enter');
    await page.getByRole('combobox', { name: 'Find in Tags' }).waitFor();
    await keys.tabTo('combobox', 'Find in Tags');
    await keys.type(tag.name);
    await page.getByRole('option', { name: tag.name, exact: true }).waitFor();
    await keys.press('ArrowDown');
    await page.locator('[role=option][data-focused]', { hasText: tag.name }).waitFor();
    await keys.press('Enter');
    await page.getByRole('button', { name: `Remove “${tag.name}”` }).waitFor();
    await keys.tabTo('button', 'Create new: Tags');
    await keys.press('Enter');
    await drawer.getByLabel('Name').waitFor();
    await keys.tabTo('textbox', 'Name');
    await keys.type('by-hand');
    await keys.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await keys.press('Control+s');
    await page.waitForURL(/\/admin\/c\/books\/\d+$/);
    expect(await read('/items/books?filter[slug][_eq]=by-hand&fields=title,author.name,tags.tag.name')).toEqual([
      { title: 'By hand', author: { name: 'Hand Writer' }, tags: [{ tag: { name: tag.name } }, { tag: { name: 'by-hand' } }] },
    ]);
    expect([...keys.lost]).toEqual([]);
    studio.expectQuiet();
    await page.context().close();
  });
});

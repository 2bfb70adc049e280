// The interfaces of plain values and the editors of long texts: what is entered is what is stored, and what is only looked at stays untouched.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, seek, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const named = (field: string, type: string, inter: string, options: object = {}) => ({
  field,
  type,
  meta: { interface: inter, options, special: type === 'json' ? ['cast-json'] : type === 'csv' ? ['cast-csv'] : null },
});
const choices = [
  { text: 'Red', value: 'red' },
  { text: 'Green', value: 'green' },
  { text: 'Blue', value: 'blue' },
];
const nested = [
  {
    text: 'Fruit',
    value: 'fruit',
    children: [
      { text: 'Apple', value: 'apple' },
      { text: 'Pear', value: 'pear' },
    ],
  },
];

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  named('keywords', 'csv', 'tags', { presets: ['new'] }),
  named('colors', 'json', 'select-multiple-dropdown', { choices }),
  named('basket', 'json', 'select-multiple-checkbox-tree', { choices: nested }),
  named('near', 'string', 'input-autocomplete-api', {
    url: '/items/places_known?fields=name&search={{value}}',
    resultsPath: 'data',
    textPath: 'name',
    valuePath: 'name',
  }),
  named('mark', 'string', 'select-icon'),
  named('level', 'integer', 'slider', { minValue: 0, maxValue: 10 }),
  named('shade', 'string', 'select-color'),
  named('big', 'bigInteger', 'input'),
  named('price', 'decimal', 'input'),
  named('weight', 'float', 'input'),
  { ...named('short', 'string', 'input'), schema: { max_length: 5 } },
  named('day', 'date', 'datetime'),
  named('records', 'json', 'list', { fields: [{ field: 'extra', type: 'json', meta: { interface: 'input-code' } }] }),
  named('settings', 'json', 'input-code'),
  named('story', 'text', 'input-rich-text-html'),
  named('notes', 'text', 'input-rich-text-md'),
  named('favourite', 'json', 'collection-item-dropdown', { selectedCollection: 'places_known' }),
  named('visited', 'json', 'collection-item-multiple-dropdown', { selectedCollection: 'places_known' }),
];

describe.runIf(inject('browser') !== null && vendor !== undefined)('interfaces of Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-interfaces' })]);
    const known = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      { field: 'name', type: 'string' },
    ];
    expect((await service.api.post('/collections', { collection: 'places_known', schema: {}, meta: {}, fields: known })).status).toBe(200);
    for (const name of ['Rome', 'Oslo']) await service.api.post('/items/places_known', { name });
    expect((await service.api.post('/collections', { collection: 'notebook', schema: {}, meta: {}, fields })).status).toBe(200);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });
  const newest = async () => (await service.api.get('/items/notebook?sort=-id&limit=1')).body.data[0];

  it('of plain values store what was entered', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/notebook/+');
    const keywords = page.getByRole('combobox', { name: 'Keywords' });
    await keywords.fill('first, second');
    await keywords.fill('third');
    await keywords.press('Enter');
    await page.getByRole('button', { name: 'Remove “first”' }).click();
    await page.getByRole('button', { name: 'Colors' }).click();
    await page.getByRole('option', { name: 'Blue' }).click();
    await page.getByRole('option', { name: 'Red' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Fruit').check();
    await page.getByLabel('Pear').uncheck();
    await page.getByLabel('Near').fill('Ro');
    await page.locator('[data-field="near"] datalist option[value="Rome"]').waitFor({ state: 'attached' });
    await page.getByLabel('Near').fill('Rome');
    await page.getByLabel('Mark').fill('home');
    await page.getByLabel('Level').fill('7');
    await page.getByLabel('Shade').last().fill('#ff8800');
    await page.getByLabel('Big').fill('9007199254740993');
    const favourite = page.getByRole('combobox', { name: 'Favourite' });
    await seek(favourite, 'Os');
    // What was typed outlives a page that scrolls, and so does the list.
    await page.evaluate(`new Promise((done) => {
      const form = document.querySelector('.main > .scroll');
      form.addEventListener('scroll', () => requestAnimationFrame(() => requestAnimationFrame(done)), { once: true });
      form.scrollBy(0, -20);
    })`);
    expect(await favourite.inputValue()).toBe('Os');
    await page.getByRole('option', { name: 'Oslo' }).click();
    await seek(page.getByRole('combobox', { name: 'Find in Places Known' }), 'Ro');
    await page.getByRole('option', { name: 'Rome' }).click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/notebook\/\d+$/);
    expect(await newest()).toMatchObject({
      keywords: ['second', 'third'],
      colors: ['red', 'blue'],
      basket: ['apple'],
      near: 'Rome',
      mark: 'home',
      level: 7,
      shade: '#ff8800',
      big: '9007199254740993',
      favourite: { key: 2, collection: 'places_known' },
      visited: [{ key: 1, collection: 'places_known' }],
    });
    await page.getByRole('button', { name: 'Remove “Rome”' }).waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('draw places on a map by pointer and keyboard and as text, and leave alone what a map cannot show', async () => {
    const shapes = [
      { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
      named('spot', 'json', 'map', { geometryType: 'Point' }),
      named('area', 'json', 'map'),
    ];
    expect((await service.api.post('/collections', { collection: 'sites', schema: {}, meta: {}, fields: shapes })).status).toBe(200);
    const stored = async () => (await service.api.get('/items/sites?sort=-id&limit=1')).body.data[0];
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/sites/+');
    const spot = page.locator('[data-field="spot"]');
    await spot.getByLabel('Latitude').fill('52.52');
    await spot.getByLabel('Longitude').fill('13.405');
    await spot.getByRole('button', { name: 'Point at 52.52, 13.405' }).waitFor();
    const area = page.locator('[data-field="area"]');
    await area.getByLabel('Shape').selectOption('Area');
    const map = area.getByRole('group', { name: 'Map: Area' });
    for (const [x, y] of [
      [100, 60],
      [200, 60],
      [200, 120],
    ] as const)
      await map.click({ position: { x, y } });
    const points = area.getByRole('button', { name: /^Point at/ });
    await points.nth(2).waitFor();
    // One more, in the edge that is nearest; then one is dragged and one is moved by the keyboard.
    await map.click({ position: { x: 150, y: 90 } });
    await expect.poll(() => points.count()).toBe(4);
    const first = points.first();
    const before = await first.getAttribute('aria-label');
    const box = await first.boundingBox();
    if (box === null) throw new Error('the handle is not in sight');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 40, box.y + 40, { steps: 3 });
    await page.mouse.up();
    await expect.poll(() => first.getAttribute('aria-label')).not.toBe(before);
    const dragged = await first.getAttribute('aria-label');
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => first.getAttribute('aria-label')).not.toBe(dragged);
    await page.keyboard.press('Delete');
    await expect.poll(() => points.count()).toBe(3);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/sites\/\d+$/);
    const drawn = await stored();
    expect(drawn.spot).toEqual({ type: 'Point', coordinates: [13.405, 52.52] });
    expect([drawn.area.type, drawn.area.coordinates.length, drawn.area.coordinates[0].length]).toEqual(['Polygon', 1, 4]);
    expect(drawn.area.coordinates[0][3]).toEqual(drawn.area.coordinates[0][0]);
    await spot.getByRole('button', { name: 'GeoJSON' }).click();
    await spot.locator('.cm-content').fill('{"type":"Point","coordinates":[1,2,30]}');
    await spot.getByRole('button', { name: 'Point at 2, 1' }).press('Shift+ArrowUp');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await stored()).spot.coordinates).toEqual([1, expect.any(Number), 30]);
    expect((await stored()).spot.coordinates[1]).toBeGreaterThan(2);
    // A value that is no geometry is edited as text, and looking changes nothing.
    const other = (await service.api.post('/items/sites', { spot: { kind: 'unknown' } })).body.data;
    await page.goto(`${service.url}/admin/c/sites/${other.id}`);
    await page.getByText('The map cannot show this value').waitFor();
    expect((await stored()).spot).toEqual({ kind: 'unknown' });
    studio.expectQuiet();
    await studio.close();
  });

  it('refuse what is no value in its place, keep every character, and write numbers as people of the language do', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await service.api.patch('/users/me', { language: 'de-DE' });
    const before = (await newest())?.id;
    await signIn(studio, service, '/admin/c/notebook/+');
    const broken = { Big: '12x', Price: '1.2,3,4', Weight: '-', Short: 'too long' } as const;
    for (const [name, text] of Object.entries(broken)) await page.getByLabel(name, { exact: true }).fill(text);
    await page.getByLabel('Day').focus();
    await page.keyboard.type('0131');
    const records = page.locator('[data-field="records"]');
    await records.getByRole('button', { name: 'Eintrag hinzufügen' }).click();
    const extra = records.getByRole('textbox', { name: 'Extra' });
    await extra.fill('[1');
    const settings = page.getByRole('textbox', { name: 'Settings' });
    await settings.fill('{"id": 12345678901234567890');
    const favourite = page.getByRole('combobox', { name: 'Favourite' });
    await favourite.fill('Os');
    await page.getByRole('option', { name: 'Oslo' }).waitFor();
    await favourite.press('Tab');
    const keywords = page.getByRole('combobox', { name: 'Keywords' });
    await keywords.fill('offen');
    await page.keyboard.press('ControlOrMeta+s');
    await page.getByText('9 Felder brauchen Ihre Aufmerksamkeit.').waitFor();
    await page.locator('[data-field="keywords"] :focus').waitFor();
    await page.reload();
    await page.getByText('9 ungespeicherte Änderungen').waitFor();
    for (const [name, text] of Object.entries(broken)) expect(await page.getByLabel(name, { exact: true }).inputValue()).toBe(text);
    await expect.poll(() => settings.textContent()).toBe('{"id": 12345678901234567890');
    expect([await keywords.inputValue(), await favourite.inputValue()]).toEqual(['offen', 'Os']);
    expect(await page.getByLabel('Day').inputValue()).toBe('0131');
    expect((await newest())?.id).toBe(before);
    expect(await findBarriers(page)).toEqual([]);

    const mended = { Big: '9007199254740993', Price: '1.234,50', Weight: '-0,5', Short: 'short' } as const;
    for (const [name, text] of Object.entries(mended)) await page.getByLabel(name, { exact: true }).fill(text);
    // By the calendar of the browser, which the button beside the text opens.
    await page.locator('[data-field="day"] .native-picker').fill('2026-01-30');
    expect(await page.getByLabel('Day').inputValue()).toBe('30.01.2026');
    await page.getByLabel('Day').fill('31.1.2026');
    await favourite.focus();
    await page.getByRole('option', { name: 'Oslo' }).click();
    await keywords.press('Enter');
    await settings.fill('{"id": 12345678901234567890}');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.getByText('mehr Stellen, als erhalten bleiben').waitFor();
    await settings.fill('{"id": "12345678901234567890"}');
    await records.locator('.row-title').click();
    await extra.fill('[1]');
    await page.getByRole('button', { name: 'Speichern' }).click();
    await page.waitForURL(/\/admin\/c\/notebook\/\d+$/);
    const stored = await newest();
    expect(stored).toMatchObject({
      big: '9007199254740993',
      weight: -0.5,
      short: 'short',
      day: '2026-01-31',
      keywords: ['offen'],
      favourite: { key: 2, collection: 'places_known' },
      records: [{ extra: [1] }],
      settings: { id: '12345678901234567890' },
    });
    expect(Number(stored.price)).toBe(1234.5);
    await expect.poll(() => page.getByLabel('Price').inputValue()).toMatch(/^1234,50*$/);
    expect(await page.getByLabel('Weight').inputValue()).toBe('-0,5');
    await service.api.patch('/users/me', { language: null });
    studio.expectQuiet();
    await studio.close();
  });

  it('edit formatted text, Markdown and JSON, and refuse invalid JSON', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/notebook/+');
    await page.getByRole('textbox', { name: 'Story' }).fill('Once upon a time');
    await page.getByRole('textbox', { name: 'Story' }).press('ControlOrMeta+a');
    await page.getByRole('button', { name: 'Bold' }).click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('# Title\n\n<img src=x onerror="document.title=1"> and *more*');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.locator('.prose h1').getByText('Title').waitFor();
    expect(await page.locator('.prose [onerror]').count()).toBe(0);
    const before = (await newest())?.id;
    const settings = page.getByRole('textbox', { name: 'Settings' });
    await settings.fill('{"a": [1,');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is not valid JSON.').waitFor();
    await page.getByText('One field needs attention.').waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    // Nothing was sent, and every character outlives the page.
    await page.reload();
    await page.getByText('3 unsaved changes').waitFor();
    await page.getByText('This is not valid JSON.').waitFor();
    await expect.poll(() => settings.textContent()).toBe('{"a": [1,');
    expect((await newest())?.id).toBe(before);
    await page.getByRole('button', { name: 'Save' }).click();
    // The focus is where the fault is.
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' 2]}');
    await expect.poll(() => settings.textContent()).toBe('{"a": [1, 2]}');
    await page.getByText('This is not valid JSON.').waitFor({ state: 'detached' });
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/notebook\/\d+$/);
    expect(await newest()).toMatchObject({
      story: '<p><strong>Once upon a time</strong></p>',
      notes: '# Title\n\n<img src=x onerror="document.title=1"> and *more*',
      settings: { a: [1, 2] },
    });
    await studio.close();
  });

  it('show markup that the editor would lose as source, and change nothing by looking', async () => {
    const story = '<table class="wide"><tbody><tr><td>kept</td></tr></tbody></table>';
    const { data } = (await service.api.post('/items/notebook', { story, notes: 'x' })).body;
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/notebook/${data.id}`);
    await page.getByText('markup that the editor would lose').waitFor();
    await page.getByRole('textbox', { name: 'Story' }).getByText('kept').waitFor();
    await page.getByLabel('Mark').fill('star');
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await service.api.get(`/items/notebook/${data.id}?fields=story,mark`)).body.data).toEqual({ story, mark: 'star' });
    studio.expectQuiet();
    await studio.close();
  });
});

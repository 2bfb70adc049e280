// Forms follow the metadata of their fields while they are filled in: conditions, rules, groups, and interfaces of plain values.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const group = ['alias', 'no-data', 'group'];
const json = ['cast-json'];
const paid = { rule: { kind: { _eq: 'paid' } }, hidden: false, required: true };

const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  {
    field: 'notice',
    type: 'alias',
    meta: { interface: 'presentation-notice', special: ['alias', 'no-data'], options: { text: 'Take care.' } },
  },
  { field: 'name', type: 'string', meta: { validation: { name: { _regex: '^[A-Z]' } }, validation_message: 'Begin with a capital.' } },
  { field: 'kind', type: 'string', meta: { interface: 'select-radio', options: { choices: ['free', 'paid'] } } },
  { field: 'price', type: 'integer', meta: { hidden: true, conditions: [paid] } },
  {
    field: 'marks',
    type: 'json',
    meta: { interface: 'select-multiple-checkbox', special: json, options: { choices: ['red', 'green', 'blue'] } },
  },
  { field: 'links', type: 'json', meta: { interface: 'list', special: json, options: { fields: [{ field: 'label', type: 'string' }] } } },
  { field: 'details', type: 'alias', meta: { interface: 'group-detail', special: group, options: { start: 'closed' } } },
  { field: 'height', type: 'integer', meta: { group: 'details', required: true } },
  { field: 'parts', type: 'alias', meta: { interface: 'group-tabs', special: group } },
  { field: 'front', type: 'string', meta: { group: 'parts' } },
  {
    field: 'back',
    type: 'string',
    meta: { group: 'parts', validation: { back: { _starts_with: 'b' } }, validation_message: 'Begin with b.' },
  },
  { field: 'odd', type: 'string', meta: { interface: 'super-widget' } },
];

describe.runIf(inject('browser') !== null && vendor !== undefined)('forms of Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-form' })]);
    const created = await service.api.post('/collections', { collection: 'things', schema: {}, meta: {}, fields });
    expect(created.status).toBe(200);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('show what conditions ask for, and say what is missing before anything is sent', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/things/+');
    await page.getByText('Take care.').waitFor();
    await page.getByText('Studio does not know the interface “super-widget”').waitFor();
    expect(await page.getByLabel('Price').count()).toBe(0);
    await page.getByLabel('Name').fill('lower');
    await page.getByLabel('Paid').check();
    await page.getByLabel('Green').check();
    await page.getByLabel('Red', { exact: true }).check();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByLabel('Label').fill('Docs');
    await page.getByRole('tab', { name: 'Back' }).click();
    await page.getByRole('textbox', { name: 'Back' }).fill('wrong');
    await page.getByRole('tab', { name: 'Front' }).click();
    expect(await page.getByLabel('Height').isVisible()).toBe(false);
    studio.requests();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('4 fields need attention.').waitFor();
    await page.getByText('Begin with a capital.').waitFor();
    await page.getByText('Begin with b.').waitFor();
    await page.getByRole('textbox', { name: 'Back' }).fill('back');
    await page.locator('[data-field="price"]').getByRole('alert').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(studio.requests()).toEqual([]);
    await page.getByLabel('Name').fill('Upper');
    await page.getByLabel('Price').fill('12');
    await page.getByLabel('Height').fill('3');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/\/admin\/c\/things\/\d+$/);
    expect((await service.api.get('/items/things')).body.data).toEqual([
      {
        id: 1,
        name: 'Upper',
        kind: 'paid',
        price: 12,
        marks: ['red', 'green'],
        links: [{ label: 'Docs' }],
        height: 3,
        front: null,
        back: 'back',
        odd: null,
      },
    ]);
    studio.expectQuiet();
    await studio.close();
  });
});

// Flows in Studio: one made from nothing and run, one that fails and is mended, buttons in lists and at items, and what people without rights see.
// Each asserts what is stored.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { endedRuns, makeFlow, makeNotes } from '../harness/flows.js';
import { patience } from '../harness/patience.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, findBarriersInBothColours, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };

describe.runIf(inject('browser') !== null && vendor !== undefined)('flows in Studio', () => {
  let browser: Browser;
  let service: TestService;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-flows' })]);
    for (const name of ['notes', 'echoes']) await makeNotes(service, name);
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const openAt = async (place: string): Promise<StudioPage> => {
    const studio = await openStudio(browser, service);
    await signIn(studio, service, `/admin/${place}`);
    return studio;
  };
  const stored = async (id: string) =>
    (await service.api.get(`/flows/${id}?fields=name,status,trigger,options,operation,operations.*`)).body.data;
  const idIn = (page: Page): string => /\/flows\/([\da-f-]{36})/.exec(page.url())?.[1] ?? '';
  const texts = async (collection: string) =>
    (await service.api.get(`/items/${collection}?sort=id&limit=-1`)).body.data.map(({ text }: { text: string }) => text);
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.toast', { hasText: 'Saved' }).last().waitFor();
  };
  const addStep = async (page: Page, at: string, kind: string) => {
    await page.getByRole('button', { name: at }).click();
    await page.getByRole('dialog', { name: 'What should it do?' }).getByRole('button', { name: kind }).click();
    return page.getByRole('dialog', { name: kind });
  };

  it('one is made from nothing: when a note is created, an echo is; it runs, and its run is seen', async () => {
    const studio = await openAt('flows');
    const { page } = studio;
    await page.getByRole('heading', { name: 'No flows yet' }).waitFor();
    await page.getByRole('button', { name: 'New flow' }).last().click();
    const dialog = page.getByRole('dialog', { name: 'New flow' });
    await dialog.getByLabel('Name').fill('Echo');
    await dialog.getByRole('radio', { name: 'When items are written' }).check();
    await dialog.getByRole('button', { name: 'Create flow' }).click();
    await page.getByRole('heading', { level: 1, name: 'Echo' }).waitFor();
    await page.getByRole('button', { name: /^What starts the flow/ }).click();
    const trigger = page.getByRole('dialog', { name: 'What starts the flow' });
    await trigger.getByText('Choose at least one collection').waitFor();
    await trigger.getByRole('checkbox', { name: 'Notes' }).check();
    expect(await findBarriers(page)).toEqual([]);
    await trigger.getByRole('button', { name: 'Done' }).click();
    const first = await addStep(page, 'Add step', 'Go on only if');
    await first.getByRole('textbox', { name: 'Value of the run 1' }).fill('$trigger.payload.text');
    await first.getByLabel('Comparison 1').selectOption('_neq');
    await first.getByRole('textbox', { name: 'Value 1', exact: true }).fill('quiet');
    await first.getByRole('button', { name: 'Done' }).click();
    const step = await addStep(page, 'Add a step after condition', 'Create items');
    await step.getByLabel('Collection', { exact: true }).selectOption('echoes');
    const values = step.getByRole('textbox', { name: 'Values', exact: true });
    await values.fill('{"text": "Echo of "}');
    await values.evaluate((field: { setSelectionRange(from: number, to: number): void }) => field.setSelectionRange(18, 18));
    await step.getByRole('button', { name: 'Insert a value of the run into Values' }).click();
    await page.getByRole('menuitem', { name: '$trigger.payload.text', exact: true }).click();
    await expect.poll(() => values.inputValue(), poll).toBe('{"text": "Echo of {{ $trigger.payload.text }}"}');
    expect(await findBarriers(page)).toEqual([]);
    await step.getByRole('button', { name: 'Done' }).click();
    // What is not stored survives a reload, and is not taken for stored.
    await page.reload();
    await page.getByText('Your changes from an earlier visit are still here').waitFor();
    expect((await stored(idIn(page))).operations).toEqual([]);
    await page.getByRole('checkbox', { name: 'Active' }).check();
    await save(page);
    const flow = await stored(idIn(page));
    expect(flow).toMatchObject({
      ...{ name: 'Echo', status: 'active', trigger: 'event' },
      options: { type: 'action', scope: ['items.create'], collections: ['notes'] },
    });
    const [condition, create] = ['condition', 'item_create'].map((key) =>
      flow.operations.find((each: { key: string }) => each.key === key),
    );
    expect([flow.operation, condition.resolve, create.resolve, condition.reject]).toEqual([condition.id, create.id, null, null]);
    expect(condition.options).toEqual({ filter: { $trigger: { payload: { text: { _neq: 'quiet' } } } } });
    expect(create.options).toEqual({ collection: 'echoes', payload: { text: 'Echo of {{ $trigger.payload.text }}' } });
    await service.api.post('/items/notes', [{ text: 'hello' }, { text: 'quiet' }]);
    await endedRuns(service, idIn(page), 2);
    expect(await texts('echoes')).toEqual(['Echo of hello']);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    const table = page.getByRole('table', { name: 'Runs' });
    await table.getByText('Succeeded').waitFor();
    await table.getByText('Failed').waitFor();
    expect(await findBarriersInBothColours(page)).toEqual([]);
    await table.getByRole('row', { name: 'Succeeded' }).getByRole('link').click();
    const results = page.getByRole('list', { name: 'Steps' });
    await results.getByText('Create items').click();
    await results.getByText('"text": "Echo of hello"').waitFor();
    expect(await findBarriersInBothColours(page)).toEqual([]);
    studio.expectQuiet();
    await studio.close();
  });

  it('one that fails is found, mended after a refusal that is shown in place, and run again', async () => {
    const { id } = await makeFlow(
      service,
      { name: 'Fragile', trigger: 'event', options: { type: 'action', scope: ['items.update'], collections: ['notes'] } },
      [{ key: 'check', type: 'exec', options: { code: 'module.exports = async function () { throw new Error("teapot") }' } }],
    );
    const { body } = await service.api.post('/items/notes', { text: 'quiet' });
    await service.api.patch(`/items/notes/${body.data.id}`, { text: 'changed' });
    await endedRuns(service, id, 1);
    const studio = await openAt('flows');
    const { page } = studio;
    const row = page.getByRole('row', { name: 'Fragile' });
    await row.getByRole('link', { name: '1 failed' }).click();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').click();
    await page.getByRole('list', { name: 'Steps' }).getByText('teapot').first().waitFor();
    await page.getByRole('link', { name: 'Fragile' }).click();
    await page.getByRole('link', { name: 'Steps', exact: true }).click();
    await page.getByRole('button', { name: /Run a script\s*check/ }).click();
    const drawer = page.getByRole('dialog', { name: 'Run a script' });
    const code = drawer.locator('.cm-content');
    await code.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('module.exports = async function () { return {{ $last }} }');
    await drawer.getByRole('button', { name: 'Done' }).click();
    studio.allowRefusals(`400 PATCH /flows/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The flow was not saved. A script takes no').waitFor();
    await page.getByRole('button', { name: /Run a script\s*check/ }).click();
    await code.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('module.exports = async function (data) { return { text: data.$trigger.payload.text } }');
    await drawer.getByRole('button', { name: 'Done' }).click();
    await save(page);
    await page.getByRole('button', { name: 'Try it out' }).click();
    const trial = page.getByRole('dialog', { name: 'Try it out' });
    await trial.getByLabel('Key of the item').fill(String(body.data.id));
    await trial.getByRole('button', { name: 'Take it' }).click();
    await expect.poll(() => trial.getByLabel('What starts it').inputValue(), poll).toContain('"changed"');
    await trial.getByRole('button', { name: 'Start', exact: true }).click();
    await trial.getByText('It would succeed').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('table', { name: 'Runs' }).getByRole('link').click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('Succeeded').waitFor();
    expect((await endedRuns(service, id, 1)).map(({ status }) => status)).toEqual(['ok']);
    await service.api.delete(`/flows/${id}`);
    studio.expectQuiet();
    await studio.close();
  });

  it('steps are led to on failure, moved, deleted and brought back; a copy has the same, and a flow goes with its steps', async () => {
    const { id, ids } = await makeFlow(service, { name: 'Ways', trigger: 'webhook', options: { method: 'POST' } }, [
      { key: 'one', type: 'log', options: { message: '1' } },
      { key: 'two', type: 'log', options: { message: '2' } },
    ]);
    const studio = await openAt(`flows/${id}`);
    const { page } = studio;
    const fallback = await addStep(page, 'Add a step for when one fails', 'Fail with an error');
    await fallback.getByRole('textbox', { name: 'Message', exact: true }).fill('no');
    await fallback.getByLabel('Key', { exact: true }).fill('two');
    await fallback.getByText('Another step has this key.').waitFor();
    await fallback.getByLabel('Key', { exact: true }).fill('sorry');
    await fallback.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'two: More' }).click();
    await page.getByRole('menuitem', { name: 'Move two up' }).click();
    await page.getByRole('button', { name: 'sorry: More' }).click();
    await page.getByRole('menuitem', { name: 'Delete sorry' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await save(page);
    const flow = await stored(id);
    const of = (key: string) => flow.operations.find((each: { key: string }) => each.key === key);
    expect([flow.operation, of('two').resolve, of('one').resolve, of('one').reject]).toEqual([ids[1], ids[0], null, of('sorry').id]);
    expect(of('sorry').options).toEqual({ message: 'no' });
    expect(await findBarriersInBothColours(page)).toEqual([]);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ways (copy)' }).waitFor();
    const copy = await stored(idIn(page));
    expect([copy.status, copy.operations.map(({ key }: { key: string }) => key).toSorted()]).toEqual(['inactive', ['one', 'sorry', 'two']]);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete flow' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete flow' }).click();
    await page.getByRole('row', { name: 'Ways' }).first().waitFor();
    expect((await service.api.get('/flows?filter[name]=Ways (copy)')).body.data).toEqual([]);
    await service.api.delete(`/flows/${id}`);
    studio.expectQuiet();
    await studio.close();
  });

  it('one by hand has its button at items and in lists, asks first, and gets what was answered', async () => {
    const fields = [{ field: 'why', name: 'Reason', type: 'string', meta: { interface: 'input', required: true } }];
    const options = { collections: ['notes'], requireConfirmation: true, confirmationDescription: 'Really mark?', fields };
    const { id } = await makeFlow(service, { name: 'Mark', trigger: 'manual', options, accountability: 'all' }, [
      {
        key: 'mark',
        type: 'item-update',
        options: { collection: 'notes', key: '{{ $trigger.body.keys }}', payload: { text: 'marked: {{ $trigger.body.why }}' } },
      },
    ]);
    const made = (await service.api.post('/items/notes', [{ text: 'first' }, { text: 'second' }])).body.data as { id: number }[];
    const reader = await makePerson(service, [
      {
        app_access: true,
        permissions: [
          { collection: 'notes', action: 'read' },
          { collection: 'notes', action: 'update' },
        ],
      },
    ]);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, `/admin/c/notes/${made[0]?.id}`, reader);
    // Whoever may not read flows has the button, and no page about them.
    await page.getByRole('button', { name: 'Mark' }).click();
    expect(await page.getByRole('link', { name: 'Automation' }).count()).toBe(0);
    const dialog = page.getByRole('dialog', { name: 'Mark' });
    await dialog.getByText('Really mark?').waitFor();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await dialog
      .getByText(/needs a value|Required|required/)
      .first()
      .waitFor();
    await dialog.getByLabel('Reason').fill('old');
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Mark is done').waitFor();
    await expect.poll(() => page.getByLabel('Text').inputValue(), poll).toBe('marked: old');
    await page.goto(`${service.url}/admin/c/notes`);
    const grid = page.getByRole('grid', { name: 'Notes' });
    await grid.getByText('marked: old').waitFor({ state: 'attached' });
    // Without a selection there is nothing to start it on.
    expect(await page.getByRole('button', { name: 'Mark' }).count()).toBe(0);
    const box = await grid.boundingBox();
    if (box === null) throw new Error('the grid is not in sight');
    await page.mouse.click(box.x + 20, box.y + 36 + 18);
    await page.getByText('1 selected').waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Mark' }).click();
    await dialog.getByLabel('Reason').fill('new');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByText('Mark is done').waitFor();
    await expect.poll(async () => (await texts('notes')).includes('marked: new'), poll).toBe(true);
    studio.expectQuiet();
    await studio.close();
    const admin = await openAt(`flows/${id}/runs`);
    await admin.page.getByRole('table', { name: 'Runs' }).getByText('Succeeded').first().waitFor();
    expect(await admin.page.getByRole('table', { name: 'Runs' }).getByRole('row').count()).toBe(3);
    admin.expectQuiet();
    await admin.close();
    await service.api.delete(`/flows/${id}`);
  });

  it('people see what they may: a reader reads, and is offered nothing else', async () => {
    const { id } = await makeFlow(service, { name: 'Seen', trigger: 'schedule', options: { cron: '0 6 * * 1' } }, [
      { key: 'a', type: 'log' },
    ]);
    const reader = await makePerson(service, [
      {
        app_access: true,
        permissions: ['flows', 'operations'].map((name) => ({ collection: `service_${name}`, action: 'read' as const })),
      },
    ]);
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/', reader);
    await page.getByRole('link', { name: 'Automation' }).click();
    expect(await page.getByRole('button', { name: 'New flow' }).count()).toBe(0);
    expect(await page.getByRole('checkbox', { name: 'Seen is active' }).isDisabled()).toBe(true);
    await page.getByRole('row', { name: 'Seen' }).getByRole('link', { name: 'Seen' }).click();
    await page.getByText('You may read this flow, but not change it.').waitFor();
    await page.getByText('Every Monday at 6:00').waitFor();
    for (const name of ['Save', 'Try it out', 'Add step']) expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    expect(await findBarriersInBothColours(page)).toEqual([]);
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByText('You may not read the runs of flows.').waitFor();
    studio.expectQuiet();
    await studio.close();
    await service.api.delete(`/flows/${id}`);
  });

  it('a time table is refused in place, by keyboard alone, on a phone in the dark', async () => {
    const { id } = await makeFlow(service, { name: 'Weekly report', trigger: 'schedule', options: { cron: '0 6 * * 1' } }, [
      { key: 'a', type: 'log', options: { message: 'a long message that has to be cut off somewhere on a small screen' } },
    ]);
    const studio = await openStudio(browser, service, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const { page } = studio;
    await signIn(studio, service, '/admin/flows');
    await page.getByRole('link', { name: 'Weekly report' }).waitFor();
    const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await fits();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Weekly report' }).focus();
    await page.keyboard.press('Enter');
    const card = page.getByRole('button', { name: /^What starts the flow/ });
    await card.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'What starts the flow' });
    await drawer.getByLabel('Time table').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('61 * * * *');
    await fits();
    await drawer.getByRole('button', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    studio.allowRefusals(`400 PATCH /flows/${id}`);
    await page.getByRole('button', { name: 'Save', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('is no time table').waitFor();
    expect((await stored(id)).options).toEqual({ cron: '0 6 * * 1' });
    await card.focus();
    await page.keyboard.press('Enter');
    await drawer.getByText('is no time table').waitFor();
    await drawer.getByRole('button', { name: 'Every hour' }).focus();
    await page.keyboard.press('Enter');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await save(page);
    expect((await stored(id)).options).toEqual({ cron: '0 * * * *' });
    await fits();
    expect(await findBarriers(page)).toEqual([]);
    await service.api.delete(`/flows/${id}`);
    studio.expectQuiet();
    await studio.close();
  });
});

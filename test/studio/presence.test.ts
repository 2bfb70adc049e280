// Two people at one item: each sees that the other has it open, and when they leave.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makePerson, type Person } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriers, launchBrowser, openStudio, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const fields = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  { field: 'name', type: 'string' },
];
const place = '/admin/c/boats/1';

describe.runIf(inject('browser') !== null && vendor !== undefined)('an item that others have open', () => {
  let browser: Browser;
  let service: TestService;
  let ada: Person;
  let cy: Person;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-presence' })]);
    await service.api.post('/collections', { collection: 'boats', schema: {}, meta: {}, fields });
    await service.api.post('/items/boats', [{ name: 'Argo' }, { name: 'Beagle' }]);
    const { data } = (await service.api.get('/users/me')).body;
    await service.api.patch(`/users/${data.id}`, { first_name: 'Grace', last_name: 'Hopper' });
    const boats = { collection: 'boats', action: 'read' } as const;
    const users = { collection: 'service_users', action: 'read', fields: ['id', 'first_name', 'last_name'] } as const;
    ada = await makePerson(service, [{ app_access: true, permissions: [boats, users] }], { first_name: 'Ada', last_name: 'Lovelace' });
    cy = await makePerson(service, [{ app_access: true, permissions: [boats] }], { first_name: 'Cy' });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  it('says so to both, without another connection or request, and that they have left', async () => {
    const [mine, theirs] = [await openStudio(browser, service), await openStudio(browser, service)];
    const sockets: string[] = [];
    mine.page.on('websocket', (socket) => sockets.push(socket.url()));
    await signIn(mine, service, place);
    await mine.page.getByLabel('Name').waitFor();
    await signIn(theirs, service, place, ada);
    await mine.page.getByText('Also open by Ada Lovelace').waitFor();
    await theirs.page.getByText('Also open by Grace Hopper').waitFor();
    expect(sockets).toHaveLength(1);
    expect(await findBarriers(mine.page)).toEqual([]);
    expect(await mine.page.getByRole('status').filter({ hasText: 'Also open by' }).count()).toBe(1);
    mine.requests();
    const begun = Date.now();
    await theirs.page.getByRole('heading').getByRole('link', { name: 'Boats' }).click();
    await mine.page.getByText('Also open by').waitFor({ state: 'detached' });
    expect(Date.now() - begun).toBeLessThan(2000);
    await theirs.page.goBack();
    await mine.page.getByText('Also open by Ada Lovelace').waitFor();
    await theirs.close();
    await mine.page.getByText('Also open by').waitFor({ state: 'detached' });
    expect(mine.requests()).toEqual([]);
    for (const studio of [mine, theirs]) studio.expectQuiet();
    await mine.close();
  });

  it('names no user the person may not see, and fits a phone', async () => {
    const [mine, theirs] = [
      await openStudio(browser, service, { viewport: { width: 390, height: 844 } }),
      await openStudio(browser, service),
    ];
    await signIn(mine, service, place, cy);
    await signIn(theirs, service, place, ada);
    const status = mine.page.getByRole('status').filter({ hasText: 'Also open by another person' });
    await status.waitFor();
    expect(await status.locator('[aria-hidden]').textContent()).toBe('+1');
    expect(await status.locator('[aria-hidden]').isVisible()).toBe(true);
    expect(await mine.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await findBarriers(mine.page)).toEqual([]);
    for (const studio of [mine, theirs]) {
      studio.expectQuiet();
      await studio.close();
    }
  });
});

// Sharing an item by a link: made, sent, opened by somebody without an account, and ended.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { linkOf, type MailBox, openMailBox } from '../harness/mail-box.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriersInBothColours, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');

describe.runIf(inject('browser') !== null && vendor !== undefined)('shares', () => {
  let browser: Browser;
  let mailBox: MailBox;
  let service: TestService;
  let role: string;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    mailBox = await openMailBox();
    [browser, service] = await Promise.all([
      launchBrowser(),
      startService(vendor, { area: 'studio-shares', demo: true, config: { mailUrl: mailBox.url } }),
    ]);
    role = (await service.api.post('/roles', { name: 'Readers' })).body.data.id;
    const permissions = [{ collection: 'books', action: 'read', fields: ['id', 'title', 'summary', 'author'] }];
    const policy = (await service.api.post('/policies', { name: 'Reading', permissions })).body.data.id;
    await service.api.post('/access', { role, policy });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
    await mailBox?.close();
  });

  const openDrawer = async (page: Page) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    return page.getByRole('dialog', { name: 'Share “Emma”' });
  };
  const checkBarriers = async (page: Page) => {
    expect(await findBarriersInBothColours(page)).toEqual([]);
  };
  const visit = async (link: string, options = {}): Promise<StudioPage> => {
    const guest = await openStudio(browser, service, options);
    await guest.page.goto(link);
    return guest;
  };
  const makeShare = async (values: object): Promise<string> => {
    const answer = await service.api.post('/shares', { collection: 'books', item: '2', role, ...values });
    expect(answer.status, answer.text).toBe(200);
    return `${service.url}/admin/shared/${answer.body.data.id}`;
  };

  it('are made with a password, sent by mail, opened in another browser, and deleted', async () => {
    const studio = await openStudio(browser, service, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = studio;
    await signIn(studio, service, '/admin/c/books/2');
    const drawer = await openDrawer(page);
    await drawer.getByText('There is no link to this item yet.').waitFor();
    await drawer.getByLabel('Name').fill('For the printer');
    await drawer.getByLabel('Role').selectOption({ label: 'Readers' });
    await drawer.getByLabel('Password').fill('open sesame');
    await drawer.getByLabel('Can be opened').fill('2');
    await drawer.getByRole('button', { name: 'Create link' }).click();
    await drawer.getByText('Readers · With a password · Opened 0 of 2 times').waitFor();
    await checkBarriers(page);
    const [stored] = (await service.api.get('/shares?fields=id,name,collection,item,role,max_uses,date_end')).body.data;
    expect(stored).toMatchObject({ name: 'For the printer', collection: 'books', item: '2', role, max_uses: 2, date_end: null });
    await drawer.getByRole('button', { name: 'Copy link “For the printer”' }).click();
    await page.getByText('Link copied').waitFor();
    const link: string = await page.evaluate('navigator.clipboard.readText()');
    expect(link).toBe(`${service.url}/admin/shared/${stored.id}`);
    await drawer.getByRole('button', { name: 'Invite people to “For the printer”' }).click();
    await page.getByLabel('Email addresses').fill('ann@example.com, ben@example.com');
    await page.getByRole('button', { name: 'Send invitations' }).click();
    await page.getByText('2 invitations are on their way').waitFor();
    expect(new URL(linkOf(await mailBox.next('ann@example.com')).link).pathname).toBe(`/admin/shared/${stored.id}`);
    await mailBox.next('ben@example.com');

    const guest = await visit(link);
    guest.allowRefusals('401 POST /shares/auth');
    await guest.page.getByRole('heading', { name: 'Somebody shared an item with you' }).waitFor();
    await checkBarriers(guest.page);
    await guest.page.getByLabel('Password', { exact: true }).fill('close sesame');
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByText('This password is wrong.').waitFor();
    await guest.page.getByLabel('Password', { exact: true }).fill('open sesame');
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    expect(await guest.page.getByLabel('Title').inputValue()).toBe('Emma');
    expect(await guest.page.getByLabel('Title').isEditable()).toBe(false);
    // The role reads four fields, and nothing besides the item.
    expect(await guest.page.getByLabel('Price').count()).toBe(0);
    expect(await guest.page.getByRole('navigation').count()).toBe(0);
    expect(await guest.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await checkBarriers(guest.page);
    expect(await guest.page.evaluate('[Object.keys(localStorage).length, Object.keys(sessionStorage).length, document.cookie]')).toEqual([
      0,
      0,
      '',
    ]);
    expect(await guest.page.context().cookies()).toEqual([]);
    await guest.close();

    await drawer.getByRole('button', { name: 'Delete the link “For the printer”' }).click();
    await page.getByText('It stops working at once, for people who have opened it as well.').waitFor();
    await page.getByRole('button', { name: 'Delete link' }).click();
    await drawer.getByText('There is no link to this item yet.').waitFor();
    expect((await service.api.get('/shares')).body.data).toEqual([]);
    const late = await visit(link);
    late.allowRefusals('403 GET /shares/info/');
    await late.page.getByRole('heading', { name: 'This link is over' }).waitFor();
    await checkBarriers(late.page);
    await late.close();
    studio.expectQuiet();
    await studio.close();
  });

  it('say plainly when they are used up, over, or show nothing', async () => {
    const once = await makeShare({ max_uses: 1 });
    const guest = await visit(once, { viewport: { width: 390, height: 844 } });
    guest.allowRefusals('403 GET /shares/info/');
    await guest.page.getByText('This link can be opened once more.').waitFor();
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    expect(await guest.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await checkBarriers(guest.page);
    // A reload is no other use; another visitor would be one.
    await guest.page.reload();
    await guest.page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    expect((await service.api.get(`/shares/${once.split('/').at(-1)}?fields=times_used`)).body.data).toEqual({ times_used: 1 });
    guest.expectQuiet();
    await guest.page.goto('about:blank');
    await guest.page.goto(once);
    await guest.page.getByRole('heading', { name: 'This link is used up' }).waitFor();
    await guest.page.goto(await makeShare({ date_end: '2020-01-01T00:00:00Z' }));
    await guest.page.getByRole('heading', { name: 'This link is over' }).waitFor();
    await guest.page.goto(await makeShare({ role: null }));
    await guest.page.getByRole('button', { name: 'Open', exact: true }).click();
    await guest.page.getByRole('heading', { name: 'There is nothing to see here' }).waitFor();
    await guest.close();
  });

  it('leave the session of a signed-in user as it is', async () => {
    const link = await makeShare({});
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service);
    const before = await page.context().cookies();
    await page.goto(link);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Emma' }).waitFor();
    // An administrator sees by the link what the role sees.
    expect(await page.getByLabel('Price').count()).toBe(0);
    expect(await page.context().cookies()).toEqual(before);
    await page.goto(`${service.url}/admin/c/books/2`);
    await page.getByLabel('Price').waitFor();
    studio.expectQuiet();
    await studio.close();
  });

  it('are made of a collection with one item, too', async () => {
    const studio = await openStudio(browser, service);
    const { page } = studio;
    await signIn(studio, service, '/admin/c/shop');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Share…' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Name').fill('The shop');
    await drawer.getByLabel('Role').selectOption({ label: 'Readers' });
    await drawer.getByRole('button', { name: 'Create link' }).click();
    await drawer.getByText('The shop').waitFor();
    const [stored] = (await service.api.get('/shares?fields=id,item&filter[collection][_eq]=shop')).body.data;
    expect(stored.item).toBe('1');
    studio.expectQuiet();
    await studio.close();
  });

  it('are offered only to people who may share', async () => {
    const read = { collection: 'books', action: 'read' } as const;
    const shares = { collection: 'service_shares', fields: ['*'] };
    const sharer = await makePerson(service, [
      {
        app_access: true,
        permissions: [read, { collection: 'books', action: 'share' }, { ...shares, action: 'create' }, { ...shares, action: 'read' }],
      },
    ]);
    const reader = await makePerson(service, [{ app_access: true, permissions: [read] }]);
    for (const [person, count] of [
      [sharer, 1],
      [reader, 0],
    ] as const) {
      const studio = await openStudio(browser, service);
      const { page } = studio;
      await signIn(studio, service, '/admin/c/books/2', person);
      await page.getByLabel('Title').waitFor();
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Show as request' }).waitFor();
      expect(await page.getByRole('menuitem', { name: 'Share…' }).count()).toBe(count);
      studio.expectQuiet();
      await studio.close();
    }
  });
});

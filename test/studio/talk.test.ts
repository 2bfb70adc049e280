// Comments on items, and the notifications that mentions make, as two people see them. The database is asked what became of it.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { patience } from '../harness/patience.js';
import { makePerson, type Person, type PolicySpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { closePages, findBarriersInBothColours, holdBack, launchBrowser, openStudio, type StudioPage, signIn } from './open-studio.js';

const [vendor] = inject('vendors');
const poll = { timeout: patience, interval: 50 };
const fixture = `
  create table articles (id integer primary key, title varchar(50));
  insert into articles values (1, 'First'), (2, 'Second');
`;
const works: PolicySpec = {
  app_access: true,
  permissions: [
    { collection: 'articles', action: 'read' },
    { collection: 'articles', action: 'update' },
    { collection: 'service_comments', action: 'read' },
    { collection: 'service_users', action: 'read', fields: ['id', 'first_name', 'last_name'] },
    { collection: 'service_users', action: 'update', permissions: { id: { _eq: '$CURRENT_USER' } }, fields: ['email_notifications'] },
  ],
};

const composer = (page: Page) => page.getByRole('textbox', { name: 'Write a comment' });
const bell = (page: Page, name = 'Notifications') => page.getByRole('button', { name, exact: true });
const submitComment = (page: Page) => page.getByRole('button', { name: 'Comment', exact: true }).click();

describe.runIf(inject('browser') !== null && vendor !== undefined)('comments and notifications', () => {
  let browser: Browser;
  let service: TestService;
  let ann: Person;
  let ben: Person;
  beforeAll(async () => {
    if (vendor === undefined) throw new Error('no database');
    [browser, service] = await Promise.all([launchBrowser(), startService(vendor, { area: 'studio-talk', fixture })]);
    ann = await makePerson(service, [works], { first_name: 'Ann', last_name: 'Author' });
    ben = await makePerson(service, [works], { first_name: 'Ben', last_name: 'Reader' });
  });
  beforeEach(async () => {
    await service.api.delete('/comments', { query: { limit: -1 } });
    await service.api.delete('/notifications', { query: { limit: -1 } });
  });
  afterAll(async () => {
    await closePages(browser);
    await service?.stop();
  });

  const enter = async (person: Person, place: string, options = {}): Promise<StudioPage> => {
    const studio = await openStudio(browser, service, options);
    const { page } = studio;
    const frames: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))));
    await signIn(studio, service, place, person);
    // The bell is followed from now on.
    await expect.poll(() => frames.some((frame) => frame.includes('"init"')), poll).toBe(true);
    return studio;
  };
  const stored = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await service.api.get('/notifications?fields=recipient,sender,status,subject,message,collection,item&sort=id')).body.data;
  const leave = async (...studios: readonly StudioPage[]): Promise<void> => {
    for (const studio of studios) {
      studio.expectQuiet();
      await studio.close();
    }
  };

  it('one mentions the other, who sees the bell change, lands on the item, and archives', async () => {
    const theirs = await enter(ben, '/admin/');
    await bell(theirs.page).waitFor();
    const mine = await enter(ann, '/admin/c/articles/1');
    await mine.page.getByRole('button', { name: 'Comments' }).click();
    await mine.page.getByText('No comments yet').waitFor();
    await composer(mine.page).pressSequentially('Please look, @');
    await mine.page.getByRole('option', { name: 'Admin User' }).waitFor();
    // Enter comes before the answer: it takes somebody who matches what is typed.
    const letGo = await holdBack(mine.page, 'SEARCH', /\/users$/);
    await composer(mine.page).pressSequentially('be');
    await mine.page.keyboard.press('Enter');
    letGo();
    await composer(mine.page).pressSequentially('thanks');
    expect(await composer(mine.page).inputValue()).toBe('Please look, @Ben Reader thanks');
    await mine.page.keyboard.press('Control+Enter');
    await mine.page.getByRole('listitem').getByText('@Ben Reader').waitFor();
    expect(await composer(mine.page).inputValue()).toBe('');
    expect((await service.api.get('/comments?fields=comment,item,user_created')).body.data).toEqual([
      { comment: `Please look, @${ben.id} thanks`, item: '1', user_created: ann.id },
    ]);
    // Without a reload.
    await bell(theirs.page, 'Notifications: 1 new').click();
    const entry = theirs.page.getByRole('listitem').filter({ hasText: 'You were mentioned in articles' });
    await entry.getByText('Please look, @Ben Reader thanks').waitFor();
    await entry.getByText('Ann Author').waitFor();
    await entry.getByRole('link', { name: 'You were mentioned in articles' }).click();
    await theirs.page.waitForURL(/\/admin\/c\/articles\/1$/);
    await theirs.page.getByLabel('Title').waitFor();
    await bell(theirs.page, 'Notifications: 1 new').click();
    await theirs.page.getByRole('button', { name: 'Archive: You were mentioned in articles' }).click();
    await theirs.page.getByText('You are up to date').waitFor();
    expect(await stored()).toEqual([
      {
        recipient: ben.id,
        sender: ann.id,
        status: 'archived',
        subject: 'You were mentioned in articles',
        message: 'Please look, @Ben Reader thanks',
        collection: 'articles',
        item: '1',
      },
    ]);
    await theirs.page.getByRole('button', { name: 'Archived', exact: true }).click();
    await theirs.page.getByRole('button', { name: 'Move to inbox: You were mentioned in articles' }).click();
    await theirs.page.getByText('Nothing is archived').waitFor();
    expect((await stored())[0]).toMatchObject({ status: 'inbox' });
    await leave(mine, theirs);
  });

  it('what the other one writes appears, and what one wrote oneself can be changed and deleted', async () => {
    const mine = await enter(ann, '/admin/c/articles/2?comments');
    const { page } = mine;
    await page.getByText('No comments yet').waitFor();
    await ben.api.post('/comments', { collection: 'articles', item: '2', comment: 'from elsewhere' });
    await page.getByText('from elsewhere').waitFor();
    expect(await page.getByRole('button', { name: 'Edit comment' }).count()).toBe(0);
    await composer(page).fill('mine');
    await submitComment(page);
    await page.getByRole('button', { name: 'Edit comment' }).click();
    const editor = page.getByRole('textbox', { name: 'Edit comment' });
    expect(await editor.inputValue()).toBe('mine');
    await editor.fill('mine, changed');
    await page.reload();
    // What was typed is there again.
    await expect.poll(() => editor.inputValue(), poll).toBe('mine, changed');
    await page.getByRole('button', { name: 'Save comment' }).click();
    await page.getByRole('listitem').filter({ hasText: 'mine, changed' }).getByText('edited').waitFor();
    await page.getByRole('button', { name: 'Delete comment' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click();
    await page.getByText('mine, changed').waitFor({ state: 'detached' });
    expect((await service.api.get('/comments?fields=comment')).body.data).toEqual([{ comment: 'from elsewhere' }]);
    await leave(mine);
  });

  it('a comment that is not sent is kept, and one that is refused stays as it was typed', async () => {
    const mine = await enter(ann, '/admin/c/articles/1?comments');
    mine.allowRefusals('400 POST /comments');
    const { page } = mine;
    await composer(page).fill('not yet');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Comments' }).click();
    await expect.poll(() => composer(page).inputValue(), poll).toBe('not yet');
    const many = Array.from({ length: 51 }, (_, index) => `@${ben.id.slice(0, -2)}${String(index).padStart(2, '0')}`).join(' ');
    await composer(page).fill(many);
    await submitComment(page);
    await page.getByRole('alert').getByText('at most 50 users').waitFor();
    expect(await composer(page).inputValue()).toBe(many);
    expect((await service.api.get('/comments')).body.data).toEqual([]);
    await mine.close();
  });

  it('all are archived at once, and the switch for mails is in the own account', async () => {
    const rows = Array.from({ length: 35 }, (_, index) => ({ recipient: ben.id, subject: `Number ${index}`, message: 'Text' }));
    await service.api.post('/notifications', [...rows, { recipient: ann.id, subject: 'Not yours' }]);
    const studio = await enter(ben, '/admin/');
    const { page } = studio;
    studio.requests();
    await bell(page, 'Notifications: 35 new').click();
    await page.getByText('Number 34').waitFor();
    await page.getByRole('button', { name: 'Show older ones' }).click();
    await page.getByText('Number 0', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Archive all' }).click();
    await page.getByText('You are up to date').waitFor();
    expect((await stored()).filter(({ status }) => status === 'inbox')).toMatchObject([{ subject: 'Not yours' }]);
    await page.keyboard.press('Escape');
    await bell(page).waitFor();
    await page.goto(`${service.url}/admin/me`);
    const mails = page.getByRole('checkbox', { name: 'Send me notifications by mail' });
    expect(await mails.isChecked()).toBe(true);
    await mails.uncheck();
    await page.getByRole('button', { name: 'Save profile' }).click();
    const wants = async () => (await service.api.get(`/users/${ben.id}?fields=email_notifications`)).body.data.email_notifications;
    await expect.poll(wants, poll).toBe(false);
    await leave(studio);
  });

  it('the number on the bell costs no request, and an item none for its comments', async () => {
    await service.api.post('/notifications', { recipient: ben.id, subject: 'One' });
    const studio = await enter(ben, '/admin/c/articles/1');
    const { page } = studio;
    await page.getByLabel('Title').waitFor();
    studio.requests();
    await page.reload();
    await bell(page, 'Notifications: 1 new').waitFor();
    await page.getByLabel('Title').waitFor();
    await page.waitForLoadState('networkidle');
    const asked = studio.requests().filter((request) => !request.includes('/admin/'));
    expect(asked.filter((request) => /comments|notifications/.test(request))).toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(1 + 3);
    await leave(studio);
  });

  it('leaves no barrier, light or dark, on a desktop and on a phone', async () => {
    await ann.api.post('/comments', {
      collection: 'articles',
      item: '1',
      comment: `@${ben.id} and a text of some length, to be looked at`,
    });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const studio = await enter(ben, '/admin/c/articles/1?comments', { viewport });
      const { page } = studio;
      const check = async (place: string) => {
        expect(await findBarriersInBothColours(page), `${place}, ${viewport.width}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth'), place).toBeLessThanOrEqual(viewport.width);
      };
      await page.getByRole('listitem').getByText('@Ben Reader').waitFor();
      await composer(page).pressSequentially('@ann');
      await page.getByRole('option', { name: 'Ann Author' }).waitFor();
      await check('comments');
      // The first closes the list of people, the second the drawer.
      await page.keyboard.press('Escape');
      await page.getByRole('option').waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      if (viewport.width < 640) await page.getByRole('button', { name: 'Menu' }).click();
      await bell(page, 'Notifications: 1 new').click();
      await page.getByRole('listitem').filter({ hasText: 'You were mentioned' }).waitFor();
      await check('notifications');
      await leave(studio);
    }
  });
});

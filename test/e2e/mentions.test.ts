// Mentions in comments and mails about notifications, and the security case H17: mentioned users learn only what they may read of an
// item, and the author learns nothing about it.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { leastStatements } from '../harness/least-statements.js';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { codeOf, makePerson, type PermissionSpec, type Person, type PolicySpec } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const fixture = `
  create table notes (id integer primary key, title varchar(50), owner varchar(36));
  insert into notes values (1, 'open', 'all'), (2, 'hidden', 'nobody'), (3, 'open too', 'all');
`;

const may = (action: PermissionSpec['action'], collection: string, permissions: unknown = {}, fields = ['*']): PermissionSpec => ({
  collection,
  action,
  permissions,
  fields,
});
const open = { owner: { _eq: 'all' } };
const readsOpen: PolicySpec = { permissions: [may('read', 'notes', open)] };

describeEachVendor('mentions', (vendor) => {
  let service: TestService;
  let box: MailBox;
  let author: Person;
  beforeAll(async () => {
    box = await openMailBox();
    service = await startService(vendor, {
      area: 'mentions',
      fixture,
      config: { mailUrl: box.url, mailFrom: 'tain@example.com', publicUrl: 'https://data.example.com' },
    });
    author = await makePerson(service, [{ app_access: true, permissions: [may('read', 'notes'), may('read', 'service_comments')] }], {
      first_name: 'Anna',
    });
  });
  afterAll(async () => {
    await service.stop();
    await box.close();
  });
  beforeEach(async () => {
    await service.api.delete('/notifications', { query: { limit: -1 } });
  });

  const addComment = (comment: string, item = '1') => author.api.post('/comments', { collection: 'notes', item, comment });
  const notificationsOf = async (...people: readonly Person[]): Promise<readonly unknown[]> => {
    const query = { fields: ['recipient', 'sender', 'subject', 'message', 'collection', 'item'], sort: ['id'], limit: -1 };
    const { body } = await service.api.search('/notifications', { query });
    return people.length === 0
      ? body.data
      : body.data.filter(({ recipient }: { recipient: string }) => people.some(({ id }) => id === recipient));
  };
  const recipients = async (): Promise<readonly string[]> =>
    (await notificationsOf()).map((row) => (row as { recipient: string }).recipient).toSorted();

  it('H17: notify users who may read the item with their own rights, and no others', async () => {
    const reader = await makePerson(service, [readsOpen]);
    const own = await makePerson(service, [{ permissions: [may('read', 'notes', { owner: { _eq: '$CURRENT_USER' } })] }]);
    const same = await makePerson(service, [], { policies: own.policies.map((policy) => ({ policy })) });
    const keyless = await makePerson(service, [{ permissions: [may('read', 'notes', open, ['title'])] }]);
    const stranger = await makePerson(service, []);
    const suspended = await makePerson(service, [readsOpen], { status: 'suspended' });
    const elsewhere = await makePerson(service, [{ ...readsOpen, ip_access: ['127.0.0.1'] }]);
    await service.api.post('/items/notes', { id: 4, title: 'of one', owner: own.id });
    const all = [reader, own, same, keyless, stranger, suspended, elsewhere, author].map(({ id }) => `@${id}`).join(' ');
    for (const item of ['1', '2', '4']) expect((await addComment(`see ${all} @${randomUUID()}`, item)).status).toBe(200);
    const about = (item: string, person: Person) => ({
      recipient: person.id,
      sender: author.id,
      subject: 'You were mentioned in notes',
      message: expect.stringContaining('see @'),
      collection: 'notes',
      item,
    });
    expect(await notificationsOf(reader)).toEqual([about('1', reader)]);
    expect(await notificationsOf(keyless)).toEqual([about('1', keyless)]);
    expect(await notificationsOf(own)).toEqual([about('4', own)]);
    expect(await recipients()).toEqual([reader.id, keyless.id, own.id].toSorted());
  });

  it('H17: the author of a mention gets the same answer in every case, by both doors', async () => {
    const reader = await makePerson(service, [readsOpen]);
    const stranger = await makePerson(service, []);
    const suspended = await makePerson(service, [readsOpen], { status: 'suspended' });
    const mentioned = [reader.id, stranger.id, suspended.id, randomUUID()];
    const same = (text: string, id: string): string =>
      text
        .replaceAll(id, 'ID')
        .replace(/"id":"[^"]+"/, '')
        .replace(/\d{4}-\d\d-\d\dT[^"]+/g, 'TIME');
    const answers = new Set<string>();
    const documents = new Set<string>();
    for (const id of mentioned) {
      const { status, text, body } = await addComment(`@${id}`);
      answers.add(`${status} ${same(text, id)}`);
      const read = await author.api.get(`/comments/${body.data.id}?fields=*`);
      answers.add(`${read.status} ${same(read.text, id)}`);
      const document = `mutation { create_comments_item(data: {collection: "notes", item: "1", comment: "@${id}"}) { comment } }`;
      documents.add(same((await author.api.graphql(document, {}, '/graphql/system')).text, id));
    }
    expect(answers.size).toBe(1);
    expect([...documents]).toEqual(['{"data":{"create_comments_item":{"comment":"@ID"}}}']);
    expect(await recipients()).toEqual([reader.id, reader.id]);
    // Other users cannot read their notifications.
    expect((await author.api.get('/notifications')).body.data).toEqual([]);
  });

  it('H17: names replace ids only where the recipient may read them', async () => {
    const named = await makePerson(service, [readsOpen], { first_name: 'Nora', last_name: 'Name' });
    const knowing = await makePerson(service, [
      {
        permissions: [
          may('read', 'notes'),
          may('read', 'service_users', { first_name: { _eq: 'Nora' } }, ['id', 'first_name', 'last_name']),
        ],
      },
    ]);
    const half = await makePerson(service, [
      { permissions: [may('read', 'notes'), may('read', 'service_users', {}, ['id', 'last_name'])] },
    ]);
    const self = await makePerson(service, [{ app_access: true, permissions: [may('read', 'notes')] }], { first_name: 'Sven' });
    const text = (nora: string, sven: string) => `@${nora} @${sven} @${knowing.id} @${half.id}!`;
    expect((await addComment(text(named.id, self.id))).status).toBe(200);
    const messages = new Map(
      (await notificationsOf()).map((row) => [(row as { recipient: string }).recipient, (row as { message: string }).message] as const),
    );
    expect(messages.get(named.id)).toBe(text(named.id, self.id));
    expect(messages.get(knowing.id)).toBe(text('Nora Name', self.id));
    expect(messages.get(half.id)).toBe(text('Name', self.id));
    expect(messages.get(self.id)).toBe(text(named.id, 'Sven'));
  });

  it('a changed comment notifies users it did not mention before, by both doors', async () => {
    const [first, second, third] = await Promise.all([0, 1, 2].map(() => makePerson(service, [readsOpen])));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three people');
    const { id } = (await addComment(`@${first.id}`)).body.data;
    expect((await author.api.patch(`/comments/${id}`, { comment: `@${first.id} and @${second.id}` })).status).toBe(200);
    expect((await author.api.patch(`/comments/${id}`, { comment: `@${second.id}` })).status).toBe(200);
    const document = `mutation { update_comments_item(id: "${id}", data: {comment: "@${second.id} @${third.id}"}) { id } }`;
    expect((await author.api.graphql(document, {}, '/graphql/system')).body.errors).toBeUndefined();
    expect(await recipients()).toEqual([first.id, second.id, third.id].toSorted());
    // Only the author can make the comment mention a user.
    expect(codeOf(await first.api.patch(`/comments/${id}`, { comment: `@${first.id} @${second.id}` }))).toBe('403 FORBIDDEN');
    expect(await notificationsOf()).toHaveLength(3);
  });

  it('a comment mentions fifty users at most, with as many statements as one', async () => {
    const role = (await service.api.post('/roles', { name: 'readers' })).body.data.id;
    const { policies } = await makePerson(service, [readsOpen]);
    await service.api.post('/access', { role, policy: policies[0] });
    const users = Array.from({ length: 51 }, (_, index) => ({ email: `r${index}@example.com`, role, email_notifications: false }));
    const ids: readonly string[] = (await service.api.post('/users?fields=id', users)).body.data.map(({ id }: { id: string }) => id);
    const text = (count: number): string =>
      ids
        .slice(0, count)
        .map((id) => `@${id}`)
        .join(' ');
    expect(codeOf(await addComment(text(51)))).toBe('400 INVALID_PAYLOAD');
    expect(await notificationsOf()).toEqual([]);
    await addComment(text(50));
    expect(await notificationsOf()).toHaveLength(50);
    const one = await leastStatements(service, () => addComment(text(1)));
    expect(await leastStatements(service, () => addComment(text(50)))).toBe(one);
  });

  it('a comment that is not stored sends no notification and no mail', async () => {
    const reader = await makePerson(service, [readsOpen]);
    const comment = { collection: 'notes', item: '1', comment: `@${reader.id}` };
    const operations = [
      { method: 'POST', path: '/comments', body: comment },
      { method: 'PATCH', path: '/items/notes/99', body: { title: 'x' } },
    ];
    expect((await author.api.post('/batch', { operations })).status).toBe(403);
    expect(codeOf(await author.api.post('/comments', [comment, { ...comment, item: '99' }]))).toBe('403 FORBIDDEN');
    expect(await notificationsOf()).toEqual([]);
    await addComment(`@${reader.id} at last`);
    expect((await box.next(reader.email)).text).toContain('at last');
    expect(box.count(reader.email)).toBe(0);
  });

  it('H17: a notification is mailed to a recipient who is active and wants it, with the way to its item', async () => {
    const [willing, last] = await Promise.all([makePerson(service, [readsOpen]), makePerson(service, [readsOpen])]);
    const quiet = await makePerson(service, [readsOpen], { email_notifications: false });
    const suspended = await makePerson(service, [readsOpen], { status: 'suspended' });
    const about = (recipient: Person) => ({
      recipient: recipient.id,
      subject: 'Look\nBcc: all@example.com',
      message: 'at **this** <img src=x>',
      collection: 'notes',
      item: '3',
    });
    expect((await service.api.post('/notifications', [quiet, suspended, willing].map(about))).status).toBe(200);
    const letter = (await box.next(willing.email)).text;
    expect(letter).toContain('Subject: Look Bcc: all@example.com');
    expect(letter).toMatch(/at \*\*this\*\* <img src=x>[\s\S]+Open it: https:\/\/data\.example\.com\/admin\/c\/notes\/3/);
    expect(letter).toContain('<p>at <strong>this</strong> &lt;img src=x&gt;</p>');
    expect(letter).toContain('<a href="https://data.example.com/admin/c/notes/3">');
    const document = `mutation { create_notifications_item(data: {recipient: {id: "${last.id}"}, subject: "By a document"}) { id } }`;
    const made = await service.api.graphql(document, {}, '/graphql/system');
    expect(made.body.errors).toBeUndefined();
    expect((await box.next(last.email)).text).toMatch(/By a document[\s\S]+Open it: https:\/\/data\.example\.com\/admin\r?\n/);
    // Mails are sent in order, so the others would have come before the last.
    expect([quiet, suspended, willing].map(({ email }) => box.count(email))).toEqual([0, 0, 0]);
  });

  it('H17: at most ten mails a minute go to one recipient; the notifications are all there', async () => {
    const [flooded, last] = await Promise.all([makePerson(service, [readsOpen]), makePerson(service, [readsOpen])]);
    const rows = Array.from({ length: 15 }, (_, index) => ({ recipient: flooded.id, subject: `Number ${index}` }));
    expect((await service.api.post('/notifications', [...rows, { recipient: last.id, subject: 'End' }])).status).toBe(200);
    await box.next(last.email);
    expect(box.count(flooded.email)).toBe(10);
    expect(await notificationsOf(flooded)).toHaveLength(15);
  });
});

describeEachVendor('mentions without mail', (vendor) => {
  it.each([null, 'smtp://127.0.0.1:1'])('a mail server that is %s fails no request', async (mailUrl) => {
    const service = await startService(vendor, { area: 'mentions', fixture, config: { mailUrl, logLevel: 'silent' } });
    try {
      const reader = await makePerson(service, [readsOpen]);
      const comment = { collection: 'notes', item: '1', comment: `@${reader.id}` };
      expect((await service.api.post('/comments', comment)).status).toBe(200);
      const { data } = (await service.api.get('/notifications?fields=recipient')).body;
      expect(data).toEqual([{ recipient: reader.id }]);
    } finally {
      await service.stop();
    }
  });
});

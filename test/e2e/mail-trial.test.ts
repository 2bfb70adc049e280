// The test mail: the answer is that of the mail server, whatever it is, or says what to set when there is none.

import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type MailBox, openMailBox } from '../harness/mail-box.js';
import { codeOf, makePerson } from '../harness/people.js';
import { adminEmail, startService, type TestService } from '../harness/start-service.js';

/** A mail server that refuses every recipient. */
async function openRefusingServer(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 test\r\n');
    socket.on('data', (chunk) => socket.write(chunk.toString().startsWith('MAIL') ? '550 5.7.1 no letters today\r\n' : '250 ok\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, server };
}

describe.each(inject('vendors'))('a test mail on $label', (vendor) => {
  let mailBox: MailBox;
  let service: TestService;
  beforeAll(async () => {
    mailBox = await openMailBox();
    service = await startService(vendor, { area: 'mail_trial', config: { mailUrl: mailBox.url, publicUrl: 'https://data.example.com' } });
  });
  afterAll(async () => {
    await service?.stop();
    await mailBox?.close();
  });

  it('goes to oneself by both doors, with the answer of the mail server, five times a minute', async () => {
    const expected = { to: adminEmail, state: 'sent', message: '250 taken' };
    expect((await service.api.post('/utils/mail/test', {})).body.data).toEqual(expected);
    const letter = await mailBox.next(adminEmail);
    expect(letter.text).toContain('https://data.example.com/admin/');
    const query = 'mutation { utils_mail_test { to state message } }';
    expect((await service.api.post('/graphql/system', { query })).body.data).toEqual({ utils_mail_test: expected });
    await mailBox.next(adminEmail);
    for (let count = 2; count < 5; count += 1) expect((await service.api.post('/utils/mail/test', {})).status).toBe(200);
    expect(codeOf(await service.api.post('/utils/mail/test', {}))).toBe('429 REQUESTS_EXCEEDED');
    expect(mailBox.count(adminEmail)).toBe(3);
  });

  it('is for administrators with an address', async () => {
    const reader = await makePerson(service, [{ app_access: true }]);
    expect(codeOf(await reader.api.post('/utils/mail/test', {}))).toBe('403 FORBIDDEN');
    expect(codeOf(await service.as(null).post('/utils/mail/test', {}))).toBe('403 FORBIDDEN');
    const machine = await makePerson(service, [{ admin_access: true }]);
    await service.sql(`update service_users set email = null where id = '${machine.id}'`);
    const refused = await machine.api.post('/utils/mail/test', {});
    expect([codeOf(refused), refused.text.includes('no email address')]).toEqual(['400 INVALID_PAYLOAD', true]);
    expect(mailBox.count(reader.email)).toBe(0);
  });
});

describe.each(inject('vendors'))('invitations on $label', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'invitation_links', config: { publicUrl: 'https://data.example.com' } });
  });
  afterAll(async () => await service?.stop());

  it('without a mail server are links in the answer, for those who made the account, and let people in', async () => {
    const role = (await service.api.post('/roles', { name: 'Guests' })).body.data.id as string;
    const path = '/users/invite/links';
    const invite = async (api: typeof service.api, email: string) => api.post(path, { email, role });
    const { status, body } = await invite(service.api, 'guest@example.com');
    expect([status, body.data]).toEqual([
      200,
      [{ email: 'guest@example.com', mailed: false, link: expect.stringContaining('https://data.example.com/') }],
    ]);
    const users = { collection: 'service_users', action: 'create', fields: ['*'] } as const;
    const roles = { collection: 'service_roles', action: 'read', fields: ['*'] } as const;
    const inviter = await makePerson(service, [{ permissions: [users, roles] }]);
    // Somebody else made this account: the link would be a way into it.
    expect((await invite(inviter.api, 'guest@example.com')).body.data).toEqual([{ email: 'guest@example.com', mailed: false, link: null }]);
    const made = await invite(inviter.api, 'other@example.com');
    expect(made.body.data, made.text).toMatchObject([{ link: expect.stringContaining('token=') }]);
    const stranger = await makePerson(service, [{ app_access: true }]);
    expect(codeOf(await invite(stranger.api, 'third@example.com'))).toBe('403 FORBIDDEN');
    const token = new URL(body.data[0].link).searchParams.get('token');
    expect((await service.as(null).post('/users/invite/accept', { token, password: 'a long password' })).status).toBe(204);
    const login = { email: 'guest@example.com', password: 'a long password' };
    expect((await service.as(null).post('/auth/login', login)).status).toBe(200);
  });
});

const [first] = inject('vendors');

describe.runIf(first !== undefined)('a test mail that does not arrive', () => {
  const askAt = async (mailUrl: string | null) => {
    if (first === undefined) throw new Error('no database');
    const service = await startService(first, { area: 'mail_lost', config: { mailUrl } });
    try {
      return (await service.api.post('/utils/mail/test', {})).body.data;
    } finally {
      await service.stop();
    }
  };

  it('reports what the mail server said, or which settings are missing', async () => {
    const { url, server } = await openRefusingServer();
    expect(await askAt(url)).toEqual({ to: adminEmail, state: 'refused', message: expect.stringContaining('550 5.7.1 no letters today') });
    server.close();
    expect(await askAt('smtp://127.0.0.1:1')).toEqual({
      to: adminEmail,
      state: 'refused',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await askAt(null)).toEqual({ to: adminEmail, state: 'unconfigured', message: expect.stringMatching(/MAIL_URL .*MAIL_FROM/) });
  });
});

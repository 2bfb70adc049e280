// Security cases D16 and D17: bodies of the wrong kind, too long or too slow; H20 of connections; and C04: a token in the address stays out of every record.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf } from '../harness/people.js';
import { sendRaw } from '../harness/raw-http.js';
import { build, makeFolder, runStart } from '../harness/run-command.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

describeEachVendor('bodies', (vendor) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService(vendor, {
      area: 'security_bodies',
      fixture: 'create table articles (id integer primary key, title varchar(50));',
      config: { bodyLimit: 10_000, bodyTimeout: 1_000 },
    });
  });
  afterAll(() => service.stop());

  const text = '{"id":1,"title":"x"}';
  const send = (raw: string | Uint8Array, headers: Record<string, string>) =>
    service.api.request('POST', '/items/articles', { raw, headers });

  it.each([
    ['another type', text, { 'content-type': 'text/plain' }],
    ['a form', 'id=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form of parts', '--x\r\n\r\n--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['nearly JSON', text, { 'content-type': 'application/json5' }],
    ['a type that is none', text, { 'content-type': 'json' }],
    ['bytes without a type', new TextEncoder().encode(text), {}],
    ['another charset', text, { 'content-type': 'application/json; charset=latin1' }],
    ['an unknown charset', text, { 'content-type': 'application/json; charset="x"' }],
    ['a compressed body', gzipSync(text), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['a compressed bomb', gzipSync(Buffer.alloc(50_000_000)), { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['two encodings', gzipSync(gzipSync(text)), { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' }],
  ] as const)('D16: %s is not taken', async (_, raw, headers) => {
    await expectUnchanged(service, async () => {
      expect(codeOf(await send(raw, headers))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
      expect((await service.api.request('POST', '/graphql', { raw, headers })).status).toBe(415);
    });
  });

  it('D16: JSON in UTF-8 is, however it is spelled', async () => {
    for (const [id, type] of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'].entries())
      expect((await send(`{"id":${id + 10}}`, { 'content-type': type })).status, type).toBe(200);
  });

  const head = (more: string, method = 'POST /items/articles') =>
    `${method} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminToken}\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

  it('D17: a body over the limit is answered and the socket closed, with or without a declared length', async () => {
    const long = 'x'.repeat(4_000);
    const chunk = `${long.length.toString(16)}\r\n${long}\r\n`;
    await expectUnchanged(service, async () => {
      for (const parts of [
        [head('content-length: 999999999'), '{'],
        [head('transfer-encoding: chunked'), ...new Array(100).fill(chunk)],
        [head('content-length: 20000'), `{"id":1,"title":"${'x'.repeat(19_000)}`],
      ]) {
        const answer = await sendRaw(service.url, parts);
        expect([answer.status, answer.text.includes('"code":"CONTENT_TOO_LARGE"')]).toEqual([413, true]);
      }
    });
  });

  it('D17: a body that drips is broken off at its deadline', async () => {
    await expectUnchanged(service, async () => {
      const drops = new Array(400).fill('x');
      const [answer, silent] = await Promise.all([
        sendRaw(service.url, [head('content-length: 600'), '{"id":1,"title":"', ...drops], 200),
        sendRaw(service.url, [head('content-length: 60')]),
      ]);
      for (const { status, ms } of [answer, silent]) {
        expect([400, 408]).toContain(status);
        expect(ms).toBeLessThan(60_000);
      }
    });
    expect((await service.api.get('/server/ping')).text).toBe('pong');
  });

  it.each(['a b', '[', '%', 'localhost:99999'])('H20: the Host "%s" is refused where the address matters', async (host) => {
    for (const [method, path] of [
      ['GET', '/auth'],
      ['POST', '/auth/passkey/options'],
    ] as const) {
      const request = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
      const { status, text } = await sendRaw(service.url, [request]);
      expect([path, status, text.includes('"code":"INVALID_PAYLOAD"')]).toEqual([path, 400, true]);
    }
  });

  it('H20: offers of another protocol leave no listeners on their connection', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    try {
      const offer = 'GET /server/ping HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: foo\r\n\r\n';
      const last = 'GET /server/ping HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
      const { text } = await sendRaw(service.url, [...new Array<string>(30).fill(offer), last], 10);
      expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(31);
    } finally {
      process.off('warning', keep);
    }
    expect(warnings.map(({ message }) => message)).toEqual([]);
  });

  it('D17: lengths that contradict one another are refused', async () => {
    await expectUnchanged(service, async () => {
      for (const more of [
        'content-length: 20\r\ncontent-length: 5',
        'content-length: 20\r\ntransfer-encoding: chunked',
        'content-length: -1',
        'content-length: 1e1',
        'transfer-encoding: chunked, identity',
      ])
        expect([400, 413], more).toContain((await sendRaw(service.url, [head(more), text])).status);
    });
  });
});

// The command writes its records the same way whatever the database: the one it makes by itself will do.
it('C04: a token in the address is in no log, no activity and no referrer', { timeout: 120_000 }, async () => {
  await build();
  const folder = makeFolder();
  const token = 'a-token-that-nobody-may-read';
  const command = runStart(folder, [], { LOG_LEVEL: 'trace', ADMIN_TOKEN: token, ADMIN_PASSWORD: 'a-password-that-nobody-may-read' });
  try {
    const address = await command.address();
    const [api, named] = [makeApi(address, null), makeApi(address, token)];
    await named.get('/server/health');
    const first = await api.get(`/users/me?fields=id&access_token=${token}`);
    expect([first.status, first.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    const login = await api.post('/auth/login', { email: 'admin@example.com', password: 'a-password-that-nobody-may-read' });
    const { access_token, refresh_token } = login.body.data;
    expect((await api.get(`/users/me?access_token=${access_token}`)).status).toBe(200);
    expect((await api.post(`/roles?access_token=${token}`, { name: 'recorded' })).status).toBe(200);
    // Whatever goes wrong is recorded, too.
    for (const path of ['/nowhere', '/items/x', '/items/x/%ff', '/users?filter={', '/users/me?limit=x', '/flows/trigger/x'])
      await api.get(`${path}${path.includes('?') ? '&' : '?'}access_token=${token}`);
    await api.get(`/users/me?access_token=${token}&access_token=${token}`);
    await api.get('/users/me', { cookie: `service_session_token=${access_token}` });
    await api.request('POST', `/items/x?access_token=${token}`, { raw: '{', headers: { 'content-type': 'application/json' } });
    await api.post('/auth/refresh', { refresh_token, mode: 'json' });
    await api.post('/auth/login', { email: 'admin@example.com', password: 'a wrong one that nobody may read either' });
    await command.printed(/nowhere/);
    const records = ['/activity?limit=-1', '/revisions?limit=-1', '/flows', '/notifications'];
    const stored = await Promise.all(records.map(async (path) => (await named.get(path)).text));
    expect(stored[0]).toContain('service_roles');
    for (const record of [command.output(), ...stored])
      for (const secret of [token, access_token, refresh_token, 'nobody-may-read', 'nobody may read']) expect(record).not.toContain(secret);
  } finally {
    command.process.kill('SIGTERM');
    await command.ended;
    folder.remove();
  }
});

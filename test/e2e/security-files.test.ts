// Security cases F (files, and fetching from elsewhere), with B12 and B13. Each test bears the id of its case.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';
import { makeForm, makeImage, makeStorageFolder, type StorageFolder, upload } from '../harness/upload.js';

const nobody = '11111111-2222-4333-8444-555555555555';

/** A PNG whose header says how large it is and whose pixels never come. */
function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, sum]);
  };
  const mark = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([mark, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(100))), chunk('IEND', Buffer.alloc(0))]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

describeEachVendor('files and fetching', (vendor) => {
  let service: TestService;
  let folder: StorageFolder;
  let elsewhere: Server;
  let port: number;

  beforeAll(async () => {
    folder = makeStorageFolder();
    elsewhere = createServer((request, response) => {
      if (request.url === '/endless') {
        response.writeHead(200);
        const timer = setInterval(() => response.write(Buffer.alloc(256 * 1024)), 1);
        response.once('close', () => clearInterval(timer));
      } else if (request.url === '/inner') response.writeHead(302, { location: `http://127.0.0.2:${port}/` }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('from elsewhere');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '0.0.0.0', resolve));
    port = (elsewhere.address() as AddressInfo).port;
    const config = { storageRoot: folder.root, uploadLimit: 1024 * 1024, importAllow: ['127.0.0.1'] };
    service = await startService(vendor, { area: 'sec_files', config });
  });

  afterAll(async () => {
    await service.stop();
    elsewhere.closeAllConnections();
    elsewhere.close();
    folder.remove();
  });

  const fetchFrom = (url: string, data?: object) => service.api.post('/files/import', { url, ...(data === undefined ? {} : { data }) });
  const storeText = async (name: string, type: string, bytes: string): Promise<string> =>
    (await upload(service.api, { name, type, bytes })).body.data.id;

  it('imports a file by its address, as a caller who may create files', async () => {
    const answer = await fetchFrom(`http://127.0.0.1:${port}/some/notes.txt?x=1`, { description: 'd' });
    expect(answer.body.data).toMatchObject({
      filename_download: 'notes.txt',
      title: 'Notes',
      type: 'text/plain',
      filesize: '14',
      description: 'd',
    });
    expect((await service.api.get(`/assets/${answer.body.data.id}`)).text).toBe('from elsewhere');
    expect(codeOf(await service.as(null).post('/files/import', { url: `http://127.0.0.1:${port}/` }))).toBe('403 FORBIDDEN');
    for (const body of [{}, { url: 3 }, { url: 'nonsense' }, { url: 'file:///etc/passwd' }, { url: 'http://x', data: [] }])
      expect(codeOf(await service.api.post('/files/import', body))).toBe('400 INVALID_PAYLOAD');
  });

  it('F01, F04, F06: what is not public is not fetched, and never even connected to', async () => {
    let connections = 0;
    const count = (): void => {
      connections += 1;
    };
    elsewhere.on('connection', count);
    const hosts = [
      '127.0.0.2',
      '0',
      '2130706434',
      '0x7f.2',
      '[::1]',
      '[::ffff:7f00:2]',
      '[::ffff:127.0.0.2]',
      '169.254.169.254',
      '[fd00::1]',
      '100.64.0.1',
      '[64:ff9b::7f00:2]',
    ];
    for (const host of hosts) {
      const answer = await fetchFrom(`http://${host}:${port}/`);
      expect([host, codeOf(answer)]).toEqual([host, '503 SERVICE_UNAVAILABLE']);
      expect(answer.body.errors[0].message).toMatch(/^Could not fetch a file from "http:\/\/[^"]+"\.$/);
    }
    expect(connections).toBe(0);
    elsewhere.off('connection', count);
  });

  it('F02: a redirect leads no further than an address would', async () => {
    expect(codeOf(await fetchFrom(`http://127.0.0.1:${port}/inner`))).toBe('503 SERVICE_UNAVAILABLE');
  });

  it('F05: what never ends is broken off, and nothing stays', async () => {
    const stored = folder.list().length;
    expect(codeOf(await fetchFrom(`http://127.0.0.1:${port}/endless`))).toBe('413 CONTENT_TOO_LARGE');
    expect(folder.list()).toHaveLength(stored);
  });

  it('F07: names are shown encoded and never used', async () => {
    for (const name of [
      '../tain_test_x',
      '../../tain_test_x',
      '..\\x',
      'CON',
      'x.png/',
      'n'.repeat(300),
      'photo\u202Egnp.exe',
      'grüße "you".txt',
    ]) {
      const { data } = (await upload(service.api, { name, bytes: '1' })).body;
      expect(data.filename_disk).toMatch(/^[0-9a-f-]{36}(\.[a-z0-9]+)?$/);
      const header = (await service.api.get(`/assets/${data.id}`)).headers.get('content-disposition') ?? '';
      expect(header).toMatch(/^attachment; filename="[\w .()-]+"(; filename\*=UTF-8''[\w%.!~-]+)?$/);
    }
    expect(readdirSync(dirname(folder.root))).not.toContain('tain_test_x');
  });

  it('F08: nothing that could run is shown in place', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const cases: readonly (readonly [string, string, string])[] = [
      ['a.svg', 'image/svg+xml', script],
      ['a.png', 'image/png', script],
      ['a.html', 'text/html', '<script>alert(1)</script>'],
      ['a.xml', 'application/xml', '<x/>'],
      ['a.pdf', 'application/pdf', '%PDF-1.7'],
      ['a.gif', 'image/gif; x', 'not a gif'],
    ];
    for (const [name, type, bytes] of cases) {
      const { headers } = await service.api.get(`/assets/${await storeText(name, type, bytes)}`);
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      expect(headers.get('content-type')).not.toMatch(/png|gif/);
    }
    const polyglot = Buffer.concat([await makeImage(2, 2), Buffer.from(script)]);
    const { id } = (await upload(service.api, { name: 'a.html', type: 'text/html', bytes: polyglot })).body.data;
    const { headers } = await service.api.get(`/assets/${id}`);
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual(['image/png', 'nosniff']);
    // Who may change the item may call it an image; the browser still trusts only the header.
    const page = await storeText('b.html', 'text/html', '<script>alert(1)</script>');
    await service.api.patch(`/files/${page}`, { type: 'text/html; charset=utf-8' });
    expect((await service.api.get(`/assets/${page}`)).headers.get('content-disposition')).toMatch(/^attachment/);
  });

  it('H20: an uploaded script, style sheet or module is served as none, so that no page of this origin runs it', async () => {
    for (const type of ['text/javascript', 'Application/X-JavaScript; charset=utf-8', 'text/ecmascript', 'text/css', 'application/wasm']) {
      const id = await storeText('theirs', 'text/plain', 'alert(1)');
      expect((await service.api.patch(`/files/${id}`, { type })).status).toBe(200);
      const { headers, text } = await service.api.get(`/assets/${id}`);
      expect([type, headers.get('content-type'), headers.get('x-content-type-options'), text]).toEqual([
        type,
        'application/octet-stream',
        'nosniff',
        'alert(1)',
      ]);
    }
  });

  it('H11: what a header could not carry is refused by every door, and never sent', async () => {
    const record = { filename_download: 'a', type: 'text/plain', storage: 'local' };
    const { id } = (await service.api.post('/files', record)).body.data;
    const unfit = [
      ...[
        'text/plain\r\nx-evil: 1',
        'text/plain\nx',
        'text/\u0007plain',
        'text',
        'te xt/plain',
        'text/plain;',
        'text/ümlaut',
        '',
        'a/b; c="\r"',
      ].map((type) => ({ type })),
      ...['utf-8\r\nx: y', 'utf 8', 'utf\u00008'].map((charset) => ({ charset })),
      ...['a\r\nx-evil: 1', 'a\nb', 'a\u001b[31m', 'a\u2028b', 'a\u007f'].map((filename_download) => ({ filename_download })),
    ];
    const stored = folder.list().length;
    for (const change of unfit) {
      const [name = '', text = ''] = Object.entries(change)[0] ?? [];
      const asked = [
        await service.api.patch(`/files/${id}`, change),
        await service.api.patch('/files', { keys: [id], data: change }),
        await service.api.patch('/files', [{ id, ...change }]),
        await service.api.post('/files', { ...record, ...change }),
        await service.api.post('/batch', { operations: [{ method: 'PATCH', path: `/files/${id}`, body: change }] }),
        await service.api.post('/users', { email: 'h11@example.com', avatar: { ...record, ...change } }),
        await service.api.request('POST', '/files', { raw: makeForm([{ name: 'b.txt', bytes: 'x' }], { [name]: text }) }),
        await fetchFrom(`http://127.0.0.1:${port}/x.txt`, change),
      ];
      for (const answer of asked) expect([change, answer.status]).toEqual([change, 400]);
      const document = `mutation { update_files_item(id: "${id}", data: { ${name}: ${JSON.stringify(text)} }) { id } }`;
      const { body } = await service.api.graphql(document, {}, '/graphql/system');
      expect([change, body.errors?.[0]?.extensions.code]).toEqual([change, 'INVALID_PAYLOAD']);
    }
    expect(folder.list()).toHaveLength(stored);
    for (const type of ['text/html; charset=utf-8', 'application/vnd.x+json', 'multipart/form-data; boundary="a b"', null])
      expect([type, (await service.api.patch(`/files/${id}`, { type })).status]).toEqual([type, 200]);
  });

  it('H11: a type written past the service reaches no header', async () => {
    const { id } = (await upload(service.api, { name: 'a.txt', bytes: 'x' })).body.data;
    const evil = 'text/plain\r\nx-evil: 1';
    await service.sql(`update service_files set type = '${evil}', filename_download = '${evil}' where id = '${id}'`);
    const { status, headers } = await service.api.get(`/assets/${id}`);
    expect([status, headers.get('content-type'), headers.get('x-evil')]).toEqual([200, 'application/octet-stream', null]);
  });

  it('F09: images that would cost too much are refused by their header', async () => {
    const frames = await sharp(Buffer.alloc(100 * 100 * 3 * 60, 7), { raw: { width: 100, height: 6000, channels: 3, pageHeight: 100 } })
      .gif({ delay: 10 })
      .toBuffer();
    const files: readonly (readonly [string, Uint8Array])[] = [
      ['image/png', hugePng(50_000, 50_000)],
      ['image/jpeg', (await makeImage(300, 300, 'jpeg')).subarray(0, 400)],
      [
        'image/svg+xml',
        Buffer.from(
          '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>',
        ),
      ],
      ['text/plain', Buffer.from('no image at all')],
    ];
    for (const [type, bytes] of files) {
      const { id } = (await upload(service.api, { name: 'x', type, bytes })).body.data;
      expect([type, codeOf(await service.api.get(`/assets/${id}?width=10`))]).toEqual([type, '400 ILLEGAL_ASSET_TRANSFORMATION']);
    }
    const animated = (await upload(service.api, { name: 'x.gif', type: 'image/gif', bytes: frames })).body.data.id;
    expect((await service.api.get(`/assets/${animated}?width=10`)).status).toBe(200);
    const chain = encodeURIComponent(JSON.stringify(Array.from({ length: 100 }, () => ['blur', 5])));
    expect(codeOf(await service.api.get(`/assets/${animated}?transforms=${chain}`))).toBe('400 ILLEGAL_ASSET_TRANSFORMATION');
    for (const query of ['width=100000', 'height=6001', 'quality=101'])
      expect(codeOf(await service.api.get(`/assets/${animated}?${query}`))).toBe('400 ILLEGAL_ASSET_TRANSFORMATION');
    for (const query of ['width=abc', 'width=-1', 'width=0', 'width=1&width=2', 'fit=around', 'format=exe', 'key=none'])
      expect([query, codeOf(await service.api.get(`/assets/${animated}?${query}`))]).toEqual([query, '400 INVALID_QUERY']);
  });

  it('F10: a burst of bad requests leaves no open file behind', async () => {
    const { id } = (await upload(service.api, { name: 'a.png', type: 'image/png', bytes: hugePng(50_000, 50_000) })).body.data;
    const open = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
    const burst = (): Promise<unknown> =>
      Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? service.api.get(`/assets/${id}?width=${index + 1}`) : service.api.request('HEAD', `/assets/${id}`),
        ),
      );
    // The first one opens the connections, which stay.
    await burst();
    const before = open();
    for (let round = 0; round < 5; round += 1) await burst();
    expect(open()).toBeLessThan(before + 50);
    const good = (await upload(service.api, { name: 'b.png', type: 'image/png', bytes: await makeImage(20, 20) })).body.data.id;
    expect((await service.api.get(`/assets/${good}?width=5`)).status).toBe(200);
  });

  it('F12: the content of a file is as hidden as the file', async () => {
    const shown = (await upload(service.api, { name: 'shown.txt', bytes: 'shown' }, { title: 'shown' })).body.data.id;
    const hidden = (await upload(service.api, { name: 'hidden.txt', bytes: 'hidden' }, { title: 'hidden' })).body.data.id;
    const rule = { title: { _eq: 'shown' } };
    const reader = await makePerson(service, [
      { permissions: [{ collection: 'service_files', action: 'read', permissions: rule, fields: ['id', 'title'] }] },
    ]);
    const answer = await reader.api.get(`/assets/${shown}`);
    expect([answer.status, answer.text]).toEqual([200, 'shown']);
    // The name of the file is none of the fields this caller may read.
    expect(answer.headers.get('content-disposition')).toBe('attachment');
    const refusals: string[] = [];
    for (const path of [
      `/assets/${hidden}`,
      `/assets/${hidden}?width=5`,
      `/assets/${hidden}/hidden.txt`,
      `/assets/${nobody}`,
      '/assets/hidden.txt',
      '/assets/..%2f..%2fetc%2fpasswd',
    ])
      refusals.push((await reader.api.get(path)).text);
    expect(new Set(refusals).size).toBe(1);
    expect(codeOf(await service.as(null).get(`/assets/${shown}`))).toBe('403 FORBIDDEN');
  });

  it('F13, B12: where contents lie is nothing a request can say', async () => {
    const { id, filename_disk: disk } = (await upload(service.api, { name: 'a.txt', bytes: 'mine' })).body.data;
    const other = await makePerson(service, []);
    const before = folder.list();
    const changes = [
      { filename_disk: '../../x' },
      { storage: '../' },
      { uploaded_by: other.id },
      { filesize: 9 },
      { filename_disk: null },
      { uploaded_on: '2020-01-01T00:00:00Z' },
      { tus_id: 'x' },
    ];
    for (const change of changes) {
      expect([change, codeOf(await service.api.patch(`/files/${id}`, change))]).toEqual([change, '403 FORBIDDEN']);
      expect(codeOf(await service.api.patch('/files', { keys: [id], data: change }))).toBe('403 FORBIDDEN');
      expect(codeOf(await service.api.patch('/files', [{ id, ...change }]))).toBe('403 FORBIDDEN');
    }
    const form = makeForm([{ name: 'b.txt', bytes: 'x' }], { filename_disk: '../../x' });
    for (const [method, path] of [
      ['PATCH', `/files/${id}`],
      ['POST', '/files'],
    ] as const) {
      const refused = await service.api.request(method, path, { raw: form });
      expect([refused.status, refused.body.errors[0].message]).toEqual([400, expect.stringContaining('"filename_disk" is chosen by')]);
    }
    const replaced = await service.api.request('PATCH', `/files/${id}`, { raw: makeForm([{ name: 'b.txt', bytes: 'x' }], {}) });
    expect(replaced.body.data.filename_disk).toMatch(/^[0-9a-f-]{36}\.txt$/);
    const record = { filename_download: 'a', type: 'text/plain', storage: 'local' };
    for (const change of [{ filename_disk: '../../x' }, { filesize: 9 }, { storage: '/etc' }])
      expect((await service.api.post('/files', { ...record, ...change })).status).toBeGreaterThanOrEqual(400);
    // A client that sends the whole item back changes nothing.
    const whole = (await service.api.get(`/files/${id}`)).body.data;
    const same = await service.api.patch(`/files/${id}`, {
      filename_disk: whole.filename_disk,
      storage: whole.storage,
      filesize: whole.filesize,
      title: 'T',
    });
    expect([same.status, same.body.data.title]).toEqual([200, 'T']);
    expect(folder.list().filter((name) => !before.includes(name))).toHaveLength(1);
    expect(folder.list()).not.toContain(disk);
  });

  it('H02: what the service alone writes is not found by guessing it', async () => {
    const { id, filename_disk: disk } = (await upload(service.api, { name: 'a.txt', bytes: 'hidden' })).body.data;
    const permissions = [
      { collection: 'service_files', action: 'update' as const },
      { collection: 'service_files', action: 'read' as const, fields: ['id', 'title'] },
    ];
    const { api } = await makePerson(service, [{ permissions }]);
    const blind = await makePerson(service, [{ permissions: permissions.slice(0, 1) }]);
    for (const guess of [{ filesize: 6 }, { filesize: 7 }, { filename_disk: disk }, { tus_id: null }, { storage: 'local' }]) {
      expect([guess, codeOf(await api.patch(`/files/${id}`, guess))]).toEqual([guess, '403 FORBIDDEN']);
      expect([guess, codeOf(await blind.api.patch(`/files/${id}`, guess))]).toEqual([guess, '403 FORBIDDEN']);
    }
    expect((await api.patch(`/files/${id}`, { title: 'T' })).status).toBe(200);
  });

  it('B12: replacing a content follows the rule of the item', async () => {
    const mine = (await upload(service.api, { name: 'a.txt', bytes: 'mine' }, { title: 'mine' })).body.data.id;
    const theirs = (await upload(service.api, { name: 'a.txt', bytes: 'theirs' }, { title: 'theirs' })).body.data.id;
    const permissions = (['read', 'update'] as const).map((action) => ({
      collection: 'service_files',
      action,
      permissions: { title: { _eq: 'mine' } },
    }));
    const editor = await makePerson(service, [{ permissions }]);
    const replace = (id: string) => editor.api.request('PATCH', `/files/${id}`, { raw: makeForm([{ name: 'b.txt', bytes: 'other' }]) });
    expect((await replace(mine)).status).toBe(200);
    const stored = folder.list().length;
    expect(codeOf(await replace(theirs))).toBe('403 FORBIDDEN');
    expect(codeOf(await replace(nobody))).toBe('403 FORBIDDEN');
    expect(codeOf(await editor.api.request('POST', '/files', { raw: makeForm([{ name: 'b.txt', bytes: 'x' }], { id: theirs }) }))).toBe(
      '403 FORBIDDEN',
    );
    const taken = await service.api.request('POST', '/files', { raw: makeForm([{ name: 'b.txt', bytes: 'x' }], { id: theirs }) });
    expect(codeOf(taken)).toBe('400 RECORD_NOT_UNIQUE');
    expect(folder.list()).toHaveLength(stored);
    expect((await service.api.get(`/assets/${theirs}`)).text).toBe('theirs');
  });

  it('B13: a folder, or what lies outside, is no content even when the database says so', async () => {
    const { id } = (await upload(service.api, { name: 'a.txt', bytes: 'mine' })).body.data;
    mkdirSync(join(folder.root, 'some-folder'), { recursive: true });
    writeFileSync(join(dirname(folder.root), 'tain_test_outside.txt'), 'outside');
    for (const name of ['some-folder', '..', '../tain_test_outside.txt', '/etc/passwd', '']) {
      await service.sql(`update service_files set filename_disk = '${name}' where id = '${id}'`);
      expect([name, codeOf(await service.api.get(`/assets/${id}`))]).toEqual([name, '403 FORBIDDEN']);
      expect(codeOf(await service.api.get(`/assets/${id}?width=5`))).toBe('403 FORBIDDEN');
    }
    expect((await service.api.get('/server/ping')).text).toBe('pong');
  });
});

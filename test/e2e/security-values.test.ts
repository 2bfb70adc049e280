// Security cases D13, D14 and D18-D21: a value is stored exactly as it was sent, or refused; the same on every vendor and through both
// doors. Each test bears the id of its case.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { expectUnchanged } from '../harness/expect-unchanged.js';
import { codeOf } from '../harness/people.js';
import { sendRaw } from '../harness/raw-http.js';
import { adminToken, startService, type TestService } from '../harness/start-service.js';
import { makeForm } from '../harness/upload.js';

const column = (field: string, type: string, schema: object = {}) => ({ field, type, schema });
const columns = [
  { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } },
  column('name', 'string', { max_length: 10 }),
  column('story', 'text'),
  column('whole', 'integer'),
  column('big', 'bigInteger'),
  column('amount', 'decimal', { numeric_precision: 10, numeric_scale: 2 }),
  column('exact', 'decimal', { numeric_precision: 38, numeric_scale: 30 }),
  column('ratio', 'float'),
  column('day', 'date'),
  column('hour', 'time'),
  column('local', 'dateTime'),
  column('moment', 'timestamp'),
  column('code', 'uuid'),
  column('data', 'json'),
  column('words', 'csv'),
];

type Kept = readonly [field: string, sent: unknown, read: unknown];
type Refused = readonly [field: string, sent: unknown, codes?: readonly string[]];

const tooBig = ['VALUE_OUT_OF_RANGE'];
const noNumber = ['FAILED_VALIDATION', 'INVALID_PAYLOAD'];

const kept: Readonly<Record<string, readonly Kept[]>> = {
  D14: [
    ['name', 'ü 日 💧', 'ü 日 💧'],
    ['story', '\ufeffwith a mark', '\ufeffwith a mark'],
    ['story', '\ufffd', '\ufffd'],
    ['data', { ü: ['💧', '\\u0000'] }, { ü: ['💧', '\\u0000'] }],
  ],
  D18: [
    ['whole', 2_147_483_647, 2_147_483_647],
    ['whole', '-2147483648', -2_147_483_648],
    ['whole', -0, 0],
    ['big', '9007199254740993', '9007199254740993'],
    ['big', '9223372036854775807', '9223372036854775807'],
    ['big', '-9223372036854775808', '-9223372036854775808'],
    ['big', 9_007_199_254_740_991, '9007199254740991'],
    ['ratio', 1.5e300, 1.5e300],
    ['ratio', -0, 0],
  ],
  D19: [
    ['amount', '12345678.90', '12345678.90'],
    ['amount', 0.1, '0.10'],
    ['exact', '0.100000000000000000000000000001', '0.100000000000000000000000000001'],
    ['exact', '-12345678.123456789012345678901234567890', '-12345678.123456789012345678901234567890'],
  ],
  D20: [
    ['day', '2024-02-29', '2024-02-29'],
    ['day', '2024-12-31T23:59:59-11:00', '2024-12-31'],
    ['day', '0001-01-01', '0001-01-01'],
    ['day', '9999-12-31', '9999-12-31'],
    ['hour', '23:59:59', '23:59:59'],
    // Inside of the hour that a zone with daylight saving skips.
    ['local', '2024-03-31T02:30:00', '2024-03-31T02:30:00'],
    ['local', '9999-12-31T23:59:59', '9999-12-31T23:59:59'],
    ['moment', '2024-03-31T02:30:00', '2024-03-31T02:30:00.000Z'],
    ['moment', '2024-03-31T02:30:00+02:00', '2024-03-31T00:30:00.000Z'],
  ],
  D21: [
    ['name', 'x'.repeat(10), 'x'.repeat(10)],
    ['name', '💧'.repeat(10), '💧'.repeat(10)],
    ['name', 'trailing  ', 'trailing  '],
  ],
};

const refused: Readonly<Record<string, readonly Refused[]>> = {
  D13: [
    ['name', 'a\u0000b'],
    ['story', '\u0000'],
    ['words', ['a\u0000b']],
    ['data', { a: 'x\u0000' }],
    ['data', { 'x\u0000': 1 }],
    ['data', '{"a":"\\u0000"}'],
  ],
  D14: [
    ['name', 'a\ud800'],
    ['story', '\udc00b'],
    ['data', { a: ['\ud83d'] }],
    ['data', '{"a":"\\ud83d"}'],
    ['words', ['\ud800']],
  ],
  D18: [
    ['whole', 2_147_483_648, tooBig],
    ['whole', '9007199254740993', tooBig],
    ['whole', 1.5, noNumber],
    ...['12abc', '0x10', '1e400', 'NaN', 'Infinity', '', ' 1', '1_000', '١'].map((text) => ['whole', text, noNumber] as const),
    ['big', '9223372036854775808', tooBig],
    ['big', '-9223372036854775809', tooBig],
    ['big', 9_007_199_254_740_992, tooBig],
    ...['12abc', '0x10', 'NaN', '1.5'].map((text) => ['big', text, noNumber] as const),
    ['ratio', '1e400', tooBig],
    ...['NaN', 'Infinity', '-Infinity', '0x10', '1,5', ''].map((text) => ['ratio', text, noNumber] as const),
    ['whole', { a: 1 }, noNumber],
    ['whole', [1], noNumber],
    ['whole', true, noNumber],
  ],
  D19: [
    ['amount', '123456789.00', tooBig],
    ['amount', '0.001', tooBig],
    ['amount', '1e9', tooBig],
    ['exact', '0.1000000000000000000000000000001', tooBig],
    ['exact', Math.PI, tooBig],
    ...['1,5', '1.5.1', 'NaN', 'Infinity', '0x1', ''].map((text) => ['amount', text, noNumber] as const),
  ],
  D20: [
    ...['2024-02-30', '2023-02-29', '+010000-01-01', 'now', 'today', ''].map((text) => ['day', text] as const),
    ...['24:00', '23:59:60', '12:60', '1:00'].map((text) => ['hour', text] as const),
    ...['2024-06-30T23:59:60', '2024-01-01T24:00:00', '2024-01-01T00:00:00+99:00', '0000-00-00 00:00:00', 'epoch'].flatMap((text) => [
      ['local', text] as const,
      ['moment', text] as const,
    ]),
    ['moment', '9999-12-31T23:59:59-01:00'],
    ['day', 20_240_101],
  ],
  D21: [
    ['name', 'x'.repeat(11), ['VALUE_TOO_LONG']],
    ['name', '💧'.repeat(11), ['VALUE_TOO_LONG']],
    ['name', `${'x'.repeat(10)} `, ['VALUE_TOO_LONG']],
    ['name', 'x'.repeat(10_000), ['VALUE_TOO_LONG']],
    ['code', 'x'.repeat(10_000)],
  ],
};

/** What some databases hold and others do not know: kept as it was sent, or refused. */
const refusedOrKept: readonly (readonly [string, string])[] = [
  ...['0000-00-00', '10000-01-01', '0000-01-01', 'infinity', '-infinity'].map((text) => ['day', text] as const),
  ...['24:00:00', '-01:00:00'].map((text) => ['hour', text] as const),
  ['local', 'infinity'],
  ['moment', 'infinity'],
];

const errorOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions.code ?? 'none';

describeEachVendor('hostile values', (vendor) => {
  let service: TestService;
  let api: Api;

  beforeAll(async () => {
    const utf8mb3 = vendor.name === 'mysql' ? ' character set utf8mb3' : '';
    const fixture = `create table found (id varchar(40) primary key, old varchar(10)${utf8mb3}, small smallint, note varchar(5));`;
    service = await startService(vendor, { area: 'security_values', fixture });
    api = service.api;
    expect(codeOf(await api.post('/collections', { collection: 'things', schema: {}, meta: {}, fields: columns }))).toBe('200');
  });
  afterAll(() => service.stop());

  const create = 'mutation($data: create_things_input!) { create_things_item(data: $data) { id } }';
  /** Int of GraphQL takes no text; Float does, to be exact. */
  const isNoNumber = (field: string, sent: unknown) => typeof sent === 'string' && field === 'whole';

  it.each(Object.entries(kept))('%s: is kept exactly', async (_, values) => {
    for (const [field, sent, read] of values) {
      const answer = await api.post(`/items/things?fields=${field}`, { [field]: sent });
      expect(answer.body, `${field} ${JSON.stringify(sent)}`).toEqual({ data: { [field]: read } });
      const made = await api.graphql(create, { data: { [field]: sent } });
      if (isNoNumber(field, sent)) {
        expect(errorOf(made)).toBe('GRAPHQL_VALIDATION');
        continue;
      }
      const { id } = made.body.data.create_things_item;
      expect((await api.get(`/items/things/${id}?fields=${field}`)).body.data, field).toEqual({ [field]: read });
    }
  });

  it.each(Object.entries(refused))('%s: is refused and changes nothing', async (_, values) => {
    await expectUnchanged(service, async () => {
      for (const [field, sent, codes = ['FAILED_VALIDATION', 'INVALID_PAYLOAD', 'VALUE_TOO_LONG', 'VALUE_OUT_OF_RANGE']] of values) {
        const answer = await api.post('/items/things', { [field]: sent });
        expect([answer.status, codes.includes(errorOf(answer))], `${field} ${JSON.stringify(sent)}: ${answer.text}`).toEqual([400, true]);
        const document = await api.graphql(create, { data: { [field]: sent } });
        expect(
          [...codes, 'GRAPHQL_VALIDATION', 'INVALID_PAYLOAD', 'FAILED_VALIDATION'],
          `${field} ${JSON.stringify(sent)}: ${document.text}`,
        ).toContain(errorOf(document));
      }
    });
  });

  it.each(refusedOrKept)('D20: %s %s is refused or kept exactly', async (field, sent) => {
    const answer = await api.post(`/items/things?fields=${field}`, { [field]: sent });
    if (answer.status === 200) expect(answer.body).toEqual({ data: { [field]: sent } });
    else expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)]);
  });

  it('D18, D19, D20: operands are as exact as values, or refused', async () => {
    const made = await api.post('/items/things', { big: '9007199254740993', exact: '0.100000000000000000000000000001', day: '2024-02-29' });
    const { id } = made.body.data;
    const found = async (filter: object) => {
      const { body } = await api.search('/items/things', { query: { filter: { _and: [{ id: { _eq: id } }, filter] }, fields: ['id'] } });
      return body.errors?.[0].extensions.code ?? body.data.length;
    };
    expect(await found({ big: { _eq: '9007199254740993' } })).toBe(1);
    expect(await found({ big: { _eq: '9007199254740992' } })).toBe(0);
    expect(await found({ exact: { _eq: '0.100000000000000000000000000001' } })).toBe(1);
    // SQLite compares decimals as doubles.
    expect(await found({ exact: { _eq: '0.1' } })).toBe(vendor.name === 'sqlite' ? 1 : 0);
    expect(await found({ day: { _eq: '2024-02-29' } })).toBe(1);
    for (const condition of [
      { big: { _eq: '9223372036854775808' } },
      { whole: { _eq: '12abc' } },
      { whole: { _gt: 'NaN' } },
      { whole: { _in: [1, 'x'] } },
      { ratio: { _lt: 'Infinity' } },
      { amount: { _eq: '1,5' } },
      { day: { _eq: '2024-02-30' } },
      { moment: { _gt: 'epoch' } },
      { code: { _eq: 'x' } },
      { name: { _eq: 'a\u0000b' } },
      { name: { _contains: '\ud800' } },
    ])
      expect(['INVALID_QUERY', 'INVALID_PAYLOAD'], JSON.stringify(condition)).toContain(await found(condition));
  });

  it('D18: what is not a JSON number is refused', async () => {
    const headers = { 'content-type': 'application/json' };
    await expectUnchanged(service, async () => {
      for (const raw of ['NaN', 'Infinity', '0x10', '01', '1e', '+1', '1e400', '-1e400'])
        for (const field of ['whole', 'big', 'ratio', 'amount'])
          expect((await api.request('POST', '/items/things', { raw: `{"${field}":${raw}}`, headers })).status, `${field} ${raw}`).toBe(400);
    });
  });

  it('D10: JSON as deep as a body may be is kept or refused', async () => {
    for (const depth of [20, 64, 97]) {
      const data = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      const answer = await api.post('/items/things?fields=data', { data });
      if (answer.status === 200) expect(answer.body).toEqual({ data: { data } });
      else expect([400, depth > 20], `${depth}: ${answer.text}`).toEqual([answer.status, true]);
    }
    expect((await api.post('/items/things', { data: `${'['.repeat(10_000)}${']'.repeat(10_000)}` })).status).toBe(400);
    for (const path of ['/items/things?limit=-1', '/items/things?limit=-1&export=csv', '/revisions?limit=-1'])
      expect((await api.get(path)).status, path).toBe(200);
  });

  it('D13: no NUL in a path, a query, a document, a header or the name of a file', async () => {
    const refuse = async (send: () => Promise<{ readonly status: number; readonly text: string }>) => {
      const { status, text } = await send();
      expect([400, 403], text).toContain(status);
    };
    const request = (path: string, header = '') =>
      sendRaw(service.url, [
        `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${adminToken}\r\n${header}\r\n`,
      ]);
    await expectUnchanged(service, async () => {
      await refuse(() => api.get('/items/things/%00'));
      await refuse(() => api.get('/items/found/a%00b'));
      await refuse(() => api.get('/items/%00'));
      await refuse(() => api.get('/items/things?filter[name][_eq]=a%00b'));
      await refuse(() => api.get(`/items/things?filter=${encodeURIComponent('{"name":{"_eq":"a\\u0000b"}}')}`));
      await refuse(() => api.get('/items/things?fields=na%00me'));
      await refuse(() => request('/items/things/\0'));
      await refuse(() => request('/items/things', 'x-custom: a\0b\r\n'));
      for (const document of [
        'mutation { create_things_item(data: {name: "a\\u0000b"}) { id } }',
        '{ things(filter: {name: {_eq: "a\\u0000b"}}) { id } }',
      ])
        expect(['INVALID_PAYLOAD', 'INVALID_QUERY', 'FAILED_VALIDATION']).toContain(errorOf(await api.graphql(document)));
    });
    expect([200, 400]).toContain((await api.get('/items/things?search=a%00b')).status);
    const file = await api.request('POST', '/files', { raw: makeForm([{ name: 'a\0.txt', bytes: 'x' }]) });
    expect([200, 400]).toContain(file.status);
    expect(file.text).not.toContain('\\u0000');
  });

  describe('D14: bytes that are not UTF-8', () => {
    const json = { 'content-type': 'application/json' };
    const bytes = (...parts: readonly (string | readonly number[])[]) =>
      Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

    it.each([
      ['a byte alone', bytes('{"name":"', [0xff], '"}')],
      ['an overlong slash', bytes('{"name":"', [0xc0, 0xaf], '"}')],
      ['a surrogate as bytes', bytes('{"name":"', [0xed, 0xa0, 0x80], '"}')],
      ['a character cut short', bytes('{"name":"', [0xf0, 0x9f, 0x92], '"}')],
      ['a mark in front', bytes([0xef, 0xbb, 0xbf], '{"name":"x"}')],
      ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
    ])('in a body: %s', async (_, raw) => {
      await expectUnchanged(service, async () => {
        for (const [method, path] of [
          ['POST', '/items/things'],
          ['SEARCH', '/items/things'],
          ['POST', '/graphql'],
        ] as const)
          expect(codeOf(await api.request(method, path, { raw, headers: json }))).toBe('400 INVALID_PAYLOAD');
      });
    });

    it('in an address', async () => {
      for (const path of [
        '/items/found/%ff',
        '/items/found/%c0%af',
        '/items/%ff',
        '/items/things?filter[name][_eq]=%ff',
        '/items/things?%ff=1',
      ])
        expect([400, 403], path).toContain((await api.get(path)).status);
      expect(
        (
          await api.request('POST', '/items/things', {
            raw: '{"name":"x"}',
            headers: { 'content-type': 'application/json; charset=utf-16' },
          })
        ).status,
      ).toBe(415);
    });
  });

  it('D21: nothing is cut, in tables made elsewhere either', async () => {
    await expectUnchanged(service, async () => {
      for (const item of [{ id: 'x'.repeat(10_000) }, { id: 'a', note: 'x'.repeat(6) }, { id: 'a', note: '💧'.repeat(6) }])
        expect(codeOf(await api.post('/items/found', item))).toBe('400 VALUE_TOO_LONG');
      // Whole numbers of SQLite have no length.
      if (vendor.name !== 'sqlite')
        expect(codeOf(await api.post('/items/found', { id: 'a', small: 32_768 }))).toBe('400 VALUE_OUT_OF_RANGE');
      expect(codeOf(await api.get(`/items/found/${'x'.repeat(8_000)}`))).toBe('403 FORBIDDEN');
    });
    const drop = await api.post('/items/found?fields=old', { id: 'drop', old: '💧' });
    // Three bytes of a character are all that such a column takes.
    if (vendor.name === 'mysql')
      expect([drop.status, errorOf(drop)]).toEqual([
        400,
        expect.stringMatching(/^(FAILED_VALIDATION|INVALID_PAYLOAD|VALUE_OUT_OF_RANGE)$/),
      ]);
    else expect(drop.body.data).toEqual({ old: '💧' });
  });

  it('leaves the service healthy', async () => {
    expect((await api.get('/server/ping')).text).toBe('pong');
    expect((await api.get('/items/things?limit=1')).status).toBe(200);
  });
});

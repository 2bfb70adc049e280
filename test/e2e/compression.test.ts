// Answers are compressed for clients that accept it, and only for those.

import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { adminToken, startService, type TestService } from '../harness/start-service.js';

interface Raw {
  readonly encoding: string | undefined;
  readonly length: string | undefined;
  readonly content: Buffer;
}

describe('compressed answers', () => {
  let service: TestService;
  beforeAll(async () => {
    const [vendor] = inject('vendors');
    if (vendor === undefined) throw new Error('no vendor');
    service = await startService(vendor, { area: 'compression', demo: true });
  });
  afterAll(() => service.stop());

  const ask = (path: string, accepted: string | null, method = 'GET', body?: string): Promise<Raw> =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${adminToken}`,
        ...(accepted === null ? {} : { 'accept-encoding': accepted }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const asked = request(service.url + path, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            encoding: response.headers['content-encoding'],
            length: response.headers['content-length'],
            content: Buffer.concat(chunks),
          }),
        );
      });
      asked.on('error', reject);
      asked.end(body);
    });

  const graphql = JSON.stringify({ query: '{ books(limit: -1) { id title slug published author { name } } }' });

  it.each(['csv', 'json', 'xml', 'yaml'])('are errors in plain text when an export (%s) fails before its first item', async (format) => {
    const filter = encodeURIComponent(JSON.stringify({ reviews: { _filter: { rating: { _in: '$CURRENT_USER' } } } }));
    for (const accepted of [null, 'gzip, br']) {
      const { encoding, content } = await ask(`/items/books?fields=*,reviews.*&deep=${filter}&export=${format}`, accepted);
      expect(encoding).toBeUndefined();
      expect(JSON.parse(content.toString('utf8'))).toMatchObject({ errors: [{ extensions: { code: 'INVALID_QUERY' } }] });
    }
  });

  it.each([
    ['a list', '/items/books?fields=*.*', 'GET', undefined],
    ['a streamed list', '/items/books?limit=-1&fields=*.*', 'GET', undefined],
    ['metadata', '/fields', 'GET', undefined],
    ['the description', '/server/specs/oas', 'GET', undefined],
    ['GraphQL', '/graphql', 'POST', graphql],
  ] as const)('hold the same: %s', async (_name, path, method, body) => {
    const plain = await ask(path, null, method, body);
    expect(plain.encoding).toBeUndefined();
    expect(plain.content.length).toBeGreaterThan(1024);
    const [br, gzip] = [await ask(path, 'gzip, deflate, br', method, body), await ask(path, 'gzip', method, body)];
    expect([br.encoding, gzip.encoding]).toEqual(['br', 'gzip']);
    expect(br.content.length).toBeLessThan(plain.content.length / 2);
    expect(brotliDecompressSync(br.content).equals(plain.content)).toBe(true);
    expect(gunzipSync(gzip.content).equals(plain.content)).toBe(true);
  });

  it('are not made of short ones, of what is refused by q=0, nor for HEAD', async () => {
    expect((await ask('/server/ping', 'br')).encoding).toBeUndefined();
    expect((await ask('/items/books/1?fields=id', 'br')).encoding).toBeUndefined();
    expect((await ask('/fields', 'br;q=0, gzip;q=0.0')).encoding).toBeUndefined();
    const head = await ask('/fields', 'br', 'HEAD');
    expect([head.encoding, head.content.length]).toEqual([undefined, 0]);
  });

  it('keep the entity tag, with which a write still finds its item', async () => {
    const long = 'x'.repeat(3000);
    await service.api.patch('/items/books/1', { summary: long });
    const response = await fetch(`${service.url}/items/books/1`, { headers: { authorization: `Bearer ${adminToken}` } });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    const tag = response.headers.get('etag') ?? '';
    expect((await service.api.patch('/items/books/1', { pages: 1 }, { 'if-match': tag })).status).toBe(200);
    expect((await service.api.patch('/items/books/1', { pages: 2 }, { 'if-match': tag })).status).toBe(412);
  });
});

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttp } from '../server/create-http.js';
import { readCookie, setCookie } from './cookies.js';
import { refuseCrossSite } from './cross-site.js';

let app: FastifyInstance;

beforeAll(async () => {
  app = await createHttp({ logLevel: 'silent', trustProxy: true, corsOrigins: [], bodyLimit: 1000, bodyTimeoutMs: 300 });
  app.route({
    method: ['GET', 'POST', 'PATCH', 'DELETE', 'SEARCH'],
    url: '/guarded',
    handler: async (request) => {
      refuseCrossSite(request, new Set(['https://app.example.com']));
      return 'done';
    },
  });
  app.get('/cookie', async (request) => ({ value: readCookie(request, 'token') ?? null }));
  app.get('/set', async (request, reply) => {
    setCookie(
      request,
      reply,
      { name: 'token', value: 'a.b-c_d', maxAgeMs: 5_500 },
      { secure: false, sameSite: 'lax', domain: null, path: '/' },
    );
    return 'set';
  });
  app.get('/clear', async (request, reply) => {
    setCookie(
      request,
      reply,
      { name: 'token', value: '', maxAgeMs: 0 },
      { secure: true, sameSite: 'strict', domain: 'example.com', path: '/data' },
    );
    return 'cleared';
  });
});

afterAll(() => app.close());

describe('C19: what a cookie may do', () => {
  const send = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'SEARCH', headers: Record<string, string>) =>
    (await app.inject({ method: method as 'GET', url: '/guarded', headers: { host: 'data.example.com', ...headers } })).statusCode;

  it.each([
    ['our own page', { origin: 'https://data.example.com' }, 200],
    ['a listed page', { origin: 'https://app.example.com' }, 200],
    ['a client that is no browser', {}, 200],
    ['our own page, by the other header', { 'sec-fetch-site': 'same-origin' }, 200],
    ['another page', { origin: 'https://evil.example.org' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['another page of a similar name', { origin: 'https://data.example.com.evil.example.org' }, 403],
    ['our name without TLS, where we are reached by it', { origin: 'http://data.example.com', 'x-forwarded-proto': 'https' }, 403],
    ['our name with TLS, which a proxy takes off', { origin: 'https://data.example.com', 'x-forwarded-proto': 'http' }, 200],
    ['our name without TLS, where there is none', { origin: 'http://data.example.com' }, 200],
    ['a listed name over another scheme', { origin: 'http://app.example.com' }, 403],
    ['another page, by the other header', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('%s: %j', async (_, headers, status) => {
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) expect(await send(method, headers)).toBe(status);
  });

  it('reading changes nothing and is left to CORS', async () => {
    for (const method of ['GET', 'SEARCH'] as const) expect(await send(method, { origin: 'https://evil.example.org' })).toBe(200);
  });
});

describe('cookies', () => {
  const read = async (cookie: string) => (await app.inject({ url: '/cookie', headers: { cookie } })).json().value;

  it.each([
    ['token=abc', 'abc'],
    ['x=1; token=abc; y=2', 'abc'],
    ['x=1;token=a.b-c_d', 'a.b-c_d'],
    ['my_token=abc', null],
    ['token', null],
    ['x=token=abc', null],
    ['token=first; token=second', 'first'],
  ])('%s is read as %s', async (header, value) => {
    expect(await read(header)).toBe(value);
  });

  it('are out of reach of scripts and other sites, and secure where the connection is', async () => {
    expect((await app.inject('/set')).headers['set-cookie']).toBe('token=a.b-c_d; Max-Age=5; Path=/; HttpOnly; SameSite=Lax');
    const secured = await app.inject({ url: '/set', headers: { 'x-forwarded-proto': 'https' } });
    expect(secured.headers['set-cookie']).toMatch(/; Secure$/);
    expect((await app.inject('/clear')).headers['set-cookie']).toBe(
      'token=; Max-Age=0; Path=/data; HttpOnly; SameSite=Strict; Domain=example.com; Secure',
    );
  });
});

import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Written } from '../../../core/vendor/replication.js';
import { createSeal } from '../../../service/secrets/seal.js';
import { addAnswerHeaders } from '../answer/answer-headers.js';
import { ReadAfter } from './read-after.js';
import { RequestContext } from './request-context.js';

const seal = createSeal('a secret of some length', 'read after');
let written: Written = null;
let app: FastifyInstance;
let tokens: ReadAfter;

beforeEach(() => {
  written = null;
  tokens = new ReadAfter({
    replicas: { written: () => written, reaches: (applied, position) => Number(applied) >= Number(position) },
    seal,
    cookies: { secure: false, sameSite: 'lax', domain: null, path: '/' },
    keepMs: 60_000,
  });
  app = Fastify();
  app.decorateRequest('context');
  app.addHook('onRequest', (request, reply, done) => {
    request.context = new RequestContext(request, reply, { isTimed: false, sendsTiming: false, traces: null, readAfter: tokens });
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    addAnswerHeaders(request, reply);
    done();
  });
  app.get('/', async (request) => ({ from: tokens.of(request) ?? String(tokens.of(request)) }));
  app.post('/', async (request, reply) => {
    const { status = 200, replayed = false, query = false } = request.body as Record<string, never>;
    request.context.isQuery = query;
    if (replayed) reply.header('idempotent-replayed', 'true');
    return reply.code(status).send({ from: String(tokens.of(request)) });
  });
});
afterEach(() => app.close());

const write = async (body: object = {}): Promise<{ readonly token: string | undefined; readonly cookie: string | undefined }> => {
  const { headers } = await app.inject({ method: 'POST', url: '/', payload: body });
  const token = headers['x-read-after'];
  return { token: token === undefined ? undefined : String(token), cookie: [headers['set-cookie']].flat()[0] };
};
const readFrom = async (headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await app.inject({ method: 'GET', url: '/', headers })).json().from;

describe('the answer to a write', () => {
  it('carries the position as a header and as a cookie, and both lead back to it', async () => {
    written = '7';
    const { token = '', cookie = '' } = await write();
    expect(token).not.toContain('7 ');
    expect(cookie).toMatch(/^service_read_after=.*; Max-Age=60; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(await readFrom({ 'x-read-after': token })).toBe('7');
    expect(await readFrom({ cookie: `other=1; ${cookie.split(';')[0]}` })).toBe('7');
  });

  it('carries none before the first write, after a failure, and for a query', async () => {
    expect((await write()).token).toBeUndefined();
    written = '7';
    expect((await write({ status: 400 })).token).toBeUndefined();
    expect((await write({ query: true })).token).toBeUndefined();
    expect((await app.inject({ method: 'GET', url: '/' })).headers['x-read-after']).toBeUndefined();
  });

  it('leads to the primary when the position is unknown, or perhaps of another process', async () => {
    written = 'unknown';
    expect(await readFrom({ 'x-read-after': (await write()).token ?? '' })).toBe('undefined');
    written = '7';
    expect(await readFrom({ 'x-read-after': (await write({ replayed: true })).token ?? '' })).toBe('undefined');
    written = null;
    expect(await readFrom({ 'x-read-after': (await write({ replayed: true })).token ?? '' })).toBe('undefined');
  });
});

describe('a read', () => {
  it('without a token may be answered by any copy', async () => {
    const { payload } = await app.inject({ method: 'GET', url: '/' });
    expect(JSON.parse(payload)).toEqual({ from: 'null' });
  });

  it('with what is not a token is answered by the primary', async () => {
    for (const token of [
      '',
      'now',
      'x',
      '999999',
      seal.seal('position 9', 'cursor'),
      createSeal('another', 'read after').seal('position 9', ''),
    ])
      expect(await readFrom({ 'x-read-after': token })).toBe('undefined');
    expect(await readFrom({ cookie: 'service_read_after=forged' })).toBe('undefined');
  });

  it('takes the later of header and cookie', async () => {
    written = '7';
    const older = (await write()).token ?? '';
    written = '12';
    const newer = (await write()).token ?? '';
    expect(await readFrom({ 'x-read-after': older, cookie: `service_read_after=${newer}` })).toBe('12');
    expect(await readFrom({ 'x-read-after': newer, cookie: `service_read_after=${older}` })).toBe('12');
    expect(await readFrom({ 'x-read-after': 'now', cookie: `service_read_after=${older}` })).toBe('undefined');
  });

  it('is free again when the time of the primary has passed', async () => {
    expect(await readFrom({ 'x-read-after': seal.seal(`primary ${Date.now() - 1}`, 'read after') })).toBe('null');
  });

  it('that is part of a write goes to the primary', async () => {
    const { payload } = await app.inject({ method: 'POST', url: '/', payload: {} });
    expect(JSON.parse(payload)).toEqual({ from: 'undefined' });
  });
});

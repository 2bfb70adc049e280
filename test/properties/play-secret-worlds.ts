// Plays random requests against two services that hold the two fillings of a world and compares their answers byte by byte, headers
// included. What differs between any two services (keys that a service chooses, moments, its address) is masked first.

import { expect } from 'vitest';
import type { Answer, Api } from '../harness/api.js';
import type { TestService } from '../harness/start-service.js';
import { makeRandom, type Random } from './random.js';
import { makeDocument } from './secret-documents.js';
import { makeFillings } from './secret-fillings.js';
import { makeRead, type SecretRequest } from './secret-queries.js';
import { makeSystemRequest, makeVersionRequest } from './secret-system.js';
import { makeWorld, type World } from './secret-world.js';
import { makeWrite } from './secret-writes.js';
import { settle } from './settle-secret-world.js';

export type Answered = Record<SecretRequest['kind'], number>;

export const nothingAnswered = (): Answered => ({ read: 0, document: 0, system: 0, version: 0, asset: 0, write: 0 });

/** Plays `requests` pairs in one world and adds to `answered` what was answered with data. */
export async function playWorld(
  services: readonly TestService[],
  seed: number,
  index: number,
  requests: number,
  answered: Answered,
): Promise<void> {
  const [left, right] = services;
  if (left === undefined || right === undefined) throw new Error('two services are needed');
  const random = makeRandom(seed + index * 1000);
  const world = makeWorld(random, index);
  const [one, other] = makeFillings(random, world);
  const callers = await Promise.all([settle(left, world, one), settle(right, world, other)]);
  for (let count = 0; count < requests; count += 1) {
    const caller = random.pick(['user', 'user', 'user', 'user', 'user', 'user', 'key', 'share', 'public', 'viewed'] as const);
    const { kind, method, path, body } = pickRequest(random, world, count);
    const options = body === undefined ? {} : { body };
    const answers = await Promise.all(callers.map((each) => each[caller].request(method, path, options)));
    const asked = `seed ${seed}, world ${index}, request ${count} as ${caller}: ${method} ${decodeURIComponent(path)} ${JSON.stringify(body ?? null)}`;
    const [mine, theirs] = answers.map((answer, side) => describe(answer, side === 0 ? left.url : right.url, kind === 'asset'));
    expect(mine?.status, `${asked}\n${mine?.text}`).toBeLessThan(500);
    expect(mine, asked).toEqual(theirs);
    if (caller === 'key') await expectAsRead(left, callers[0].user, { method, path, options }, mine?.text ?? '', asked);
    if (caller === 'viewed') await expectAsSeen(left, callers[0].user, { method, path, options }, mine?.text ?? '', asked);
    if (caller === 'user' && mine !== undefined && mine.status < 300 && !mine.text.startsWith('{"errors"')) answered[kind] += 1;
  }
}

interface PlayedRequest {
  readonly method: string;
  readonly path: string;
  readonly options: { readonly body?: unknown };
}

const isRead = ({ method }: Pick<PlayedRequest, 'method'>): boolean => method === 'GET' || method === 'SEARCH';

/** What a key sees whose policy opens everything is what its user sees. */
async function expectAsRead({ url }: TestService, user: Api, request: PlayedRequest, seen: string, asked: string): Promise<void> {
  const { method, path, options } = request;
  if (isRead(request)) expect(seen, asked).toBe(mask((await user.request(method, path, options)).text, url));
}

/** What an administrator sees as the user is what the user sees. Writes are refused. */
async function expectAsSeen(service: TestService, user: Api, request: PlayedRequest, seen: string, asked: string): Promise<void> {
  const { method, path } = request;
  if (isRead({ method })) await expectAsRead(service, user, request, seen, asked);
  else if (!path.startsWith('/graphql')) expect(seen, asked).toContain('FORBIDDEN');
}

function pickRequest(random: Random, world: World, count: number): SecretRequest {
  const choice = random.int(20);
  if (choice < 8) return makeRead(random, world);
  if (choice < 12) return makeDocument(random, world);
  if (choice < 15) return makeSystemRequest(random, world);
  if (choice < 17) return makeVersionRequest(random, world);
  return makeWrite(random, world, count);
}

/** Headers that are the service's or the connection's own. */
const passing = new Set(['date', 'x-request-id', 'server-timing', 'keep-alive', 'connection', 'content-length', 'transfer-encoding']);

function describe(
  answer: Answer,
  url: string,
  isAsset: boolean,
): { readonly status: number; readonly text: string; readonly headers: object } {
  const text = mask(answer.text, url);
  // A tag is made of an answer's bytes, or of a file's name on disk: it is comparable only where nothing is masked.
  const isMasked = text !== answer.text || isAsset;
  const headers = [...answer.headers].filter(([name]) => !passing.has(name) && !(isMasked && name === 'etag'));
  return { status: answer.status, text, headers: Object.fromEntries(headers.map(([name, value]) => [name, mask(value, url)])) };
}

function mask(text: string, url: string): string {
  return (
    text
      .replaceAll(url, '<url>')
      .replaceAll(/\b(?!00000000-)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, '<uuid>')
      .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?/g, '<moment>')
      // An export's file name bears the moment of its making.
      .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}-\d{2}-\d{2}/g, '<moment>')
  );
}

// Sends requests under faults: each with its first database call failing, then with its second, and so on until no call fails. After each
// the database holds all of the request's changes or none of them, no connection is lost, and the service still answers.

import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { InjectedAnswer, InjectedRequest } from '../../src/embedding.js';
import type { FaultyService } from './faulty-service.js';
import { adminEmail, adminPassword } from './start-service.js';

export interface Trial {
  readonly name: string;
  /** Creates what the request needs, without faults, and returns the request of one round. */
  prepare(service: FaultyService, round: number): Promise<InjectedRequest>;
  /** The request changes the structure, so checksums of tables cannot be compared. */
  readonly structure?: boolean;
}

const post = (url: string, payload: object): InjectedRequest => ({ method: 'POST', url, payload });

const book = (name: string) => ({ title: name, slug: name, reviews: [{ reader: 'r', rating: 3 }] });
const author = (name: string) => ({ name, books: [book(`${name}-1`), book(`${name}-2`)] });

async function made(service: FaultyService, name: string): Promise<{ readonly id: number; readonly books: readonly number[] }> {
  const answer = await service.inject(post('/items/authors?fields=id,books', author(name)));
  return answer.json().data;
}

async function logIn(service: FaultyService): Promise<{ readonly refresh_token: string }> {
  const answer = await service.inject(post('/auth/login', { email: adminEmail, password: adminPassword }));
  return answer.json().data;
}

const simple = (name: string, request: (round: number) => InjectedRequest): Trial => ({
  name,
  prepare: async (_service, round) => request(round),
});

/** A form with one text file. */
function form(url: string, name: string): InjectedRequest {
  const boundary = 'tain-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.txt"\r\nContent-Type: text/plain\r\n\r\n`;
  return {
    method: 'POST',
    url,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `${head}${'content of the file\r\n'.repeat(50)}--${boundary}--\r\n`,
  };
}

export const uploadTrial: Trial = simple('upload', (round) => form('/files', `upload-${round}`));

const loginTrial: Trial = simple('login', () => post('/auth/login', { email: adminEmail, password: adminPassword }));

/** Logins are counted per account, in Redis beyond the end of a test, so each account logs in only once. */
export const firstLoginTrial: Trial = {
  name: 'first login',
  prepare: async (service) => {
    const account = { email: `${randomUUID()}@example.com`, password: 'a-long-password' };
    await service.inject(post('/users', { ...account, status: 'active' }));
    return post('/auth/login', account);
  },
};

export const trials: readonly Trial[] = [
  simple('nested create', (round) => post('/items/authors', author(`create-${round}`))),
  simple('create of many', (round) => post('/items/authors', [author(`many-${round}-a`), author(`many-${round}-b`)])),
  {
    name: 'nested update',
    prepare: async (service, round) => {
      const { id, books } = await made(service, `update-${round}`);
      const payload = { name: `updated-${round}`, books: [{ id: books[0], title: 'other' }, book(`update-${round}-new`)] };
      return { method: 'PATCH', url: `/items/authors/${id}`, payload };
    },
  },
  {
    name: 'delete',
    prepare: async (service, round) => {
      const { books } = await made(service, `delete-${round}`);
      return { method: 'DELETE', url: '/items/books', payload: [...books] };
    },
  },
  simple('batch', (round) => {
    const operations = [
      { id: 'a', method: 'POST', path: '/items/authors', body: { name: `batch-${round}` } },
      { method: 'POST', path: '/items/books', body: { title: 'b', slug: `batch-${round}`, author: { $ref: 'a.data.id' } } },
    ];
    return post('/batch', { operations });
  }),
  simple('create over GraphQL', (round) =>
    post('/graphql', {
      query: `mutation { create_authors_item(data: {name: "g-${round}", books: [{title: "g", slug: "g-${round}"}]}) { id } }`,
    }),
  ),
  simple('create once', (round) => ({
    ...post('/items/authors', author(`once-${round}`)),
    headers: { 'idempotency-key': `once-${round}` },
  })),
  simple('create of a user', (round) => post('/users', { email: `user-${round}@example.com`, password: 'a-long-password' })),
  loginTrial,
  {
    name: 'refresh',
    prepare: async (service) => post('/auth/refresh', { refresh_token: (await logIn(service)).refresh_token, mode: 'json' }),
  },
  uploadTrial,
  { ...simple('new field', (round) => post('/fields/authors', { field: `extra_${round}`, type: 'integer' })), structure: true },
  {
    ...simple('new collection', (round) =>
      post('/collections', { collection: `made_${round}`, schema: {}, fields: [{ field: 'text', type: 'string' }] }),
    ),
    structure: true,
  },
];

/** The number of rows of each table. */
type Counts = Readonly<Record<string, number>>;

async function countRows({ direct }: FaultyService, tables: readonly string[]): Promise<Counts> {
  const each = tables.map((table) => `select '${table}' as name, count(*) as many from ${table}`);
  return Object.fromEntries((await direct.sql(each.join(' union all '))).map((row) => [String(row['name']), Number(row['many'])]));
}

/** Lists the tables: anew each time if the request changes the structure. */
async function listTables({ direct }: FaultyService, trial: Trial): Promise<() => Promise<readonly string[]>> {
  if (trial.structure === true) return () => direct.tables();
  const tables = await direct.tables();
  return async () => tables;
}

/** Their checksums say no more than their number of rows. */
const emptyTables = (counts: Counts): readonly string[] => Object.keys(counts).filter((table) => counts[table] === 0);

/** Removes what earlier trials left in the history: every round reads all rows of all tables. */
async function forgetHistory({ direct }: FaultyService): Promise<void> {
  await direct.sql('delete from service_revisions');
  await direct.sql('delete from service_activity');
}

/** The change in the number of rows of each table that differs, including tables that were created or dropped. */
function difference(before: Counts, after: Counts): Counts {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = names.map((name) => [name.replace(/_\d+$/, ''), (after[name] ?? -1) - (before[name] ?? -1)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

const hasSucceeded = (answer: InjectedAnswer): boolean =>
  answer.statusCode < 300 && !answer.body.startsWith('{"errors"') && !answer.body.includes('"errors":[');

export interface FaultReport {
  readonly requests: number;
  readonly faults: number;
}

/** Arms and disarms one kind of fault. `struck`: a call failed. `committed`: something was committed before that. */
export interface FaultLine {
  /** Whether something was committed cannot be told: `committed` is always true, and only numbers of rows are compared. */
  readonly isBlind?: boolean;
  arm(at: number): void;
  disarm(): Disarmed | Promise<Disarmed>;
}

interface Disarmed {
  readonly struck: boolean;
  readonly committed: boolean;
}

const mostCalls = 200;
let rounds = 0;

export async function runTrial(service: FaultyService, trial: Trial, line: FaultLine, label: string): Promise<FaultReport> {
  await forgetHistory(service);
  const tables = await listTables(service, trial);
  const whole = await measureWhole(service, trial, tables);
  for (let at = 1; at <= mostCalls; at += 1) {
    rounds += 1;
    const request = await trial.prepare(service, rounds);
    const before = await countRows(service, await tables());
    const checksums = () => service.direct.checksums(emptyTables(before));
    const sums = trial.structure === true || line.isBlind === true ? null : await checksums();
    line.arm(at);
    const answer = await service.inject(request);
    const { struck, committed } = await line.disarm();
    const context = `${trial.name}, ${label}, call ${at}: ${answer.statusCode} ${answer.body.slice(0, 300)}`;
    const change = difference(before, await countRows(service, await tables()));
    if (hasSucceeded(answer)) expect(change, context).toEqual(whole);
    else {
      expect(struck, context).toBe(true);
      expect([{}, whole], context).toContainEqual(change);
      if (!committed) expect([change, sums === null ? null : await checksums()], context).toEqual([{}, sums]);
    }
    await expectUsable(service, context);
    if (!struck) return { requests: at, faults: at - 1 };
  }
  throw new Error(`${trial.name}: still fails after ${mostCalls} calls`);
}

/** Removes the fields and collections that trials have made, which would make each further one slower. */
export async function restoreStructure(service: FaultyService, snapshot: object): Promise<void> {
  const found = await service.inject(post('/schema/diff', snapshot));
  if (found.statusCode === 204) return;
  const applied = await service.inject(post('/schema/apply?lossy=true', found.json().data));
  expect(applied.statusCode, applied.body).toBe(204);
}

/** The change that the request makes when nothing fails. */
async function measureWhole(service: FaultyService, trial: Trial, tables: () => Promise<readonly string[]>): Promise<Counts> {
  rounds += 1;
  const request = await trial.prepare(service, rounds);
  const before = await countRows(service, await tables());
  const answer = await service.inject(request);
  expect(hasSucceeded(answer), `${trial.name}: ${answer.body}`).toBe(true);
  return difference(before, await countRows(service, await tables()));
}

async function expectUsable(service: FaultyService, context: string): Promise<void> {
  const { size, idle, waiting } = service.pool();
  expect([size - idle, waiting], `${context}: busy and waiting connections`).toEqual([0, 0]);
  expect((await service.inject({ method: 'GET', url: '/items/authors?limit=1' })).statusCode, context).toBe(200);
}

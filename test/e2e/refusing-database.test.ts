// Databases and disks that are there and cannot serve: the service says so by 503 and why, changes nothing, and recovers by itself
// afterwards. Servers of our own, since they are starved.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, type Api, makeApi } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type DirectAccess, openDirectAccess } from '../harness/direct-access.js';
import { build, type Folder, makeFolder, type RunningCommand, runStartInSmallSpace, waitFor } from '../harness/run-command.js';
import { startService, type TestService } from '../harness/start-service.js';
import { galeraOptions, hasServerPrograms, makeServer, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { upload } from '../harness/upload.js';
import { createDatabase } from '../harness/vendors.js';

const token = 'refusing-admin-token';
const notes = { collection: 'notes', schema: {}, fields: [{ field: 'text', type: 'text' }] };

const describeError = ({ status, body }: Answer): readonly unknown[] => [
  status,
  body.errors[0].extensions.code,
  body.errors[0].extensions.service,
  body.errors[0].message,
];

interface Refusing {
  readonly server: ThrowAwayServer;
  readonly service: Service;
  /** As the administrator of the server. */
  readonly direct: DirectAccess;
  /** The address that the service connects to, by a user without special rights. */
  readonly appUrl: string;
  readonly url: string;
  readonly api: Api;
  stop(): Promise<void>;
}

async function startOn(server: ThrowAwayServer, makeUser: (database: string) => readonly string[]): Promise<Refusing> {
  await server.start();
  const database = await createDatabase(server.vendor, 'refusing');
  const direct = await openDirectAccess(server.vendor, database.url);
  for (const statement of makeUser(new URL(database.url).pathname.slice(1))) await direct.sql(statement);
  const appUrl = database.url.replace(/\/\/\w+@/, '//app@');
  const service = await createService({ databaseUrl: appUrl, port: 0, logLevel: 'silent', adminToken: token, rateLimit: null });
  const url = await service.listen();
  const api = makeApi(url, token);
  await service.ready();
  expect((await api.post('/collections', notes)).status).toBe(200);
  const stop = async (): Promise<void> => {
    await service.close();
    await direct.close();
    await server.remove();
  };
  return { server, service, direct, appUrl, url, api, stop };
}

/** What an administrator does on each vendor. */
const administration = {
  postgres: {
    options: ['-c', 'max_connections=16'],
    makeUser: (database: string) => ['create role app login', `alter database "${database}" owner to app`],
    lock: ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()'],
    unlock: ['set default_transaction_read_only = off', 'alter system reset default_transaction_read_only', 'select pg_reload_conf()'],
    ownId: 'select pg_backend_pid() as id',
    idsOfApp: "select pid as id from pg_stat_activity where usename = 'app'",
    end: (id: number) => `select pg_terminate_backend(${id})`,
  },
  mysql: {
    options: ['--max-connections=12'],
    makeUser: (database: string) => ["create user app@'%'", `grant all on \`${database}\`.* to app@'%'`],
    lock: ['set global read_only = 1'],
    unlock: ['set global read_only = 0'],
    ownId: 'select connection_id() as id',
    idsOfApp: "select id as id from information_schema.processlist where user = 'app'",
    end: (id: number) => `kill ${id}`,
  },
} as const;

for (const name of ['postgres', 'mysql'] as const) {
  // Where the programs are missing there is nothing to starve; a CI without them is broken.
  if (!hasServerPrograms(name) && process.env['CI'] !== 'true') continue;

  describe(`a database that refuses (${name})`, () => {
    const { options, makeUser, lock, unlock, ownId, idsOfApp, end } = administration[name];
    let running: Refusing;

    beforeAll(async () => {
      running = await startOn(await makeServer(name, options), makeUser);
    });
    afterAll(() => running.stop());

    const idsOf = async (access: DirectAccess, statement: string): Promise<readonly number[]> =>
      (await access.sql(statement)).map((row) => Number(row['id']));

    it('writes: 503 that says read-only, reads continue, then writes do', async () => {
      const { api, direct, server, appUrl } = running;
      const first = await api.post('/items/notes', { text: 'before' });
      expect(first.status).toBe(200);
      for (const statement of lock) await direct.sql(statement);
      const refused = await waitFor(async () => {
        const answer = await api.post('/items/notes', { text: 'meanwhile' });
        return answer.status === 200 ? null : answer;
      }, 60_000);
      expect(describeError(refused)).toEqual([503, 'SERVICE_UNAVAILABLE', 'database', expect.stringContaining('read-only')]);
      // PostgreSQL notifies its sessions one by one, and accepts no connection before all are notified.
      await (await openDirectAccess(server.vendor, appUrl)).close();
      const path = `/items/notes/${first.body.data.id}`;
      const others = [
        await api.patch(path, { text: 'changed' }),
        await api.delete(path),
        await api.post('/fields/notes', { field: 'more', type: 'string' }),
        await api.post('/batch', { operations: [{ method: 'POST', path: '/items/notes', body: { text: 'batch' } }] }),
        await api.graphql('mutation { create_notes_item(data: {text: "graphql"}) { id } }'),
      ];
      expect(others.map((answer) => answer.body.errors[0].extensions.code)).toEqual(others.map(() => 'SERVICE_UNAVAILABLE'));
      expect((await api.get(path)).body.data.text).toBe('before');
      for (const statement of unlock) await direct.sql(statement);
      await waitFor(async () => ((await api.post('/items/notes', { text: 'after' })).status === 200 ? true : null), 60_000);
    });

    it('connections: 503 while none is left, health too, then service again', async () => {
      const { api, direct, appUrl, url, server } = running;
      const taken: DirectAccess[] = [];
      const takeAll = async (): Promise<void> => {
        for (;;) {
          const next = await openDirectAccess(server.vendor, appUrl).catch(() => null);
          if (next === null) return;
          taken.push(next);
        }
      };
      try {
        // A session that was ended leaves its place a moment later, and the service may get it once more.
        const refused = await waitFor(async () => {
          await takeAll();
          const ours = new Set((await Promise.all(taken.map((access) => idsOf(access, ownId)))).flat());
          const theirs = (await idsOf(direct, idsOfApp)).filter((id) => !ours.has(id));
          for (const id of theirs) await direct.sql(end(id)).catch(() => undefined);
          await takeAll();
          const [answer, health] = [await api.get('/items/notes'), await makeApi(url, null).get('/server/health')];
          return answer.status === 503 && health.status === 503 ? answer : null;
        }, 90_000);
        expect(describeError(refused).slice(0, 3)).toEqual([503, 'SERVICE_UNAVAILABLE', 'database']);
      } finally {
        for (const connection of taken) await connection.close().catch(() => undefined);
      }
      await waitFor(async () => ((await api.get('/items/notes')).status === 200 ? true : null), 60_000);
    });
  });
}

const galera = await galeraOptions();
describe.runIf(galera !== null && hasServerPrograms('mysql'))('a node of a cluster that has lost its quorum', () => {
  let running: Refusing;

  beforeAll(async () => {
    running = await startOn(await makeServer('mysql', galera ?? []), administration.mysql.makeUser);
  });
  afterAll(() => running.stop());

  it('is answered by 503, by health too, and serves again with the others', async () => {
    const { api, url, direct } = running;
    const health = (): Promise<Answer> => makeApi(url, null).get('/server/health');
    expect((await health()).status).toBe(200);
    await direct.sql('set global wsrep_reject_queries = ALL');
    const answers = [await api.get('/items/notes'), await api.post('/items/notes', { text: 'a' })];
    expect(answers.map((answer) => describeError(answer).slice(0, 3))).toEqual(answers.map(() => [503, 'SERVICE_UNAVAILABLE', 'database']));
    expect((await health()).status).toBe(503);
    await direct.sql('set global wsrep_reject_queries = NONE');
    expect((await api.post('/items/notes', { text: 'b' })).status).toBe(200);
    expect([(await api.get('/items/notes')).body.data.length, (await health()).status]).toEqual([1, 200]);
  });
});

describe('a disk without room', () => {
  const kilobytes = 1500;
  let folder: Folder;
  let running: RunningCommand;
  let origin: string;
  let api: Api;

  beforeAll(async () => {
    await build();
    folder = makeFolder();
    const variables = { ADMIN_TOKEN: token, RATE_LIMIT: 'off', LOG_LEVEL: 'warn', STORAGE_ROOT: join(folder.path, 'files') };
    running = runStartInSmallSpace(folder, kilobytes, variables);
    origin = await running.address();
    api = makeApi(origin, token);
    expect((await api.post('/collections', notes)).status).toBe(200);
  }, 300_000);
  afterAll(async () => {
    running.process.kill('SIGTERM');
    await running.ended;
    folder.remove();
  });

  it('refuses a file by 503 and leaves nothing of it behind', async () => {
    const large = await upload(api, { name: 'large.txt', bytes: 'x'.repeat((kilobytes + 100) * 1024) });
    expect(describeError(large)).toEqual([503, 'SERVICE_UNAVAILABLE', 'storage', expect.stringContaining('no room')]);
    expect(readdirSync(join(folder.path, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([]);
    expect((await api.get('/files')).body.data).toEqual([]);
    expect((await upload(api, { name: 'small.txt', bytes: 'x' })).status).toBe(200);
  });

  it('answers a variant of an image that it cannot keep, in parts too, and logs an outage once', async () => {
    const noise = {
      create: { width: 1500, height: 1500, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    } as const;
    const bytes = await sharp(noise).jpeg({ quality: 40 }).toBuffer();
    const image = (await upload(api, { name: 'noise.jpg', bytes, type: 'image/jpeg' })).body.data.id;
    const wanted = `${origin}/assets/${image}?format=png`;
    for (let times = 0; times < 3; times += 1) {
      const answer = await fetch(wanted, { headers: { authorization: `Bearer ${token}` } });
      const content = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, content.length > kilobytes * 1024, (await sharp(content).metadata()).format]).toEqual([200, true, 'png']);
    }
    const part = await fetch(wanted, { headers: { authorization: `Bearer ${token}`, range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    for (let times = 0; times < 3; times += 1) {
      expect((await upload(api, { name: 'large.txt', bytes: 'x'.repeat((kilobytes + 100) * 1024) })).status).toBe(503);
    }
    expect(
      running
        .output()
        .split('\n')
        .filter((line) => line.includes('"msg":"The storage of files has no room left')).length,
    ).toBe(1);
    expect(running.output().match(/could not be kept/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it('refuses writes to SQLite by 503, keeps what was acknowledged, and still reads', async () => {
    let written = 0;
    const refused = await waitFor(async () => {
      const answer = await api.post('/items/notes', { text: 'x'.repeat(200_000) });
      if (answer.status !== 200) return answer;
      written += 1;
      return null;
    }, 90_000);
    expect(describeError(refused).slice(0, 3)).toEqual([503, 'SERVICE_UNAVAILABLE', 'database']);
    expect((await api.get('/items/notes?fields=id&limit=-1')).body.data.length).toBe(written);
  });
});

describeEachVendor('a generated field that the database cannot compute', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'refusing' });
    await service.api.post('/collections', notes);
    await service.api.post('/items/notes', { text: 'a' });
  });
  afterAll(() => service.stop());

  it.each([['no_such_function(text)'], ['no_such_column + 1'], ['text +'], ['(select 1)'], ['random()']])(
    'is refused when it is made: %s',
    async (expression) => {
      const schema = { is_generated: true, generation_expression: expression };
      const answers = [
        await service.api.post('/fields/notes', { field: 'made', type: 'string', schema }),
        await service.api.post('/collections', {
          collection: 'others',
          schema: {},
          fields: [
            { field: 'text', type: 'string' },
            { field: 'made', type: 'string', schema },
          ],
        }),
      ];
      expect(answers.map((answer) => [answer.status, answer.body.errors?.[0].extensions.code])).toEqual(
        answers.map(() => [400, 'INVALID_PAYLOAD']),
      );
      expect((await service.api.get('/items/notes?fields=text')).body.data).toEqual([{ text: 'a' }]);
      expect((await service.api.get('/collections/others')).status).toBe(403);
    },
  );
});

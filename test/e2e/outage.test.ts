// The database comes late, goes away and comes back, with servers of our own: the service says 503 quickly and never needs a restart.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Answer, makeApi } from '../harness/api.js';
import { patience } from '../harness/patience.js';
import { waitFor } from '../harness/run-command.js';
import { hasServerPrograms, makeServer, type ThrowAwayServer } from '../harness/throw-away-server.js';
import { createDatabase } from '../harness/vendors.js';

const token = 'outage-admin-token';

for (const name of ['postgres', 'mysql'] as const) {
  // Where the programs are missing there is nothing to stop; a CI without them is broken.
  if (!hasServerPrograms(name) && process.env['CI'] !== 'true') continue;

  describe(`an outage of the database (${name})`, () => {
    let server: ThrowAwayServer;
    let service: Service;
    let url: string;
    const readUsers = (): Promise<Answer> => makeApi(url, token).get('/users?limit=1');
    const readHealth = async (): Promise<readonly unknown[]> => {
      const { status, text } = await makeApi(url, null).get('/server/health');
      return [status, text];
    };

    beforeAll(async () => {
      server = await makeServer(name);
      await server.start();
      const database = await createDatabase(server.vendor, 'outage');
      await server.stop();
      // A server that has just started may be slow; an unreachable one fails at once.
      const deadlines = { lockTimeout: patience, silenceTimeout: patience, healthTimeout: patience };
      const config = { databaseUrl: database.url, port: 0, logLevel: 'silent', adminToken: token, rateLimit: null, ...deadlines } as const;
      service = await createService(config);
      url = await service.listen();
    });
    afterAll(async () => {
      await service.close();
      await server.remove();
    });

    it('at the start: answers 503, logs its attempts, becomes ready when the database appears', async () => {
      const failures: unknown[] = [];
      const ready = service.ready({ onRetry: (error) => failures.push(error) });
      await waitFor(() => (failures.length > 0 ? true : null), 60_000);
      const answer = await readUsers();
      expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect((await makeApi(url, null).get('/server/ping')).text).toBe('pong');
      expect(await readHealth()).toEqual([503, '{"status":"error"}']);
      await server.start();
      await ready;
      expect((await readUsers()).status).toBe(200);
      expect(await readHealth()).toEqual([200, '{"status":"ok"}']);
    });

    it('under way: 503 soon, then service again', async () => {
      await server.stop();
      for (let round = 0; round < 3; round += 1) {
        const asked = performance.now();
        const answer = await readUsers();
        expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
        // It waited half a minute once.
        expect(performance.now() - asked).toBeLessThan(15_000);
        expect(await readHealth()).toEqual([503, '{"status":"error"}']);
      }
      await server.start();
      const back = await waitFor(async () => ((await readUsers()).status === 200 ? true : null), 60_000);
      expect(back).toBe(true);
    });
  });
}

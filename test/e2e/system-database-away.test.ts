// The service with tables of its own elsewhere (SYSTEM_DATABASE_URL) while the data database is dead, and while it accepts connections and never
// answers: it is not ready for as long as that lasts, and ready again afterwards. What needs no data works all the time.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createService, type Service } from '../../src/tain.js';
import { type Api, makeApi } from '../harness/api.js';
import { openDirectAccess } from '../harness/direct-access.js';
import { patience } from '../harness/patience.js';
import { openSilentProxy, type SilentProxy } from '../harness/silent-proxy.js';
import { adminEmail, adminPassword, adminToken } from '../harness/start-service.js';
import { createDatabase, type TestDatabase, type Vendor } from '../harness/vendors.js';

const sqlite: Vendor = { name: 'sqlite', server: '', label: 'SQLite' };
/** Longer than the pauses between two looks at the catalogue, after which the state flickered. */
const steadyMs = 1_500;
const waiting = { timeout: patience, interval: 50 };

// SQLite's data are a file of the service's own machine.
describe.each(inject('vendors').filter(({ name }) => name !== 'sqlite'))('data in $name, which is away', (vendor) => {
  let data: TestDatabase;
  let system: TestDatabase;
  let proxy: SilentProxy;
  let service: Service;
  let url: string;
  let api: Api;

  const ready = async (): Promise<number> => (await fetch(`${url}/server/ready`)).status;
  /** Every answer for a while. */
  async function answersOfAWhile(): Promise<ReadonlySet<number>> {
    const answers = new Set<number>();
    for (const until = performance.now() + steadyMs; performance.now() < until; await sleep(20)) answers.add(await ready());
    return answers;
  }

  beforeAll(async () => {
    data = await createDatabase(vendor, 'data_away');
    system = await createDatabase(sqlite, 'data_away_system');
    const direct = await openDirectAccess(vendor, data.url);
    await direct.sql("create table notes (id integer primary key, title varchar(50)); insert into notes values (1, 'one')");
    await direct.close();
    proxy = await openSilentProxy(data.url);
    const shared = { port: 0, logLevel: 'silent', rateLimit: null, adminEmail, adminPassword, adminToken } as const;
    service = await createService({ ...shared, databaseUrl: proxy.url, systemDatabaseUrl: system.url });
    url = await service.listen();
    await service.ready();
    api = makeApi(url, adminToken);
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
    await data?.drop();
    await system?.drop();
  });

  it.each(['dead', 'silent'] as const)('is not ready while it is %s, and ready afterwards', async (state) => {
    expect(await ready()).toBe(200);
    if (state === 'dead') await proxy.die();
    else proxy.silence();
    await expect.poll(ready, waiting).toBe(503);
    expect([...(await answersOfAWhile())]).toEqual([503]);
    expect((await api.get('/items/notes')).status).toBe(503);
    expect((await api.get('/users/me?fields=email')).body.data).toEqual({ email: adminEmail });
    expect((await fetch(`${url}/server/ping`)).status).toBe(200);
    await proxy.resume();
    await expect.poll(ready, waiting).toBe(200);
    expect([...(await answersOfAWhile())]).toEqual([200]);
    expect((await api.get('/items/notes')).body.data).toEqual([{ id: 1, title: 'one' }]);
  });
});

// Two instances on one database: what one changes of structure and rights, the other sees soon where something carries messages.

import { describe, expect, inject, it } from 'vitest';
import type { Config } from '../../src/config.js';
import { makeApi } from '../harness/api.js';
import { makePerson } from '../harness/people.js';
import { adminToken, startService } from '../harness/start-service.js';
import { notes, serve } from './cluster-service.js';

const redisUrl = process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379';

const ways: readonly { readonly title: string; readonly vendor: string; readonly config: Partial<Config>; readonly withinMs: number }[] = [
  { title: 'NOTIFY', vendor: 'postgres', config: {}, withinMs: 200 },
  { title: 'Redis', vendor: 'mysql', config: { redisUrl }, withinMs: 200 },
  { title: 'checks', vendor: 'mysql', config: {}, withinMs: 1_000 },
  { title: 'checks while Redis is away', vendor: 'mysql', config: { redisUrl: 'redis://127.0.0.1:1' }, withinMs: 1_000 },
];

describe.each(ways)('changes by $title', ({ vendor: name, config, withinMs }) => {
  it(`are seen by another instance within ${withinMs} ms`, async () => {
    const vendor = inject('vendors').find((candidate) => candidate.name === name);
    if (vendor === undefined) throw new Error(`there is no ${name}`);
    const service = await startService(vendor, { area: 'instances', fixture: 'create table things (id integer primary key)', config });
    const other = await serve(service.databaseUrl, config);
    try {
      await service.api.post('/collections', notes);
      const person = await makePerson(service, [{ permissions: [{ collection: 'things', action: 'read', fields: ['*'] }] }]);
      const there = makeApi(other.url, person.token);
      const permission = (await service.api.get(`/permissions?filter[policy][_eq]=${person.policies[0]}`)).body.data[0].id;
      const delays: number[] = [];
      const timed = async (isSeen: () => Promise<boolean>): Promise<void> => {
        const startedAt = performance.now();
        while (!(await isSeen())) if (performance.now() - startedAt > 30_000) throw new Error('it was never seen');
        delays.push(performance.now() - startedAt);
      };
      const watcher = makeApi(other.url, adminToken);
      for (let turn = 0; turn < 10; turn += 1) {
        const fields = turn % 2 === 0 ? [] : ['*'];
        expect((await service.api.patch(`/permissions/${permission}`, { fields })).status).toBe(200);
        await timed(async () => ((await there.get('/items/things?fields=id')).status === 200) === fields.length > 0);
        await service.api.post('/fields/notes', { field: `f${turn}`, type: 'string' });
        await timed(async () => (await watcher.get(`/items/notes?fields=f${turn}`)).status === 200);
      }
      delays.sort((a, b) => a - b);
      // The median: this machine may be busy with something else for a moment.
      expect(delays[Math.floor(delays.length / 2)]).toBeLessThan(withinMs);
    } finally {
      await other.stop();
      await service.stop();
    }
  });
});

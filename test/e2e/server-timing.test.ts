// The stages of the pipeline in the Server-Timing header, over REST and GraphQL.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { stages } from '../../src/core/engine/work/stage-clock.js';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

/** The names of the header's entries; empty without a header. */
const stagesOf = ({ headers }: Answer): readonly string[] =>
  (headers.get('server-timing') ?? '').split(', ').flatMap((entry) => /^([a-z]+);dur=\d+\.\d{3}$/.exec(entry)?.[1] ?? []);

describeEachVendor('Server-Timing', (vendor) => {
  let service: TestService;
  let silent: TestService;
  beforeAll(async () => {
    service = await startService(vendor, { area: 'timing', demo: true, config: { serverTiming: true } });
    silent = await startService(vendor, { area: 'timing_off', demo: true });
  });
  afterAll(async () => {
    await service.stop();
    await silent.stop();
  });

  /** Each asks something new, so that nothing is found in a cache. */
  const requests: Readonly<Record<string, (at: number) => Promise<Answer>>> = {
    'a list': (at) => service.api.get(`/items/books?fields=id,title,author.name&filter[id][_gt]=0&limit=${at + 1}`),
    'an item': (at) => service.api.get(`/items/books/1?fields=id,b${at}&alias[b${at}]=title`),
    'a search': (at) => service.api.search('/items/books', { query: { fields: ['id'], limit: at + 1, sort: ['-title'] } }),
    'a streamed list': (at) => service.api.get(`/items/books?limit=-1&fields=id,c${at}&alias[c${at}]=title`),
    'a create': (at) => service.api.post(`/items/authors?fields=id,name&limit=${at + 1}`, { name: `a${at}`, books: [] }),
    'an update': (at) => service.api.patch(`/items/books/1?fields=id,title&limit=${at + 1}`, { title: `t${at}` }),
    'a GraphQL query': (at) => service.api.graphql(`{ books(limit: ${at + 1}) { id a${at}: title } }`),
    'a GraphQL mutation': (at) => service.api.graphql(`mutation { create_authors_item(data: {name: "g${at}"}) { id a${at}: name } }`),
  };

  for (const [name, ask] of Object.entries(requests)) {
    it.each(stages.map((stage, at) => [stage, at] as const))(`tells the stage %s of ${name}`, async (stage, at) => {
      const answer = await ask(at);
      expect(answer.status, answer.text).toBe(200);
      expect(stagesOf(answer)).toContain(stage);
    });
  }

  it('leaves out what was found in a cache', async () => {
    const path = '/items/books?fields=id&limit=3';
    await service.api.get(path);
    expect(stagesOf(await service.api.get(path))).toEqual(['parse', 'plan', 'run', 'answer']);
  });

  it('is for administrators, and off by default', async () => {
    const reader = await makePerson(service, [{ permissions: [{ collection: 'books', action: 'read' }] }]);
    const read = await reader.api.get('/items/books?fields=id');
    expect([read.status, read.headers.has('server-timing')]).toEqual([200, false]);
    const off = await silent.api.get('/items/books?fields=id');
    expect([off.status, off.headers.has('server-timing')]).toEqual([200, false]);
  });
});

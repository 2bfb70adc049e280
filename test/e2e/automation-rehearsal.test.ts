// Trying flows out on every vendor: they run as they would, tell what they did, and leave nothing behind.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { made, makeFlow, makeNotes, place } from '../harness/flows.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

const left = ['notes', 'echoes', 'service_runs', 'service_activity', 'service_revisions', 'service_notifications'] as const;

describeEachVendor('flows tried out', (vendor) => {
  let service: TestService;
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end('{}');
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    // A view that can be listed and not read: only the database finds out.
    const number = vendor.name === 'sqlite' ? "json('no json')" : '(SELECT 1 UNION ALL SELECT 2)';
    service = await startService(vendor, {
      area: 'rehearsal',
      config: { importAllow: ['127.0.0.1'] },
      fixture: `CREATE VIEW faulty AS SELECT 1 AS id, ${number} AS n`,
    });
    for (const collection of ['notes', 'echoes']) await makeNotes(service, collection);
  });
  afterAll(async () => {
    await service.stop();
    receiver.close();
  });

  const counts = (): Promise<readonly unknown[]> =>
    Promise.all(left.map((table) => service.sql(`SELECT COUNT(*) AS n FROM ${table}`))).then((rows) => rows);

  const tried = async (flow: string, trigger: unknown = null) => {
    const before = await counts();
    const answer = await service.api.post(`/flows/${flow}/test`, { trigger });
    expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
    expect(await counts()).toEqual(before);
    return answer.body.data;
  };

  const full = { permissions: '$full' };

  it('runs each operation as it would, and leaves out what reaches outside or waits', async () => {
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/{{ $trigger.body.word }}`;
    const helper = await makeFlow(service, { trigger: 'operation', options: { return: 'made' }, accountability: 'all' }, [
      { key: 'made', type: 'item-create', options: { collection: 'echoes', payload: { text: 'by {{ $trigger.who }}' }, ...full } },
      { key: 'called', type: 'request', options: { url: address } },
    ]);
    const me = (await service.api.get('/users/me?fields=id')).body.data.id;
    const { id } = await makeFlow(service, { trigger: 'webhook', status: 'inactive', accountability: 'all' }, [
      { key: 'added', type: 'item-create', options: { collection: 'notes', payload: { text: '{{ $trigger.body.word }}' } } },
      { key: 'seen', type: 'item-read', options: { collection: 'notes', key: '{{ added }}' } },
      { key: 'asked', type: 'request', options: { url: address, headers: { authorization: '{{ $trigger.headers.authorization }}' } } },
      { key: 'waited', type: 'sleep', options: { milliseconds: 600_000 } },
      { key: 'mailed', type: 'mail', options: { to: 'a@example.com', subject: '{{ $trigger.body.word }}', body: 'x' } },
      { key: 'told', type: 'notification', options: { recipient: me, subject: 's', message: 'm', ...full } },
      { key: 'helped', type: 'trigger', options: { flow: helper.id, payload: { who: 'the test' } } },
      {
        key: 'computed',
        type: 'exec',
        options: { code: 'module.exports = (data) => ({ n: data.seen.text.length, copy: data.$trigger.headers })' },
      },
    ]);
    const trigger = { body: { word: 'hello' }, headers: { authorization: 'Bearer a-secret-token' } };
    const answer = await tried(id, trigger);
    expect(answer).toMatchObject({ status: 'ok', error: null, truncated: false, result: { n: 5 } });
    expect(answer.steps.map(({ key, status, left_out }: Record<string, unknown>) => [key, status, left_out])).toEqual([
      ...['added', 'seen'].map((key) => [key, 'resolve', false]),
      ...['asked', 'waited', 'mailed'].map((key) => [key, 'resolve', true]),
      ...['told', 'helped', 'computed'].map((key) => [key, 'resolve', false]),
    ]);
    expect(answer.steps[1].result.text).toBe('hello');
    expect(answer.steps[4].options).toEqual({ to: 'a@example.com', subject: 'hello', body: 'x' });
    expect(answer.triggered).toMatchObject([
      {
        flow: helper.id,
        status: 'ok',
        steps: [
          { key: 'made', left_out: false },
          { key: 'called', left_out: true },
        ],
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain('a-secret-token');
    expect(received).toEqual([]);
    // In earnest it does what it did not do here.
    await service.api.patch(
      `/operations/${(await service.api.get(`/operations?filter[flow][_eq]=${id}&filter[key][_eq]=waited`)).body.data[0].id}`,
      {
        options: { milliseconds: 1 },
      },
    );
    await service.api.patch(`/flows/${id}`, { status: 'active' });
    expect((await service.api.get(`/flows/trigger/${id}`)).status).toBe(200);
    expect(received).toHaveLength(2);
  });

  it('takes flows of every trigger', async () => {
    const operations = [
      { key: 'added', type: 'item-create', options: { collection: 'notes', payload: { text: 'n {{ $trigger.key }}' }, ...full } },
      { key: 'seen', type: 'item-read', options: { collection: 'notes', key: '{{ added }}', ...full } },
    ];
    const triggers = [
      { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } },
      { trigger: 'event', options: { type: 'filter', scope: ['items.create'], collections: ['echoes'], return: 'seen' } },
      { trigger: 'webhook', options: { method: 'POST', return: 'seen' } },
      { trigger: 'manual', options: { collections: ['notes'] } },
      { trigger: 'schedule', options: { cron: '0 0 1 1 *' } },
      { trigger: 'operation', options: { return: '$last' } },
    ];
    for (const flow of triggers) {
      const { id } = await makeFlow(service, { ...flow, status: flow.trigger === 'manual' ? 'inactive' : 'active' }, operations);
      const answer = await tried(id, { key: 7 });
      expect([flow, answer.status, answer.steps[1].result.text]).toEqual([flow, 'ok', 'n 7']);
      await service.api.delete(`/flows/${id}`);
    }
  });

  it('a filter of writes is refused what it is refused in earnest, and filters take part in the writes of a rehearsal', async () => {
    const events = { type: 'filter', scope: ['items.create'], collections: ['notes'], return: 'instead' };
    const { id } = await makeFlow(service, { trigger: 'event', options: events, accountability: 'all' }, [
      { key: 'instead', type: 'transform', options: { json: { text: 'filtered {{ $trigger.payload.text }}' } } },
    ]);
    const writer = await makeFlow(service, { trigger: 'webhook' }, [
      { key: 'added', type: 'item-create', options: { collection: 'notes', payload: { text: 'once' } } },
      { key: 'seen', type: 'item-read', options: { collection: 'notes', key: '{{ added }}' } },
    ]);
    expect((await tried(writer.id)).result.text).toBe('filtered once');
    const waiting = await makeFlow(service, { trigger: 'event', options: events, status: 'inactive' }, [
      { key: 'waits', type: 'sleep', options: { milliseconds: 1 } },
    ]);
    expect(await tried(waiting.id, { payload: {} })).toMatchObject({ status: 'failed', error: { code: 'INVALID_PAYLOAD' } });
    for (const flow of [id, writer.id, waiting.id]) await service.api.delete(`/flows/${flow}`);
  });

  it('goes on behind a read and a write that only the database refuses, in a rehearsal and in a filter', async () => {
    const operations = [
      { key: 'read', type: 'item-read', options: { collection: 'faulty', ...full } },
      { key: 'twice', type: 'item-create', options: { collection: 'echoes', payload: [{ id: 900 }, { id: 900 }], ...full } },
      { key: 'after', type: 'item-create', options: { collection: 'echoes', payload: { text: 'after all' }, ...full } },
      { key: 'instead', type: 'transform', options: { json: { text: 'in spite of it' } } },
    ];
    const options = { type: 'filter', scope: ['items.create'], collections: ['notes'], return: 'instead' };
    const { id, ids } = await makeFlow(service, { trigger: 'event', options }, operations);
    for (const at of [0, 1]) await service.api.patch(`/operations/${ids[at]}`, { resolve: null, reject: ids[at + 1] });
    const answer = await tried(id, { payload: {} });
    expect(answer.steps.map(({ status }: { status: string }) => status)).toEqual(['reject', 'reject', 'resolve', 'resolve']);
    expect(answer.steps[1].result.code).toBe('RECORD_NOT_UNIQUE');
    const written = await service.api.post('/items/notes', { text: 'a note' });
    expect([written.status, written.body.data.text]).toEqual([200, 'in spite of it']);
    expect((await service.api.get('/items/echoes?filter[text][_eq]=after all')).body.data).toHaveLength(1);
    await service.api.delete(`/flows/${id}`);
  });

  it('is for administrators, says what failed, ends in time, and is the same by every door', async () => {
    const { id } = await makeFlow(service, { trigger: 'webhook' }, [
      { key: 'made', type: 'item-create', options: { collection: 'notes', payload: { text: 'x' } } },
      { key: 'bang', type: 'throw-error', options: { code: 'MINE', status: 418, message: 'teapot' } },
    ]);
    const reader = await makePerson(service, [{ permissions: [{ collection: 'service_flows', action: 'read' }] }]);
    const { api } = service;
    const refused = [
      await service.as(null).post(`/flows/${id}/test`, {}),
      await reader.api.post(`/flows/${id}/test`, {}),
      await api.post('/flows/4ba0e2b4-0000-4000-8000-000000000000/test', {}),
      await api.post('/flows/none/test', {}),
    ];
    expect(refused.map(codeOf)).toEqual(refused.map(() => '403 FORBIDDEN'));
    const [rest, called, graphql] = [
      await tried(id),
      await service.call('testFlow', { id, trigger: null }, { user: (await api.get('/users/me?fields=id')).body.data.id }),
      (await api.post('/graphql/system', { query: `mutation { flows_test(id: "${id}", trigger: null) }` })).body.data.flows_test,
    ];
    expect(rest).toMatchObject({ status: 'failed', error: { code: 'MINE', status: 418, message: 'teapot' } });
    const stable = (answer: unknown) => JSON.stringify(answer).replace(/"result":\[\d+\]/g, '"result":[0]');
    expect([called, graphql].map(stable)).toEqual([stable(rest), stable(rest)]);
    const slow = await makeFlow(service, { trigger: 'webhook' }, [
      { key: 'spins', type: 'exec', options: { code: 'module.exports = () => { for (;;) {} }' } },
      { key: 'never', type: 'log', options: { message: 'x' } },
    ]);
    const never = await made(service, '/operations', { ...place, flow: slow.id, key: 'late', type: 'log', options: {} });
    await api.patch(`/operations/${slow.ids[0]}`, { reject: never.id });
    const startedAt = performance.now();
    const ended = await tried(slow.id);
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

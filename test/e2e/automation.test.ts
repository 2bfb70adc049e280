// Flows on every vendor: what saving refuses, runs that follow writes, loops, and who may do what.

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { endedRuns, made, makeFlow, makeNotes, place } from '../harness/flows.js';
import { leastStatements } from '../harness/least-statements.js';
import { codeOf, makePerson } from '../harness/people.js';
import { startService, type TestService } from '../harness/start-service.js';

describeEachVendor('automation', (vendor) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(vendor, { area: 'automation' });
    for (const collection of ['notes', 'echoes']) await makeNotes(service, collection);
  });
  afterAll(() => service.stop());

  const end = (id: string) => service.api.delete(`/flows/${id}`);

  it('refuses to save what could never run, and leaves everything as it was', async () => {
    const one = await makeFlow(service, { trigger: 'operation' }, [
      { key: 'a', type: 'log' },
      { key: 'b', type: 'log' },
    ]);
    const other = await makeFlow(service, { trigger: 'operation' }, [{ key: 'x', type: 'log' }]);
    const [a, b] = one.ids;
    const [x] = other.ids;
    const refused = [
      await service.api.patch(`/operations/${b}`, { resolve: a }),
      await service.api.patch(`/operations/${b}`, { reject: b }),
      await service.api.patch(`/operations/${b}`, { resolve: x }),
      await service.api.patch(`/flows/${one.id}`, { operation: x }),
      await service.api.patch(`/operations/${b}`, { key: 'a' }),
      await service.api.patch(`/operations/${b}`, { type: 'exec', options: { code: 'return {{ $trigger.body }}' } }),
      await service.api.patch(`/flows/${one.id}`, { status: 'paused' }),
      await service.api.patch(`/flows/${one.id}`, { trigger: 'hook' }),
      await service.api.patch(`/flows/${one.id}`, { accountability: 'some' }),
      await service.api.post('/flows', { name: 'late', trigger: 'schedule', options: { cron: '61 * * * *' } }),
    ];
    expect(refused.map(codeOf)).toEqual(refused.map(() => '400 FAILED_VALIDATION'));
    expect(refused.map(({ body }) => body.errors[0].extensions.type)).toEqual([
      ...['cycle', 'cycle', 'other_flow', 'other_flow', 'unique', 'template', 'in', 'in', 'in', 'cron'],
    ]);
    expect(refused.map(({ body }) => [body.errors[0].extensions.refusal, body.errors[0].extensions.name])).toEqual([
      ['flow_circle', undefined],
      ['flow_circle', undefined],
      ['flow_other', 'b'],
      ['flow_other', undefined],
      ['flow_key_twice', 'a'],
      ['flow_script_template', undefined],
      ...Array.from({ length: 3 }, () => ['one_of', undefined]),
      ['flow_time_table', undefined],
    ]);
    const kept = (await service.api.get(`/operations?filter[flow][_eq]=${one.id}&sort=key&fields=key,type,resolve,reject`)).body.data;
    expect(kept).toEqual([
      { key: 'a', type: 'log', resolve: b, reject: null },
      { key: 'b', type: 'log', resolve: null, reject: null },
    ]);
    await end(one.id);
    await end(other.id);
  });

  it('lets operations join, and clears what names a deleted one', async () => {
    const { id, ids } = await makeFlow(service, { trigger: 'webhook', options: { method: 'POST' } }, [
      { key: 'asked', type: 'condition', options: { filter: { $trigger: { body: { n: { _gt: 1 } } } } } },
      { key: 'big', type: 'transform', options: { json: { size: 'big' } } },
      { key: 'both', type: 'transform', options: { json: { after: '{{ $last }}' } } },
    ]);
    const [asked, , both] = ids;
    const small = await made(service, '/operations', {
      ...place,
      flow: id,
      key: 'small',
      type: 'transform',
      options: { json: { size: 'small' } },
      resolve: both,
    });
    await service.api.patch(`/operations/${asked}`, { reject: small.id });
    const answers = [
      await service.as(null).post(`/flows/trigger/${id}`, { n: 2 }),
      await service.as(null).post(`/flows/trigger/${id}`, { n: 1 }),
    ];
    expect(answers.map(({ body }) => body)).toEqual([{ after: { size: 'big' } }, { after: { size: 'small' } }]);
    expect((await service.api.delete(`/operations/${both}`)).status).toBe(204);
    const left = (await service.api.get(`/operations?filter[flow][_eq]=${id}&sort=key&fields=key,resolve`)).body.data;
    expect(left.filter(({ key }: { key: string }) => key !== 'asked')).toEqual([
      { key: 'big', resolve: null },
      { key: 'small', resolve: null },
    ]);
    expect((await service.api.delete(`/operations/${asked}`)).status).toBe(204);
    expect((await service.api.get(`/flows/${id}?fields=operation`)).body.data).toEqual({ operation: null });
    await end(id);
  });

  it('tells each user the flows that they may start by hand, and nobody what those do', async () => {
    const options = { collections: ['notes', 'echoes'], requireSelection: false, error_on_reject: true, fields: [{ field: 'why' }] };
    const { id } = await makeFlow(service, { name: 'Print', trigger: 'manual', icon: 'print', options }, [{ key: 'a', type: 'log' }]);
    const others = [
      await makeFlow(service, { trigger: 'manual', status: 'inactive', options }, [{ key: 'a', type: 'log' }]),
      await makeFlow(service, { trigger: 'webhook', options }, [{ key: 'a', type: 'log' }]),
    ];
    const reader = await makePerson(service, [{ permissions: [{ collection: 'notes', action: 'read' }] }]);
    const other = await makePerson(service, [{ permissions: [{ collection: 'notes', action: 'create' }] }]);
    const told = { id, name: 'Print', icon: 'print', color: null };
    const asked = { requireSelection: false, fields: [{ field: 'why' }] };
    expect((await reader.api.get('/flows/manual')).body.data).toEqual([{ ...told, options: { collections: ['notes'], ...asked } }]);
    const whole = [{ ...told, options: { collections: ['notes', 'echoes'], ...asked } }];
    expect((await service.api.get('/flows/manual')).body.data).toEqual(whole);
    const { body } = await service.api.post('/graphql/system', { query: '{ flows_manual { id name icon color options } }' });
    expect(body.data.flows_manual).toEqual(whole);
    expect((await other.api.get('/flows/manual')).body.data).toEqual([]);
    expect((await service.as(null).get('/flows/manual')).status).toBe(403);
    expect((await reader.api.post(`/flows/trigger/${id}`, { collection: 'notes', keys: [] })).status).toBeLessThan(300);
    for (const each of [id, ...others.map((flow) => flow.id)]) await end(each);
  });

  it('a webhook takes JSON, forms and texts, and refuses what is none of them', async () => {
    const { id } = await makeFlow(service, { trigger: 'webhook', options: { method: 'POST', return: 'seen' } }, [
      { key: 'seen', type: 'transform', options: { json: { body: '{{ $trigger.body }}' } } },
    ]);
    const form = 'application/x-www-form-urlencoded';
    const send = async (type: string, content: string | Uint8Array) => {
      const answer = await fetch(`${service.url}/flows/trigger/${id}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: content,
      });
      const body = (await answer.json()) as { body?: unknown; errors?: { extensions: { code: string } }[] };
      return body.errors === undefined ? body.body : `${answer.status} ${body.errors[0]?.extensions.code}`;
    };
    expect(await send('application/json', '{"a":[1]}')).toEqual({ a: [1] });
    expect(await send(form, 'a=1&b=two+words&a=%C3%A9')).toEqual({ a: ['1', 'é'], b: 'two words' });
    expect(await send(`${form}; charset=UTF-8`, 'payload=%7B%7D')).toEqual({ payload: '{}' });
    expect(await send('text/plain', 'a "quoted" text')).toBe('a "quoted" text');
    expect(await send('text/csv;charset=utf-8', 'a,b\n1,2')).toBe('a,b\n1,2');
    for (const type of [form, 'text/plain', 'application/json']) expect(await send(type, '')).toEqual({});
    for (const [type, content] of [
      ['application/json', '{"a":'],
      [form, 'a=%zz'],
      [form, '__proto__=1'],
      ['text/plain', new Uint8Array([0xc3, 0x28])],
    ] as const)
      expect([type, await send(type, content)]).toEqual([type, '400 INVALID_PAYLOAD']);
    expect(await send('application/octet-stream', 'x')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await send('text/plain;charset=latin1', 'x')).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(await send('text/plain', 'x'.repeat(1_100_000))).toBe('413 CONTENT_TOO_LARGE');
    await end(id);
  });

  it('runs follow what was committed, and nothing else', async () => {
    const payload = { text: '{{ $trigger.payload.text }} of {{ $trigger.key }}' };
    const { id } = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } },
      [{ key: 'echo', type: 'item-create', options: { collection: 'echoes', payload, permissions: '$full' } }],
    );
    const before = (await service.api.get('/items/echoes?aggregate[count]=*')).body.data[0].count;
    const refused = await service.api.post('/items/notes', [{ text: 'never' }, { text: 'x'.repeat(300) }]);
    expect(refused.status).toBe(400);
    const written = (await service.api.post('/items/notes', [{ text: 'one' }, { text: 'two' }])).body.data;
    const runs = await endedRuns(service, id, 2);
    expect(runs.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
    expect(runs.map(({ trigger }) => trigger.key).toSorted()).toEqual(written.map((note: { id: number }) => note.id));
    expect(runs[0]?.steps).toEqual([expect.objectContaining({ key: 'echo', status: 'resolve', duration_ms: expect.any(Number) })]);
    const after = (await service.api.get('/items/echoes?limit=-1&sort=text')).body.data;
    expect(after.length - Number(before)).toBe(2);
    await end(id);
  });

  it('a run that fails is seen, and changes nothing of the write', async () => {
    const { id, ids } = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.update'], collections: ['notes'] } },
      [{ key: 'bang', type: 'throw-error', options: { code: 'MINE', status: 418, message: 'teapot' } }],
    );
    const { id: note } = await made(service, '/items/notes', { text: 'a' });
    expect((await service.api.patch(`/items/notes/${note}`, { text: 'b' })).body.data.text).toBe('b');
    const [run] = await endedRuns(service, id, 1);
    expect([run?.status, run?.error]).toEqual(['failed', { code: 'MINE', status: 418, message: 'teapot' }]);
    // Mended, it is begun again, by administrators alone.
    await service.api.patch(`/operations/${ids[0]}`, { type: 'log', options: { message: 'mended' } });
    expect(codeOf(await service.as(null).post(`/runs/${run?.id}/replay`))).toBe('403 FORBIDDEN');
    expect((await service.api.post(`/runs/${run?.id}/replay`)).status).toBe(204);
    expect((await endedRuns(service, id, 1)).map(({ status, error }) => [status, error])).toEqual([['ok', null]]);
    await end(id);
  });

  it('goes on with a write when the flow that filters it handles a failure, which leaves nothing', async () => {
    const { id, ids } = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'filter', scope: ['items.create'], collections: ['notes'], return: 'instead' } },
      [
        {
          key: 'twice',
          type: 'item-create',
          options: {
            collection: 'echoes',
            payload: [
              { id: 900, text: 'one' },
              { id: 900, text: 'two' },
            ],
            permissions: '$full',
          },
        },
        { key: 'after', type: 'transform', options: { json: { text: 'never' } } },
      ],
    );
    const instead = await made(service, '/operations', {
      ...place,
      flow: id,
      key: 'instead',
      type: 'transform',
      options: { json: { text: 'in spite of it' } },
    });
    await service.api.patch(`/operations/${ids[0]}`, { reject: instead.id });
    const answer = await service.api.post('/items/notes', { text: 'a note' });
    expect([answer.status, answer.body.data.text]).toEqual([200, 'in spite of it']);
    expect((await service.api.get('/items/echoes/900')).status).toBe(403);
    expect((await service.api.get('/revisions?filter[collection][_eq]=echoes&filter[item][_eq]=900')).body.data).toEqual([]);
    await end(id);
  });

  it('says that a run has failed which could not get to its end, and begins none again with what stands in for a secret', async () => {
    const followed = { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } };
    const { id } = await makeFlow(service, followed, [{ key: 'odd', type: 'teleport' }]);
    await service.api.post('/items/notes', { text: 'a note' });
    const [odd] = await endedRuns(service, id, 1);
    expect([odd?.status, odd?.error]).toEqual(['failed', expect.objectContaining({ code: 'INVALID_PAYLOAD' })]);
    await end(id);
    const keeper = await makeFlow(
      service,
      { ...followed, options: { ...followed.options, scope: ['users.create'], collections: ['service_users'] } },
      [{ key: 'noted', type: 'log', options: { message: 'seen' } }],
    );
    await service.api.post('/users', { email: 'replayed@example.com', password: 'a-secret-password' });
    const [kept] = await endedRuns(service, keeper.id, 1);
    expect(JSON.stringify(kept)).not.toContain('a-secret-password');
    expect(codeOf(await service.api.post(`/runs/${kept?.id}/replay`))).toBe('400 INVALID_PAYLOAD');
    await end(keeper.id);
  });

  it('a run whose process is gone is begun again by another', async () => {
    const { id } = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } },
      [
        {
          key: 'echo',
          type: 'item-create',
          options: { collection: 'echoes', payload: { text: 'left {{ $trigger.key }}' }, permissions: '$full' },
        },
      ],
    );
    const left = crypto.randomUUID();
    await service.sql(
      `insert into service_runs (id, flow, status, due, attempt, origin, ${vendor.name === 'mysql' ? '`trigger`' : '"trigger"'}, created) values ` +
        `('${left}', '${id}', 'running', '2026-01-01 00:00:00', 3, '{"depth":1,"trail":[]}', '{"key":77}', '2026-01-01 00:00:00')`,
    );
    await made(service, '/items/notes', { text: 'wakes the queue' });
    const run = (await endedRuns(service, id, 2)).find((each) => each.id === left);
    expect([run?.status, run?.attempt]).toEqual(['ok', 4]);
    expect((await service.api.get('/items/echoes?filter[text][_eq]=left 77')).body.data).toHaveLength(1);
    await end(id);
  });

  it('stops what starts itself again and again', async () => {
    const echo = (collection: string) => ({
      key: 'again',
      type: 'item-create',
      options: { collection, payload: { text: 'loop' }, permissions: '$full' },
    });
    const events = (collection: string) => ({
      trigger: 'event',
      options: { type: 'action', scope: ['items.create'], collections: [collection] },
    });
    const there = await makeFlow(service, events('notes'), [echo('echoes')]);
    const back = await makeFlow(service, events('echoes'), [echo('notes')]);
    await made(service, '/items/notes', { text: 'begin' });
    await pause(500);
    const [ran, ranBack] = [await endedRuns(service, there.id, 5), await endedRuns(service, back.id, 4)];
    const statuses = [...ran, ...ranBack].map(({ status }) => status).toSorted();
    expect(statuses).toEqual(['loop', ...Array(8).fill('ok')]);
    await end(there.id);
    await end(back.id);
    const own = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.update'], collections: ['notes'] } },
      [
        {
          key: 'again',
          type: 'item-update',
          options: { collection: 'notes', key: '{{ $trigger.keys }}', payload: { text: 'more' }, permissions: '$full' },
        },
      ],
    );
    const { id: note } = await made(service, '/items/notes', { text: 'a' });
    await service.api.patch(`/items/notes/${note}`, { text: 'b' });
    await pause(500);
    expect((await endedRuns(service, own.id, 2)).map(({ status }) => status).toSorted()).toEqual(['loop', 'ok']);
    await end(own.id);
  });

  it('a collection that no flow follows pays nothing', async () => {
    const write = () => leastStatements(service, () => service.api.post('/items/echoes', { text: 'quiet' }));
    const alone = await write();
    const { id } = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } },
      [{ key: 'a', type: 'log', options: { message: 'x' } }],
    );
    expect(await write()).toBe(alone);
    await end(id);
  });

  it('hands on no rights: only administrators save operations with all of them, and a suspended user starts nothing more', async () => {
    const permissions = (['create', 'read', 'update'] as const).flatMap((action) =>
      ['service_flows', 'service_operations', 'notes'].map((collection) => ({ collection, action, fields: ['*'] })),
    );
    const author = await makePerson(service, [{ permissions }]);
    const { id } = (await author.api.post('/flows', { name: 'mine', trigger: 'webhook' })).body.data;
    const own = (options: unknown) => author.api.post('/operations', { ...place, flow: id, key: 'k', type: 'item-read', options });
    expect(codeOf(await own({ collection: 'service_users', permissions: '$full' }))).toBe('403 FORBIDDEN');
    expect(codeOf(await own({ collection: 'service_users', permissions: '4ba0e2b4-0000-4000-8000-000000000000' }))).toBe('403 FORBIDDEN');
    expect((await own({ collection: 'service_users', permissions: '$trigger' })).status).toBe(200);
    const full = { collection: 'notes', payload: { text: 'x' }, permissions: '$full' };
    const guarded = await makeFlow(service, { trigger: 'operation' }, [
      { key: 'check', type: 'condition', options: { filter: { $trigger: { ok: { _eq: true } } } } },
      { key: 'act', type: 'item-create', options: full },
    ]);
    const [check = '', act = ''] = guarded.ids;
    const edits = [
      author.api.patch(`/flows/${guarded.id}`, { trigger: 'webhook' }),
      author.api.patch(`/flows/${guarded.id}`, { operation: act }),
      author.api.patch(`/operations/${check}`, { options: { filter: {} } }),
      author.api.patch(`/operations/${check}`, { reject: act }),
      author.api.patch(`/operations/${act}`, { flow: id }),
      author.api.post('/operations', { ...place, flow: guarded.id, key: 'more', type: 'log', options: {} }),
    ];
    expect((await Promise.all(edits)).map(codeOf)).toEqual(edits.map(() => '403 FORBIDDEN'));
    for (const flow of [id, guarded.id]) await end(flow);
    const waits = await makeFlow(
      service,
      { trigger: 'event', options: { type: 'action', scope: ['items.create'], collections: ['notes'] } },
      [{ key: 'nap', type: 'sleep', options: { milliseconds: 10 } }],
    );
    await author.api.post('/items/notes', { text: 'by the author' });
    expect((await endedRuns(service, waits.id, 1)).map(({ status, user }) => [status, user])).toEqual([['ok', author.id]]);
    await end(waits.id);
  });
});

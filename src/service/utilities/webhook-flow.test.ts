import { describe, expect, it } from 'vitest';
import type { Caller } from '../../core/access/view.js';
import { renderTemplate } from './render-template.js';
import { type FlowDeps, runWebhookFlow } from './webhook-flow.js';

const flow = '6a2f41a3-c54c-4a0f-8d9e-0b1f3f6e7c10';
const caller = { accountability: { user: 'me', role: null, roles: [], admin: false, app: false } } as unknown as Caller;
const trigger = { path: '/flows/trigger/x', method: 'GET', query: { word: 'hi' }, body: { list: [{ a: 1 }] } };

describe('a template', () => {
  it.each([
    ['{{ $trigger.query.word }}', 'hi'],
    ['{{$trigger.body.list[0].a}}', 1],
    ['{{$trigger.body.list}}', [{ a: 1 }]],
    ['said: {{$trigger.query.word}}, {{$trigger.body.list}}!', 'said: hi, [{"a":1}]!'],
    ['{{$trigger.nothing}}', null],
    ['<{{$trigger.nothing}}>', '<>'],
    ['{{__proto__}}{{ $trigger.query.constructor.name }}', ''],
    [
      { a: ['{{$trigger.query.word}}', 2, null], b: { c: true } },
      { a: ['hi', 2, null], b: { c: true } },
    ],
    ['{{', '{{'],
  ])('%j becomes %j', (template, rendered) => {
    expect(renderTemplate(template, { $trigger: trigger })).toEqual(rendered);
  });

  it('grows to a limit', () => {
    const long = 'x'.repeat(1_000_000);
    expect(() => renderTemplate(Array(5).fill('{{long}}'), { long })).toThrow('too large');
    expect(() => renderTemplate('{{long}}{{long}}{{long}}', { long })).toThrow('too large');
  });
});

describe('a flow that a request triggers', () => {
  const depsOf = (
    rows: readonly Record<string, unknown>[],
    options: unknown = {},
    more: Record<string, unknown> = {},
  ): FlowDeps & { logged: string[] } => {
    const logged: string[] = [];
    const stored = { id: flow, status: 'active', trigger: 'webhook', options, operation: rows[0]?.['id'] ?? null, ...more };
    return {
      logged,
      flows: { read: async () => [stored] as never },
      operations: { read: async () => rows as never },
      connection: undefined as never,
      log: (_, message) => logged.push(message),
    };
  };
  const step = (id: string, type: string, options: unknown, resolve: string | null = null) => ({
    id,
    key: `key_${id}`,
    type,
    options,
    resolve,
  });

  it('answers the last result, or the one that it names', async () => {
    const rows = [
      step('a', 'transform', { json: '{"said": "{{$trigger.query.word}}"}' }, 'b'),
      step('b', 'log', { message: 'I heard {{key_a.said}}' }, 'c'),
      step('c', 'transform', { json: { again: '{{key_a}}', last: '{{$last}}', by: '{{$accountability.user}}' } }),
    ];
    const deps = depsOf(rows);
    expect(await runWebhookFlow(deps, caller, flow, trigger)).toEqual({ again: { said: 'hi' }, last: null, by: 'me' });
    expect(deps.logged).toEqual(['I heard hi']);
    expect(await runWebhookFlow(depsOf(rows, { return: 'key_a' }), caller, flow, trigger)).toEqual({ said: 'hi' });
    expect(await runWebhookFlow(depsOf(rows, { async: true }), caller, flow, trigger)).toBeUndefined();
  });

  it.each([
    ['of another kind', depsOf([step('a', 'transform', { json: {} })], {}, { trigger: 'manual' })],
    ['switched off', depsOf([step('a', 'transform', { json: {} })], {}, { status: 'inactive' })],
    ['for another method', depsOf([step('a', 'transform', { json: {} })], { method: 'POST' })],
    ['without operations', depsOf([])],
    ['with an operation that does something', depsOf([step('a', 'transform', { json: {} }, 'b'), step('b', 'request', {})])],
    ['with a missing operation', depsOf([step('a', 'transform', { json: {} }, 'z')])],
    ['in circles', depsOf([step('a', 'transform', { json: {} }, 'a')])],
    ['that is no JSON until values are in it', depsOf([step('a', 'transform', { json: '{"a": {{$trigger.query}} }' })])],
    ['that would answer everything it knows', depsOf([step('a', 'transform', { json: {} })], { return: '$all' })],
  ])('is refused %s', async (_, deps) => {
    await expect(runWebhookFlow(deps, caller, flow, trigger)).rejects.toThrow("You don't have permission");
  });

  it('is refused under a name that is not a key', async () => {
    await expect(runWebhookFlow(depsOf([step('a', 'transform', { json: {} })]), caller, "x' or 1=1", trigger)).rejects.toThrow(
      "You don't have",
    );
  });
});

import { describe, expect, it } from 'vitest';
import { makeRandom } from '../../../../test/properties/random.js';
import { findFaults } from './find-faults.js';
import type { Step } from './flow.js';
import { nextStep, type Outcome } from './interpreter.js';
import { isCron } from './is-cron.js';

type Arrows = Readonly<Record<string, readonly [resolve: string | null, reject: string | null]>>;

const stepsOf = (arrows: Arrows): ReadonlyMap<string, Step> =>
  new Map(Object.entries(arrows).map(([id, [resolve, reject]]) => [id, { id, key: id, type: 'log', options: {}, resolve, reject }]));

/** The operations that run when each one ends as `ends` says, and how the run ends. */
function play(first: string | null, arrows: Arrows, ends: (id: string) => Outcome['status']): readonly [readonly string[], string] {
  const outcomes: Outcome[] = [];
  for (;;) {
    const next = nextStep({ first, steps: stepsOf(arrows) }, outcomes);
    if (next.kind === 'end') return [outcomes.map(({ operation }) => operation), next.end];
    outcomes.push({ operation: next.step.id, key: next.step.key, status: ends(next.step.id), result: null });
  }
}

describe('the interpreter', () => {
  const joined: Arrows = { a: ['b', 'c'], b: ['d', null], c: ['d', null], d: [null, null] };

  it.each([
    ['goes on by success', joined, () => 'resolve', [['a', 'b', 'd'], 'ok']],
    ['goes on by failure, to where both ways meet', joined, (id: string) => (id === 'a' ? 'reject' : 'resolve'), [['a', 'c', 'd'], 'ok']],
    ['fails where nothing follows a failure', joined, (id: string) => (id === 'b' ? 'reject' : 'resolve'), [['a', 'b'], 'failed']],
    ['ends at what nobody knows', joined, () => 'unknown', [['a'], 'unknown']],
    ['ends before it runs in circles', { a: ['b', null], b: ['a', null] }, () => 'resolve', [['a', 'b'], 'circle']],
    ['ends at what is not there', { a: ['z', null] }, () => 'resolve', [['a'], 'ok']],
  ] as const)('%s', (_, arrows, ends, expected) => {
    expect(play('a', arrows, ends as never)).toEqual(expected);
  });

  it('has nothing to do without a first operation', () => {
    expect(play(null, joined, () => 'resolve')).toEqual([[], 'ok']);
  });

  it('ends whatever the arrows, runs nothing twice, and runs in circles only where saving refuses it', () => {
    const random = makeRandom(40);
    for (let round = 0; round < 500; round += 1) {
      const ids = Array.from({ length: 1 + random.int(6) }, (_, index) => `o${index}`);
      const pick = (): string | null => (random.int(3) === 0 ? null : (ids[random.int(ids.length)] ?? null));
      const arrows = Object.fromEntries(ids.map((id) => [id, [pick(), pick()] as const]));
      const [ran, end] = play('o0', arrows, () => (random.int(2) === 0 ? 'resolve' : 'reject'));
      expect(new Set(ran).size).toBe(ran.length);
      const nodes = ids.map((id) => ({ id, key: id, resolve: arrows[id]?.[0] ?? null, reject: arrows[id]?.[1] ?? null }));
      const faults = findFaults({ operation: 'o0' }, nodes, new Set()).map(({ type }) => type);
      if (end === 'circle') expect(faults).toContain('cycle');
      expect(faults.includes('cycle')).toBe(hasCircle(arrows));
    }
  });
});

/** By brute force: whether some operation reaches itself. */
function hasCircle(arrows: Arrows): boolean {
  const reach = (from: string, seen: Set<string>): Set<string> => {
    for (const next of arrows[from] ?? [])
      if (next !== null && !seen.has(next)) {
        seen.add(next);
        reach(next, seen);
      }
    return seen;
  };
  return Object.keys(arrows).some((id) => reach(id, new Set()).has(id));
}

describe('a flow that could never run', () => {
  const node = (id: string, resolve: string | null = null, key = id) => ({ id, key, resolve, reject: null });

  it.each([
    ['with an operation of another flow first', { operation: 'x' }, [node('a')], ['other_flow']],
    ['with an operation of another flow next', { operation: 'a' }, [node('a', 'x')], ['other_flow']],
    ['with a key that occurs twice', { operation: 'a' }, [node('a'), node('b', null, 'a')], ['unique']],
    ['that leads to itself', { operation: 'a' }, [node('a', 'a')], ['cycle']],
    ['that may run', { operation: 'a' }, [node('a', 'later')], []],
  ])('%s', (_, row, nodes, expected) => {
    expect(findFaults(row, nodes, new Set(['x'])).map(({ type }) => type)).toEqual(expected);
  });
});

it.each([
  ['*/1 * * * * *', true],
  ['15 4 * * 1-5', true],
  ['0 0 1 1 *', true],
  ['0 0 * jan-mar mon,fri', true],
  ['61 * * * *', false],
  ['* * * *', false],
  ['every day', false],
  ['', false],
  [5, false],
])('the time table %j: %s', (text, expected) => {
  expect(isCron(text)).toBe(expected);
});

import { describe, expect, it } from 'vitest';
import {
  changesOf,
  copyOf,
  type Flow,
  insertStep,
  newKey,
  outlineOf,
  possibleNext,
  removeStep,
  type Step,
  stepsBefore,
  swapSteps,
} from './flow-model.js';

const step = (id: string, resolve: string | null = null, reject: string | null = null): Step => ({
  ...{ id, key: id, name: null, type: 'log', options: null, resolve, reject },
});
const flowOf = (operation: string | null, operations: readonly Step[]): Flow => ({
  ...{ id: 'f', name: 'F', icon: null, color: null, description: null, status: 'active', trigger: 'webhook', accountability: 'all' },
  ...{ options: null, operation, operations },
});
/** a → b → c; where b fails, d, which goes on with c. */
const joined = flowOf('a', [step('a', 'b'), step('b', 'c', 'd'), step('c'), step('d', 'c'), step('x')]);

const names = (line: ReturnType<typeof outlineOf>['line']): unknown[] => [
  ...line.steps.map(({ step: { id }, failure }) => (failure === null ? id : [id, names(failure)])),
  ...(line.goesOn === null ? [] : [`→ ${line.goesOn.id}`]),
];

describe('the steps of a flow', () => {
  it('are shown once each, ways that meet on the main one, and those that nothing leads to', () => {
    const { line, loose } = outlineOf(joined);
    expect(names(line)).toEqual(['a', ['b', ['d', '→ c']], 'c']);
    expect(loose.map(({ id }) => id)).toEqual(['x']);
    expect(names(outlineOf(flowOf('a', [step('a', 'a')])).line)).toEqual(['a', '→ a']);
  });

  it('are inserted, removed and swapped without losing what follows', () => {
    const added = { id: 'n', key: 'n', name: null, type: 'log', options: null };
    expect(names(outlineOf(insertStep(joined, null, added)).line)).toEqual(['n', 'a', ['b', ['d', '→ c']], 'c']);
    expect(names(outlineOf(insertStep(joined, { after: 'a', way: 'resolve' }, added)).line)).toEqual(['a', 'n', ['b', ['d', '→ c']], 'c']);
    expect(names(outlineOf(insertStep(joined, { after: 'b', way: 'reject' }, added)).line)).toEqual(['a', ['b', ['n', 'd', '→ c']], 'c']);
    expect(names(outlineOf(removeStep(joined, 'a')).line)).toEqual([['b', ['d', '→ c']], 'c']);
    expect(names(outlineOf(removeStep(joined, 'c')).line)).toEqual(['a', ['b', ['d']]]);
    expect(names(outlineOf(swapSteps(joined, 'a', 'b')).line)).toEqual([['b', ['d', '→ c']], 'a', 'c']);
  });

  it('are led to by no step behind them, and find what those before them left', () => {
    expect(possibleNext(joined, 'c').map(({ id }) => id)).toEqual(['x']);
    expect(possibleNext(joined, 'a').map(({ id }) => id)).toEqual(['b', 'c', 'd', 'x']);
    expect(stepsBefore(joined, 'c').map(({ id }) => id)).toEqual(['a', 'b', 'd']);
    expect(stepsBefore(joined, 'a')).toEqual([]);
  });

  it('get keys of their own', () => {
    expect(newKey('item-create', [])).toBe('item_create');
    expect(
      newKey('log', [
        { ...step('1'), key: 'log' },
        { ...step('2'), key: 'log_2' },
      ]),
    ).toBe('log_3');
  });
});

describe('what is stored', () => {
  it('is what has changed, new steps after those that they lead to', () => {
    expect(changesOf(joined, joined)).toEqual({});
    const added = (id: string) => ({ id, key: id, name: null, type: 'log', options: null });
    const once = insertStep({ ...removeStep(joined, 'x'), name: 'G' }, { after: 'c', way: 'resolve' }, added('m'));
    const after = insertStep(once, { after: 'c', way: 'resolve' }, added('n'));
    const body = changesOf(joined, after) as { operations: { create: Step[] } };
    expect(body).toMatchObject({ name: 'G', operations: { update: [{ id: 'c', key: 'c', resolve: 'n' }], delete: ['x'] } });
    expect(body.operations.create.map(({ id, resolve }) => [id, resolve])).toEqual([
      ['m', null],
      ['n', 'm'],
    ]);
    expect(body.operations.create[0]).toMatchObject({ position_x: 19 + 4 * 18, position_y: 1 });
  });

  it('of a copy has other keys, the same ways, and is switched off', () => {
    let count = 0;
    const copy = copyOf(joined, 'G', () => `n${count++}`) as { status: string; operation: string; operations: Step[] };
    expect([copy.status, copy.operation]).toEqual(['inactive', 'n0']);
    expect(names(outlineOf({ ...copy }).line)).toEqual(['n0', ['n1', ['n3', '→ n2']], 'n2']);
  });
});

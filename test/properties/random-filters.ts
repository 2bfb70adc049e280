// Random filters over things, written as a request would write them.

import { type OperatorName, operators } from '../../src/core/query/operators.js';
import { operandType, operatorsOf } from '../../src/core/schema/types/operator-types.js';
import { type PooledType, pools, thingTypes } from './filter-world.js';
import type { Random } from './random.js';

type Condition = Readonly<Record<string, unknown>>;

const functions: Readonly<Record<string, readonly string[]>> = {
  day: ['year', 'month', 'week', 'day', 'weekday'],
  clock: ['hour', 'minute', 'second'],
  moment: ['year', 'week', 'weekday', 'hour', 'second'],
  stamp: ['year', 'month', 'hour', 'minute'],
  specs: ['count'],
};

const jsonPaths = ['colour', 'size.width', 'on', '[0]', 'nothing'];

export function makeFilter(random: Random, depth = 3): Condition {
  if (depth > 1 && random.chance(0.1)) return makeFound(random, depth - 1);
  if (depth > 0 && random.chance(0.3)) {
    return { [random.chance(0.5) ? '_and' : '_or']: Array.from({ length: 1 + random.int(3) }, () => makeFilter(random, depth - 1)) };
  }
  if (depth > 0 && random.chance(0.25)) return makeRelated(random, depth - 1);
  return makeField(random);
}

function makeRelated(random: Random, depth: number): Condition {
  switch (random.int(5)) {
    case 0:
      return { owner: { name: comparison(random, 'string') } };
    case 1:
      return { owner: { _or: [{ age: comparison(random, 'integer') }, { name: { _null: true } }] } };
    case 2:
      return { owner: { things: { _some: makeFilter(random, Math.min(depth, 1)) } } };
    case 3:
      return {
        notes: random.chance(0.5)
          ? { _null: random.chance(0.5) }
          : { stars: comparison(random, 'integer'), text: comparison(random, 'string') },
      };
    default:
      return { notes: { [random.chance(0.5) ? '_some' : '_none']: { stars: comparison(random, 'integer') } } };
  }
}

/** What an index finds, beside what has to be looked through for each of the items found. */
function makeFound(random: Random, depth: number): Condition {
  const some = <T>(pool: readonly T[]): T | { readonly _in: readonly T[] } =>
    random.chance(0.5) ? random.pick(pool) : { _in: [random.pick(pool), random.pick(pool)] };
  const found = random.pick([
    () => ({ owner: { id: some([1, 2, 3]) } }),
    () => ({ owner: { age: { _gte: 30 } } }),
    () => ({ whole: some(pools.integer) }),
    () => ({ title: some(pools.string) }),
    () => ({ code: some(pools.uuid) }),
  ] as const)();
  return { _and: [found, { notes: { stars: comparison(random, 'integer') } }, ...(random.chance(0.3) ? [makeFilter(random, depth)] : [])] };
}

function makeField(random: Random): Condition {
  const name = random.pick(Object.keys(thingTypes));
  const type = thingTypes[name] as PooledType;
  const known = functions[name];
  if (known !== undefined && random.chance(0.25)) return { [`${random.pick(known)}(${name})`]: numbers(random) };
  if (random.chance(0.05)) return { 'count(notes)': numbers(random) };
  if (type === 'json' && random.chance(0.7)) return { specs: { _json: { [random.pick(jsonPaths)]: jsonCondition(random) } } };
  return { [name]: comparison(random, type) };
}

const numbers = (random: Random): Condition => ({
  [random.pick(['_eq', '_neq', '_lt', '_gte'] as const)]: random.pick([0, 1, 2, 3, 12, 23, 30, 52, 59, 1999, 2024]),
});

function jsonCondition(random: Random): Condition {
  const operator = random.pick(['_eq', '_neq', '_null', '_nnull', '_contains', '_in', '_gt', '_lte'] as const);
  if (operator === '_gt' || operator === '_lte') return { [operator]: random.pick([1, 3, 5]) };
  if (operator === '_null' || operator === '_nnull') return { [operator]: true };
  return operator === '_in' ? { _in: ['red', 'green'] } : { [operator]: random.pick(['red', 'green', 'e', '3']) };
}

function comparison(random: Random, type: PooledType): Condition {
  const operator = random.pick([...operatorsOf(type, false)]);
  return { [operator]: operandOf(random, operator, type) };
}

function operandOf(random: Random, operator: OperatorName, type: PooledType): unknown {
  const pool: readonly unknown[] = type === 'json' ? [] : pools[type];
  const value = (): unknown => (operandType(operator, type) === type ? random.pick(pool) : fragment(random, random.pick(pool)));
  switch (operators[operator].operand) {
    case 'none':
      return random.chance(0.8);
    case 'list':
      return Array.from({ length: 1 + random.int(3) }, value);
    case 'pair':
      return [value(), value()];
    default:
      return operandType(operator, 'integer') === 'string' ? fragment(random, value()) : value();
  }
}

/** A part of a text, never empty. */
function fragment(random: Random, value: unknown): string {
  const text = [...String(value)];
  const start = random.int(text.length);
  return text.slice(start, start + 1 + random.int(text.length - start)).join('');
}

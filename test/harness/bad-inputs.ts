// What can be wrong with an input, derived from its shapes: each member missing, of another kind, or out of its bounds.

import type { Operation } from '../../src/service/operations/operation.js';
import type { Shape } from '../../src/service/operations/shape.js';
import type { Values } from './operation-doors.js';

export interface BadInput {
  readonly what: string;
  readonly member: string;
  readonly input: Values;
}

/** `good`: an input to spoil, one member at a time. */
export const badInputs = ({ input }: Operation, good: Values): readonly BadInput[] =>
  Object.entries(input).flatMap(([member, shape]) =>
    badValues(shape, good[member]).map(([what, value]) => ({
      what: `${member} ${what}`,
      member,
      input: Object.fromEntries(Object.entries({ ...good, [member]: value }).filter(([, entry]) => entry !== undefined)),
    })),
  );

type Bad = readonly [what: string, value: unknown];

function badValues(shape: Shape<unknown>, good: unknown): readonly Bad[] {
  const missing: readonly Bad[] = shape.absent === null ? [['is missing', undefined]] : [];
  return [...missing, ...badKinds(shape, good)];
}

function badKinds({ facts, absent }: Shape<unknown>, good: unknown): readonly Bad[] {
  switch (facts.kind) {
    case 'text':
      return [
        ['is a number', 5],
        ['is too long', 'x'.repeat(facts.maxLength + 1)],
        ...(absent === null ? [['is empty', ''] as const] : []),
      ];
    case 'integer':
      return [
        ['is text', 'x'],
        ['is too small', facts.min - 1],
        ['is too large', facts.max + 1],
        ['is a fraction', facts.min + 0.5],
      ];
    case 'boolean':
      return [['is text', 'maybe']];
    case 'choice':
      return [['is no choice', 'no-such-choice']];
    case 'key':
      return [['is an object', {}]];
    case 'document':
    case 'query':
      return [['is a list', []]];
    case 'one-or-many':
      return [['is text', 'x']];
    case 'list':
      return [
        ['is an object', {}],
        ...badKinds(facts.of, firstOf(good)).map(([what, value]): Bad => [`has an entry that ${what}`, [value]]),
      ];
    case 'object':
      return [
        ['is a list', []],
        ...Object.entries(facts.members).flatMap(([member, shape]) =>
          badValues(shape, (good as Values | undefined)?.[member]).map(
            ([what, value]): Bad => [
              `has ${member}, which ${what}`,
              JSON.parse(JSON.stringify({ ...(good as Values | undefined), [member]: value })),
            ],
          ),
        ),
      ];
    default:
      return [];
  }
}

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

// An operation that every installation has: its route, and who may call it.

import type { OpenRule } from '../../operations/open-rule.js';
import type { Json } from './json.js';
import type { OperationFacts } from './operation.js';

export interface FixedOperation extends OperationFacts {
  /** `post /utils/sort/{collection}` */
  readonly route: string;
  /** All rules must hold. */
  readonly open: readonly OpenRule[];
}

export type FixedOperations = readonly FixedOperation[];

type Facts = Omit<OperationFacts, 'id' | 'tag' | 'summary'>;

export const open =
  (...to: readonly OpenRule[]) =>
  (route: string, summary: string, facts: Facts): Omit<FixedOperation, 'id' | 'tag'> => ({ ...facts, route, summary, open: to });

/** The keys of `operations` are their ids. */
export const group = (tag: string, operations: Readonly<Record<string, Omit<FixedOperation, 'id' | 'tag'>>>): FixedOperations =>
  Object.entries(operations).map(([id, operation]) => ({ id, tag, ...operation }));

export const text: Json = { type: 'string' };
export const any: Json = { type: 'object' };
export const listOf = (items: Json): Json => ({ type: 'array', items });
export const object = (properties: Json, ...required: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

// The values of one run of a plan: each parameter's literal is found, dynamic values are resolved, the value is checked by its type
// and encoded for the driver.

import { invalidQuery } from '../errors/service-error.js';
import type { ValueSource } from '../plan/value-source.js';
import { noFacts } from '../schema/coerced.js';
import { coerceValue } from '../schema/values.js';
import { isLate, type Late } from '../sql/late-value.js';
import { bindWritten } from '../sql/render-late.js';
import type { BoundValue, Param, Rendered } from '../sql/sql.js';
import type { Statement } from '../vendor/driver.js';
import type { Mark } from './cursor.js';

/** Turns `$NOW`, `$CURRENT_USER` and their kin into values; anything else stays as it is. */
export type Resolve = (value: unknown) => unknown;

export interface StatementOptions {
  readonly cheap?: boolean;
  /** The place a cursor stands for. */
  readonly marks?: readonly Mark[];
}

export function makeStatement(
  rendered: Rendered,
  literals: readonly unknown[],
  resolve: Resolve,
  options: StatementOptions = {},
): Statement {
  const { cheap = false, marks = [] } = options;
  const values = rendered.params.map((param) =>
    param.source.kind === 'mark' ? param.encode(marks[param.source.index]) : settled(bindValue(param, literals, resolve)),
  );
  return { text: rendered.text, values, prepare: true, cheap };
}

function settled(value: BoundValue | Late): BoundValue {
  if (isLate(value)) throw new Error('a value of the statement is not known yet');
  return value;
}

export function bindValue(param: Param, literals: readonly unknown[], resolve: Resolve): BoundValue | Late {
  if (param.source.kind === 'written') return bindWritten(param);
  const literal = resolve(find(param.source, literals));
  if (isLate(literal)) return literal;
  if (!param.list) return param.encode(canonical(param, literal));
  const members = Array.isArray(literal) ? literal : [literal];
  return param.encode(members.map((member) => canonical(param, member)));
}

function find(source: ValueSource, literals: readonly unknown[]): unknown {
  switch (source.kind) {
    case 'slot':
      return literals[source.slot];
    case 'constant':
    case 'written':
      return source.value;
    case 'mark':
      throw new Error('a mark is no literal');
    case 'element': {
      const list = find(source.of, literals);
      return Array.isArray(list) ? list[source.index] : undefined;
    }
  }
}

function canonical(param: Param, literal: unknown): unknown {
  const coerced = coerceValue(param.type, literal ?? null, noFacts, 'operand');
  if (coerced.ok) return coerced.value;
  if (param.lenient) return null;
  throw invalidQuery(`${JSON.stringify(literal)?.slice(0, 100)} ${coerced.message}.`);
}

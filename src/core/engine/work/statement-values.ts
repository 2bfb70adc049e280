// Binds the parameters of a statement for one run: finds the literal of each, resolves dynamic values, checks the value against the type, and
// encodes it for the driver.

import { isDynamic } from '../../access/dynamic-values.js';
import { forbidden, invalidQuery } from '../../errors/service-error.js';
import { bindWritten } from '../../pipeline/render-pending.js';
import { rootOf, type ValueSource } from '../../plan/names/value-source.js';
import { coerceValue } from '../../schema/types/coerce-value.js';
import { noFacts } from '../../schema/types/coerced.js';
import { isPending, type Pending } from '../../sql/pending-key.js';
import type { BoundValue, Param, Rendered } from '../../sql/sql.js';
import type { Statement, StatementKind } from '../../vendor/driver.js';

/** Where a literal comes from: the request, or a stored rule or preset. */
export type Origin = 'request' | 'rule';

/** Turns dynamic values such as `$NOW` and `$CURRENT_USER` into values; returns others unchanged. */
export type Resolve = (value: unknown, origin: Origin) => unknown;

/** One sort value of an item, in the form the vendor writes it into a cursor; null where the item has none. */
export type Mark = string | number | null;

export interface StatementOptions {
  /** Default `read`. */
  readonly kind?: StatementKind;
  readonly cheap?: boolean;
  readonly mirrored?: boolean;
  /** The sort values of the cursor's place. */
  readonly marks?: readonly Mark[];
}

export function makeStatement(
  rendered: Rendered,
  literals: readonly unknown[],
  resolve: Resolve,
  options: StatementOptions = {},
): Statement {
  const { kind = 'read', cheap = false, mirrored = false, marks = [] } = options;
  const values = rendered.params.map((param) =>
    param.source.kind === 'mark' ? param.encode(marks[param.source.index]) : settled(bindValue(param, literals, resolve)),
  );
  return { kind, tables: rendered.tables, text: rendered.text, values, prepare: true, cheap, mirrored };
}

function settled(value: BoundValue | Pending): BoundValue {
  if (isPending(value)) throw new Error('a value of the statement is not known yet');
  return value;
}

export function bindValue(param: Param, literals: readonly unknown[], resolve: Resolve): BoundValue | Pending {
  if (param.source.kind === 'written') return bindWritten(param);
  const asked = find(param.source, literals);
  const literal = resolveFrom(param.source, asked, resolve);
  if (isPending(literal)) return literal;
  if (!param.list) return param.encode(canonical(param, literal, asked));
  const members = Array.isArray(literal) ? literal : [literal];
  return param.encode(members.map((member) => canonical(param, member, literal === asked ? member : asked)));
}

/** Refuses literals of a request that do not fit their parameters, before anything runs. Dynamic values are checked when they are resolved. */
export function checkLiterals(params: readonly Param[], literals: readonly unknown[]): void {
  for (const param of params) {
    if (rootOf(param.source).kind !== 'slot') continue;
    const literal = find(param.source, literals);
    if (!isPending(literal) && !isDynamic(literal)) bindValue(param, literals, (value) => value);
  }
}

function resolveFrom(source: ValueSource, literal: unknown, resolve: Resolve): unknown {
  switch (rootOf(source).kind) {
    case 'slot':
      return resolve(literal, 'request');
    case 'rule':
      return resolve(literal, 'rule');
    default:
      return literal;
  }
}

function find(source: ValueSource, literals: readonly unknown[]): unknown {
  switch (source.kind) {
    case 'slot':
    case 'key':
      return literals[source.slot];
    case 'rule':
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

/**
 * The refusal shows the literal as `asked`, never the result of a dynamic value. It shows nothing of a rule: a rule whose value does not fit
 * cannot hold, so the answer is FORBIDDEN.
 */
function canonical(param: Param, literal: unknown, asked: unknown): unknown {
  const coerced = coerceValue(param.type, literal ?? null, param.facts ?? noFacts, 'operand');
  if (coerced.ok) return coerced.value;
  if (param.lenient) return null;
  if (rootOf(param.source).kind === 'rule') throw forbidden();
  const shown = JSON.stringify(asked)?.slice(0, 100);
  throw invalidQuery(
    param.field === undefined ? `${shown} ${coerced.fault.sentence}.` : `${shown} for "${param.field}" ${coerced.fault.sentence}.`,
  );
}

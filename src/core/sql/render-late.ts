// Renders a statement that may hold late values: where one stands, the vendor says what is written and bound instead of a parameter.

import { isLate, type Late, type LatePlace } from './late-value.js';
import { plainConstant } from './plain-constant.js';
import type { BoundValue, Param, Sql } from './sql.js';
import type { LateSyntax, Syntax } from './syntax.js';

export interface LateStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly lates: readonly LatePlace[];
}

export type Bind = (param: Param) => BoundValue | Late;

export function renderLate(syntax: Syntax, statement: Sql, bind: Bind): LateStatement {
  const { text, params } = writeLate(syntax, statement, bind);
  return { text, ...fillLate(syntax, params, bind) };
}

const none: ReadonlySet<Param> = new Set();

/** The text depends on where late values stand and whose they are, not on other values. */
export interface LateTemplate {
  readonly text: string;
  /** Those that are bound. */
  readonly params: readonly Param[];
}

/** `shared`: parameters that stand at several places and are bound once; only where placeholders have numbers. */
export function writeLate(syntax: Syntax, statement: Sql, bind: Bind, shared: ReadonlySet<Param> = none): LateTemplate {
  const params: Param[] = [];
  const written = new Map<Param, string>();
  let text = '';
  for (const part of statement.parts) {
    if (typeof part === 'string') text += part;
    else text += (plainConstant(part) ?? put(part)) + part.cast;
  }
  return { text, params };

  function put(param: Param): string {
    const known = shared.has(param) ? written.get(param) : undefined;
    if (known !== undefined) return known;
    const value = bind(param);
    const placeholder = syntax.placeholder(params.length + 1);
    const placed = isLate(value) ? lateOf(syntax).write(value, placeholder) : placeholder;
    if (boundOf(syntax, value) !== undefined) params.push(param);
    written.set(param, placed);
    return placed;
  }
}

export function fillLate(syntax: Syntax, params: readonly Param[], bind: Bind): Omit<LateStatement, 'text'> {
  const values: BoundValue[] = [];
  const lates: LatePlace[] = [];
  for (const param of params) bindInto(syntax, bind(param), values, lates);
  return { values, lates };
}

export function bindInto(syntax: Syntax, value: BoundValue | Late, values: BoundValue[], lates: LatePlace[]): void {
  const bound = boundOf(syntax, value);
  if (bound === undefined) return;
  if (isLate(bound)) lates.push({ at: values.length, late: bound });
  values.push(isLate(bound) ? null : bound);
}

const boundOf = (syntax: Syntax, value: BoundValue | Late): BoundValue | Late | undefined =>
  isLate(value) ? lateOf(syntax).bound(value) : value;

function lateOf({ late }: Syntax): LateSyntax {
  if (late === null) throw new Error('this vendor knows no late values');
  return late;
}

/** A value of a payload: late ones are not encoded. */
export const bindWritten: Bind = ({ source, encode }) => {
  if (source.kind !== 'written') throw new Error('only written values are bound here');
  return isLate(source.value) ? source.value : encode(source.value);
};

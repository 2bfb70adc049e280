// Renders a statement that may hold late values: where one stands, the vendor says what is written and bound instead of a parameter.

import { isLate, type Late, type LatePlace } from './late-value.js';
import { plainConstant } from './plain-constant.js';
import type { BoundValue, Param, Sql } from './sql.js';
import type { Syntax } from './syntax.js';

export interface LateStatement {
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly lates: readonly LatePlace[];
}

export type Bind = (param: Param) => BoundValue | Late;

export function renderLate(syntax: Syntax, statement: Sql, bind: Bind): LateStatement {
  const values: BoundValue[] = [];
  const lates: LatePlace[] = [];
  let text = '';
  for (const part of statement.parts) {
    if (typeof part === 'string') text += part;
    else text += (plainConstant(part) ?? put(bind(part))) + part.cast;
  }
  return { text, values, lates };

  function put(value: BoundValue | Late): string {
    const placeholder = syntax.placeholder(values.length + 1);
    if (!isLate(value)) {
      values.push(value);
      return placeholder;
    }
    if (syntax.late === null) throw new Error('this vendor knows no late values');
    const placed = syntax.late.place(value, placeholder);
    if (isLate(placed.bound)) lates.push({ at: values.length, late: placed.bound });
    if (placed.bound !== undefined) values.push(isLate(placed.bound) ? null : placed.bound);
    return placed.text;
  }
}

/** A value of a payload: late ones are not encoded. */
export const bindWritten: Bind = ({ source, encode }) => {
  if (source.kind !== 'written') throw new Error('only written values are bound here');
  return isLate(source.value) ? source.value : encode(source.value);
};

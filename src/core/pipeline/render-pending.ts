// Renders statements that may hold pending keys. For a pending value the vendor's `PendingSyntax` says what is written in place
// of the placeholder (a session variable, a setting) and what is bound, if anything; elsewhere a parameter becomes a placeholder as usual.

import { isPending, type Pending, type PendingPlace } from '../sql/pending-key.js';
import { plainConstant } from '../sql/plain-constant.js';
import type { BoundValue, Param, Sql } from '../sql/sql.js';
import type { PendingSyntax, Syntax } from '../sql/syntax.js';

/** A statement with its values; `pending` lists the values that the driver fills in (SQLite). */
export interface BoundStatement {
  readonly tables: readonly string[];
  readonly text: string;
  readonly values: readonly BoundValue[];
  readonly pending: readonly PendingPlace[];
}

export type Bind = (param: Param) => BoundValue | Pending;

export function renderPending(syntax: Syntax, statement: Sql, bind: Bind): BoundStatement {
  const { text, params, tables } = writeTemplate(syntax, statement, bind);
  return { tables, text, ...fillTemplate(syntax, params, bind) };
}

const none: ReadonlySet<Param> = new Set();

/** The text depends on the places and names of pending values, not on any other value: it can be used again with other values. */
export interface StatementTemplate {
  readonly tables: readonly string[];
  readonly text: string;
  /** Those with a placeholder, in order. */
  readonly params: readonly Param[];
}

/** `shared`: parameters that occur several times and are bound once; only where placeholders are numbered. */
export function writeTemplate(syntax: Syntax, statement: Sql, bind: Bind, shared: ReadonlySet<Param> = none): StatementTemplate {
  const params: Param[] = [];
  const written = new Map<Param, string>();
  let text = '';
  for (const part of statement.parts) {
    if (typeof part === 'string') text += part;
    else text += (plainConstant(part) ?? put(part)) + part.cast;
  }
  return { tables: statement.tables, text, params };

  function put(param: Param): string {
    const known = shared.has(param) ? written.get(param) : undefined;
    if (known !== undefined) return known;
    const value = bind(param);
    const placeholder = syntax.placeholder(params.length + 1);
    const placed = isPending(value) ? pendingSyntax(syntax).write(value, placeholder) : placeholder;
    if (boundOf(syntax, value) !== undefined) params.push(param);
    written.set(param, placed);
    return placed;
  }
}

export function fillTemplate(syntax: Syntax, params: readonly Param[], bind: Bind): Pick<BoundStatement, 'values' | 'pending'> {
  const values: BoundValue[] = [];
  const pending: PendingPlace[] = [];
  for (const param of params) bindInto(syntax, bind(param), values, pending);
  return { values, pending };
}

/** Appends the value that the placeholder gets, if it has one. */
export function bindInto(syntax: Syntax, value: BoundValue | Pending, values: BoundValue[], pending: PendingPlace[]): void {
  const bound = boundOf(syntax, value);
  if (bound === undefined) return;
  if (isPending(bound)) pending.push({ at: values.length, pending: bound });
  values.push(isPending(bound) ? null : bound);
}

const boundOf = (syntax: Syntax, value: BoundValue | Pending): BoundValue | Pending | undefined =>
  isPending(value) ? pendingSyntax(syntax).bound(value) : value;

function pendingSyntax({ pending }: Syntax): PendingSyntax {
  if (pending === null) throw new Error('this vendor cannot refer to pending keys');
  return pending;
}

/** Binds a value of a payload. Pending values are not encoded: their form is the vendor's. */
export const bindWritten: Bind = ({ source, encode }) => {
  if (source.kind !== 'written') throw new Error('only written values are bound here');
  return isPending(source.value) ? source.value : encode(source.value);
};

// The result of coercing one value: its canonical form, or the reason for its refusal; and what a column states about its values.

import { type Refusal, type RefusalName, refusal } from '../../errors/refusals.js';
import type { ColumnType } from './field-type.js';

/**
 * The form in which a value travels from coercion to a vendor's `encode`: one representation per type, whatever spelling the client used.
 */
export type Canonical = string | number | bigint | boolean | Uint8Array | null;

/**
 * type: not a value of this type; range: too large, too small or too precise; length: too long; text: contains NUL or an unpaired
 * surrogate.
 */
export type Misfit = 'type' | 'range' | 'length' | 'text';

export type Coerced =
  | { readonly ok: true; readonly value: Canonical }
  | { readonly ok: false; readonly reason: Misfit; readonly fault: Refusal };

/** What a column states about its values. A RawColumn satisfies it. */
export interface ValueFacts {
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** The bounds of an integer where they differ from those of the type (unsigned columns). */
  readonly range?: { readonly min: bigint; readonly max: bigint };
  /** Fractional digits of a second that the column keeps; absent: three. */
  readonly fraction?: number;
  /** The only texts the column accepts. */
  readonly choices?: readonly string[];
  /**
   * Further texts the column can hold outside of its type's values (`infinity`, `0000-00-00`, `NaN`); they pass unchanged in both
   * directions.
   */
  readonly alsoAccepts?: RegExp;
  /** A text with a format of its own (bits): the pattern, and what is wrong with values that do not match. */
  readonly form?: { readonly pattern: RegExp; readonly fault: Refusal };
  /** Decimals keep the scale they are sent with. */
  readonly keepsScale?: true;
  /** The column does not enforce its precision and scale, and keeps fifteen digits (SQLite). */
  readonly approximate?: true;
  /** A column without a declared type, which holds numbers, texts and bytes side by side. */
  readonly loose?: boolean;
  /** For vendor types that JSON represents as a list or an object. */
  readonly structure?: Structure;
}

/** list: values of one type, in as many dimensions as the value has; map: texts by name. */
export type Structure =
  | { readonly kind: 'list'; readonly element: { readonly type: ColumnType; readonly facts: ValueFacts } }
  | { readonly kind: 'map' };

export const noFacts: ValueFacts = { maxLength: null, precision: null, scale: null };

/** The facts that matter for an operand: how values of the column look, not which of them it can store. */
export function operandFacts(column: ValueFacts | null): ValueFacts {
  if (
    column === null ||
    (column.range === undefined && column.alsoAccepts === undefined && column.structure === undefined && !column.loose)
  )
    return noFacts;
  const { range, alsoAccepts, structure, loose } = column;
  // A value outside of the column's range matches nothing and needs no refusal; only ranges wider than the type have to be passed on.
  const wide = range !== undefined && range.max > 2n ** 31n ? { range: { min: -range.max - 1n, max: range.max } } : {};
  return { ...noFacts, ...wide, ...(alsoAccepts && { alsoAccepts }), ...(structure && { structure }), ...(loose && { loose }) };
}

/** write: a value of a payload; operand: a value to compare with, which need not fit the column. */
export type CoerceMode = 'write' | 'operand';

export const fits = (value: Canonical): Coerced => ({ ok: true, value });
export const misfit = <N extends RefusalName>(
  reason: Misfit,
  ...fault: Parameters<typeof refusal<N>>
): Extract<Coerced, { ok: false }> => ({
  ok: false,
  reason,
  fault: refusal(...fault),
});

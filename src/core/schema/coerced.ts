// The outcome of checking one value: its canonical form, or why it does not fit.

export type Canonical = string | number | bigint | boolean | Uint8Array | null;

/** type: not a value of this type; range: too big, too small or too exact; length: too long; text: NUL or a lone surrogate in it. */
export type Misfit = 'type' | 'range' | 'length' | 'text';

export type Coerced =
  | { readonly ok: true; readonly value: Canonical }
  | { readonly ok: false; readonly reason: Misfit; readonly message: string };

/** What the column says about its values; a RawColumn fits. */
export interface ValueFacts {
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  /** Bounds of a whole number where they are not those of the type (unsigned columns). */
  readonly range?: { readonly min: bigint; readonly max: bigint };
}

export const noFacts: ValueFacts = { maxLength: null, precision: null, scale: null };

/** write: a value of a payload; operand: a value to compare with, which need not fit into the column. */
export type CoerceMode = 'write' | 'operand';

export const fits = (value: Canonical): Coerced => ({ ok: true, value });
export const misfit = (reason: Misfit, message: string): Coerced => ({ ok: false, reason, message });

// What was typed into a field and is no value of it. It takes the place of the value in a draft, so that no character is lost, the change is
// counted, and nothing is saved until it is mended. Pure, imports no framework.

/**
 * Why a text is no value. `unknown`: there is no item of this name; `choose`: no item was picked for it yet; `digits`: some would be lost;
 * `part`: more of it is to come.
 */
export type Fault = 'number' | 'digits' | 'boolean' | 'moment' | 'json' | 'unknown' | 'choose' | 'length' | 'part';

/** A text as a value, or why it is none; the value is the text itself then. */
export interface Reading {
  readonly value: unknown;
  readonly fault: Fault | null;
}

export interface Typed {
  readonly $staged: 'typed';
  readonly text: string;
  readonly fault: Fault;
  /** What the field holds besides: the tags before the one that is typed, the shape that a part is added to. */
  readonly rest?: unknown;
}

export const typedText = (text: string, fault: Fault, rest?: unknown): Typed => ({
  $staged: 'typed',
  text,
  fault,
  ...(rest === undefined ? {} : { rest }),
});

export const isTyped = (value: unknown): value is Typed =>
  typeof value === 'object' && value !== null && (value as { readonly $staged?: unknown }).$staged === 'typed';

/** The fault of a value, or of a field of an entry in a list of records. */
export function faultIn(value: unknown): Fault | null {
  if (isTyped(value)) return value.fault;
  const entries = Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : [];
  return entries.flatMap((entry) => Object.values(entry)).find(isTyped)?.fault ?? null;
}

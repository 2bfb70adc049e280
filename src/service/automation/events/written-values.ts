// The values of a write as flows see them: those of its columns, in the form of answers, once all keys are known.

import { isPending, PendingKey, type PendingText } from '../../../core/sql/pending-key.js';

/** Call after the commit, when the keys in it are generated. */
export function settledText(document: string | PendingText): string {
  if (typeof document === 'string') return document;
  return document.parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(settledPart(part)))).join('');
}

/** Part of a text or of a key. */
export function settledPart(part: string | number | PendingKey): string | number {
  const known = part instanceof PendingKey ? part.current() : part;
  if (isPending(known)) throw new Error('the key is not known yet');
  return typeof known === 'number' ? known : String(known);
}

/** Those that are known before the write. */
export const knownValues = (values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> =>
  new Map([...values].filter(([, value]) => !isPending(value)));

/** Whether two values are the same for a flow that hands on what it got. */
export const isSameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

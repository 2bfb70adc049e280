// JSON and comma-separated values.

import { isNestedTooDeeply } from '../query/json-nesting.js';
import { checkText, writeJson } from './coerce-text.js';
import { type Coerced, type CoerceMode, misfit, type ValueFacts } from './coerced.js';

/** In text that JSON.stringify wrote, a surrogate or NUL is escaped exactly when it stands alone. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Canonical: JSON text. Text is read as JSON first. */
export function coerceJson(value: unknown): Coerced {
  if (typeof value === 'string' && isNestedTooDeeply(value)) return nestedTooDeeply;
  const parsed = typeof value === 'string' ? readJson(value) : value;
  if (parsed === undefined) return misfit('type', 'has to be JSON');
  const text = writeJson(parsed);
  if (text === null) return nestedTooDeeply;
  return text.includes('\\u') && unstorable.test(text) ? misfit('text', 'holds a NUL or half a surrogate pair') : { ok: true, value: text };
}

const nestedTooDeeply = misfit('range', 'is nested too deeply');

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Canonical: comma text. A part that holds a comma would come back as two and is refused. */
export function coerceCsv(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const text = Array.isArray(value) ? joinParts(value) : typeof value === 'object' ? null : String(value);
  if (text === null || value === undefined) return misfit('type', 'has to be a list of texts without commas');
  return checkText(text, mode === 'write' ? facts.maxLength : null);
}

function joinParts(parts: readonly unknown[]): string | null {
  const plain = parts.every(
    (part) => (typeof part === 'string' && !part.includes(',')) || typeof part === 'number' || typeof part === 'boolean',
  );
  return plain ? parts.join(',') : null;
}

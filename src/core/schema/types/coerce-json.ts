// JSON and comma-separated values.

import { maxChoices } from '../../errors/refusals.js';
import { isNestedTooDeeply } from '../../util/json-nesting.js';
import { tryParseJson } from '../../util/try-parse-json.js';
import { checkText, writeJson } from './coerce-text.js';
import { type Coerced, type CoerceMode, misfit, type ValueFacts } from './coerced.js';

/** In the output of JSON.stringify, a surrogate or NUL is escaped exactly when it is unpaired. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** The canonical form is JSON text. Text is first read as JSON. */
export function coerceJson(value: unknown): Coerced {
  if (typeof value === 'string' && isNestedTooDeeply(value)) return nestedTooDeeply;
  const parsed = typeof value === 'string' ? tryParseJson(value) : value;
  if (parsed === undefined) return misfit('type', 'json');
  const text = writeJson(parsed);
  if (text === null) return nestedTooDeeply;
  return text.includes('\\u') && unstorable.test(text) ? misfit('text', 'unstorable_text') : { ok: true, value: text };
}

const nestedTooDeeply = misfit('range', 'too_deep');

/** The canonical form is comma-separated text. A part with a comma in it would be read back as two parts and is refused. */
export function coerceCsv(value: unknown, facts: ValueFacts, mode: CoerceMode): Coerced {
  const text = Array.isArray(value) ? joinParts(value) : typeof value === 'object' ? null : String(value);
  if (text === null || value === undefined) return misfit('type', 'words');
  if (mode === 'operand') return checkText(text, null);
  const { choices } = facts;
  if (choices !== undefined && text !== '' && !text.split(',').every((part) => choices.includes(part)))
    return misfit('type', 'one_of', { choices: choices.slice(0, maxChoices) });
  return checkText(text, facts.maxLength);
}

function joinParts(parts: readonly unknown[]): string | null {
  const plain = parts.every(
    (part) => (typeof part === 'string' && !part.includes(',')) || typeof part === 'number' || typeof part === 'boolean',
  );
  return plain ? parts.join(',') : null;
}

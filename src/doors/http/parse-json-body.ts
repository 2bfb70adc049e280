// A JSON body becomes a value, or an INVALID_PAYLOAD that says what to fix. Of a key given twice in one object the last one counts,
// here and for everybody after: the text is parsed once.

import { isUtf8 } from 'node:buffer';
import { invalidPayload } from '../../core/errors/service-error.js';
import { isNestedTooDeeply, maxJsonNesting } from '../../core/query/json-nesting.js';

/** Texts that may hold what no payload may: looked at closely only then. */
const suspicious = /__proto__|\\u(?:0000|005f|d[89a-f])/i;

/** Undefined for an empty body. */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalidPayload('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  if (isNestedTooDeeply(text)) throw invalidPayload(`The body is nested deeper than ${maxJsonNesting} levels.`);
  const value = parse(text);
  if (typeof value !== 'object' || value === null) throw invalidPayload('The body has to be a JSON object or array.');
  if (text.includes('\0') || suspicious.test(text)) refuseBadText(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message repeats parts of the body, which may be a password.
    throw invalidPayload('The body is not valid JSON.');
  }
}

/** No vendor stores NUL or half a character, and `__proto__` is no name of a field. Recursion is bounded by the nesting. */
function refuseBadText(value: unknown): void {
  if (typeof value === 'string') refuseBadString(value);
  else if (Array.isArray(value)) value.forEach(refuseBadText);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      if (key === '__proto__') throw invalidPayload('"__proto__" is not allowed as a key.');
      refuseBadString(key);
      refuseBadText(entry);
    }
  }
}

const loneSurrogate = /\p{Surrogate}/u;

function refuseBadString(text: string): void {
  if (text.includes('\0')) throw invalidPayload('Text must not contain the character U+0000.');
  if (loneSurrogate.test(text)) throw invalidPayload('Text must not contain half of a surrogate pair.');
}

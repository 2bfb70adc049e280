// Names as they are written in a query: `title`, `author.name`, `year(published)`, `json(specs, a.b)`, `item:pages`.

import { forbidden, invalidQuery } from '../errors/service-error.js';
import { formatJsonPath, parseJsonPath } from './json-path.js';
import type { FieldRef, Path } from './query.js';

const maxNameBytes = 63;
const noArgs: readonly string[] = [];
const call = /^([A-Za-z]\w{0,30})\(([^()]*)\)$/;
/** Nearly every name is one of these; the rest is looked at more closely. */
const plainName = /^\w{1,63}$/;
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** One step of a path. */
export function parseFieldRef(text: string): FieldRef {
  if (text.includes('(') || text.includes(')')) return parseCall(text);
  const colon = text.indexOf(':');
  if (colon === -1) return { name: checkName(text), fn: null, args: noArgs, scope: null };
  return { name: checkName(text.slice(0, colon)), fn: null, args: noArgs, scope: checkName(text.slice(colon + 1)) };
}

export const parsePath = (text: string): Path => splitOutsideCalls(text, '.').map(parseFieldRef);

function parseCall(text: string): FieldRef {
  // Another service's way to follow a relation backwards: here it leads nowhere, as an unknown field would.
  if (text.startsWith('$FOLLOW(')) throw forbidden();
  const match = call.exec(text);
  if (!match) throw invalidQuery(`"${text.slice(0, 100)}" is not a function of a field such as "year(published)".`);
  const [, fn = '', inside = ''] = match;
  const comma = inside.indexOf(',');
  const name = checkName((comma === -1 ? inside : inside.slice(0, comma)).trim());
  if (name.includes('.'))
    throw invalidQuery(`Write the function at the end of the path: "…${fn}(${name.slice(name.lastIndexOf('.') + 1)})".`);
  return { name, fn, args: comma === -1 ? noArgs : [formatJsonPath(parseJsonPath(inside.slice(comma + 1).trim()))], scope: null };
}

export function checkName(name: string): string {
  if (name === '__proto__') throw invalidQuery('"__proto__" cannot be used as a name.');
  if (plainName.test(name)) return name;
  if (name === '') throw invalidQuery('A field name is empty.');
  if (name.length > maxNameBytes / 3 && Buffer.byteLength(name) > maxNameBytes) {
    throw invalidQuery(`The name "${name.slice(0, 20)}…" is longer than ${maxNameBytes} bytes.`);
  }
  if (unprintable.test(name)) throw invalidQuery('A name holds characters that cannot be part of a name.');
  return name;
}

/** The key of a field in the answer: `title`, `published_year`, `specs_a.b_json`. */
export function resultKey(ref: FieldRef): string {
  if (ref.fn === null) return ref.name;
  return checkName([ref.name, ...ref.args, ref.fn].join('_'));
}

/** Splits at `separator`, but not inside the brackets of a function. */
export function splitOutsideCalls(text: string, separator: ',' | '.'): readonly string[] {
  if (!text.includes(separator)) return [text];
  if (!text.includes('(')) return text.split(separator);
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

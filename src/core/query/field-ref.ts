// The grammar of names in a query: `title`, `author.name`, `year(published)`, `json(specs, a.b)`, `item:pages`, `items\.dot`. Nothing here
// knows the schema; whether a name exists for the caller is decided when it is bound (core/plan/names).

import { invalidQuery } from '../errors/service-error.js';
import { maskEscapes, unmaskEscapes } from './escape-name.js';
import { formatJsonPath, parseJsonPath } from './json-path.js';
import type { FieldRef, Path } from './query.js';

const maxNameBytes = 63;
const noArgs: readonly string[] = [];
const call = /^([A-Za-z]\w{0,30})\(([^()]*)\)$/;
/** Nearly every name matches this and needs no further check. */
const plainName = /^\w{1,63}$/;
const unprintable = /[\p{Cc}\p{Cs}]/u;

/** `Price (USD)` is a name and not a call: no function is written with a space before its bracket. */
const bracketedWords = /^[^()]*\s\([^()]*\)$/;

/** Parses one step of a path. */
export function parseFieldRef(written: string): FieldRef {
  const text = maskEscapes(written);
  if ((text.includes('(') || text.includes(')')) && !bracketedWords.test(text)) return parseCall(text);
  const colon = text.indexOf(':');
  if (colon === -1) return { name: checkName(text), fn: null, args: noArgs, scope: null };
  return { name: checkName(text.slice(0, colon)), fn: null, args: noArgs, scope: checkName(text.slice(colon + 1)) };
}

export const parsePath = (text: string): Path => splitPath(maskEscapes(text)).map(parseFieldRef);

const callOnPath = /^([A-Za-z]\w{0,30}\()([^(),]*)\.([^(),.]+[,)].*)$/s;

/**
 * Splits a path into its steps. A function may enclose the whole path or only the last step: `json(author.specs, a.b)` equals
 * `author.json(specs, a.b)`.
 */
export function splitPath(text: string): readonly string[] {
  const steps = splitOutsideCalls(text, '.');
  const around = text.includes('(') ? callOnPath.exec(steps.at(-1) ?? '') : null;
  if (around === null) return steps;
  const [, fn = '', relations = '', rest = ''] = around;
  return [...steps.slice(0, -1), ...relations.split('.').map((step) => step.trim()), fn + rest];
}

/**
 * `$FOLLOW(cities, country)` leads to the cities whose `country` points at this item. It serves relations that have no alias field on this
 * side.
 */
const followName = '$FOLLOW';
const follow = /^\$FOLLOW\(([^(),]+),([^(),]+)\)$/;

export const isFollow = (ref: FieldRef): boolean => ref.name === followName && ref.args.length > 0;

function parseFollow(text: string): FieldRef {
  const [, collection, field] = follow.exec(text) ?? [];
  if (collection === undefined || field === undefined)
    throw invalidQuery(`"${text.slice(0, 100)}" has to be written as "$FOLLOW(collection, field)".`);
  return { name: followName, fn: null, args: [checkName(collection.trim()), checkName(field.trim())], scope: null };
}

function parseCall(text: string): FieldRef {
  if (text.startsWith(`${followName}(`)) return parseFollow(text);
  const match = call.exec(text);
  if (!match) throw invalidQuery(`"${text.slice(0, 100)}" is not a function of a field such as "year(published)".`);
  const [, fn = '', inside = ''] = match;
  const comma = inside.indexOf(',');
  const name = (comma === -1 ? inside : inside.slice(0, comma)).trim();
  if (name.includes('.')) throw invalidQuery(`"${name}" leads through a relation, which is not allowed inside "${fn}(…)" here.`);
  return {
    name: checkName(name),
    fn,
    args: comma === -1 ? noArgs : [formatJsonPath(parseJsonPath(inside.slice(comma + 1).trim()))],
    scope: null,
  };
}

/** Returns the name with its escapes resolved. Throws when no field can have that name. */
export function checkName(written: string): string {
  if (written === '__proto__') throw invalidQuery('"__proto__" cannot be used as a name.');
  if (plainName.test(written)) return written;
  const name = unmaskEscapes(written);
  if (name === '__proto__') throw invalidQuery('"__proto__" cannot be used as a name.');
  if (name === '') throw invalidQuery('A field name is empty.');
  if (name.length > maxNameBytes / 3 && Buffer.byteLength(name) > maxNameBytes) {
    throw invalidQuery(`The name "${name.slice(0, 20)}…" is longer than ${maxNameBytes} bytes.`);
  }
  if (unprintable.test(name)) throw invalidQuery('A name holds characters that cannot be part of a name.');
  return name;
}

/** The key under which the answer shows a field: `title`, `published_year`, `specs_a_b_json`. */
export function resultKey(ref: FieldRef): string {
  if (ref.fn === null) return ref.name;
  return checkName([ref.name, ...ref.args.flatMap(parseJsonPath), ref.fn].join('_'));
}

/** Splits at `separator`, except inside the brackets of a call. */
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

// Parses what others send to a webhook and is no JSON: forms without files, as an object, and text.

import { isUtf8 } from 'node:buffer';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { refuseBadText } from './parse-json-body.js';

const maxFields = 1_000;

/** A repeated name becomes a list. Undefined for an empty body. */
export function parseFormBody(bytes: Buffer): Readonly<Record<string, string | readonly string[]>> | undefined {
  const text = parseTextBody(bytes);
  if (text === undefined) return undefined;
  const pairs = text.split('&', maxFields + 1).filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw invalidPayload(`A form may have ${maxFields} fields.`);
  const fields = new Map<string, string | string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at));
    const value = decoded(at < 0 ? '' : pair.slice(at + 1));
    const present = fields.get(name);
    if (present === undefined) fields.set(name, value);
    else if (Array.isArray(present)) present.push(value);
    else fields.set(name, [present, value]);
  }
  const body = Object.fromEntries(fields);
  refuseBadText(body);
  return body;
}

/** Undefined for an empty body. */
export function parseTextBody(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw invalidPayload('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  refuseBadText(text);
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidPayload('The form is not encoded as one: "%" has to be followed by two digits that make up UTF-8.');
  }
}

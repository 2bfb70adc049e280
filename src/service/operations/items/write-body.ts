// What the body of a list write says: which items are meant (specification 4.2, contract 3.2 and 3.3).

import { invalidPayload } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { ParsedQuery, QueryLimits } from '../../../core/query/query.js';

export type Chosen =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  | { readonly kind: 'query'; readonly parsed: ParsedQuery };

export type UpdateBody =
  | { readonly kind: 'batch'; readonly items: readonly unknown[] }
  | { readonly kind: 'chosen'; readonly chosen: Chosen; readonly data: unknown };

export function parseUpdateBody(body: unknown, limits: QueryLimits): UpdateBody {
  if (Array.isArray(body)) return { kind: 'batch', items: body };
  const object = asObject(body, ['keys', 'query', 'data']);
  if (!('data' in object)) throw invalidPayload('"data" is missing: it holds the changes.');
  return { kind: 'chosen', chosen: parseChosen(object, limits), data: object.data };
}

export function parseDeleteBody(body: unknown, limits: QueryLimits): Chosen {
  if (Array.isArray(body)) return { kind: 'keys', keys: checkKeys(body) };
  return parseChosen(asObject(body, ['keys', 'query']), limits);
}

interface ChosenBody {
  readonly keys?: unknown;
  readonly query?: unknown;
  readonly data?: unknown;
}

function parseChosen({ keys, query }: ChosenBody, limits: QueryLimits): Chosen {
  if ((keys === undefined) === (query === undefined))
    throw invalidPayload('Exactly one of "keys" and "query" has to say which items are meant.');
  if (keys !== undefined) {
    if (!Array.isArray(keys)) throw invalidPayload('"keys" has to be a list of keys.');
    return { kind: 'keys', keys: checkKeys(keys) };
  }
  return { kind: 'query', parsed: parseQueryObject(query, limits) };
}

function checkKeys(keys: readonly unknown[]): readonly unknown[] {
  if (!keys.every((key) => typeof key === 'string' || typeof key === 'number' || Array.isArray(key)))
    throw invalidPayload('Keys have to be texts or numbers.');
  return keys;
}

function asObject(body: unknown, allowed: readonly string[]): ChosenBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidPayload(`The body has to be a list, or an object with ${allowed.map((name) => `"${name}"`).join(', ')}.`);
  const stray = Object.keys(body).find((key) => !allowed.includes(key));
  if (stray !== undefined)
    throw invalidPayload(`"${stray.slice(0, 40)}" is not allowed beside ${allowed.map((name) => `"${name}"`).join(', ')}.`);
  return body;
}

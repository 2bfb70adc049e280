// Finds the token of a request: in the Authorization header, in the query, or in the session cookie. Header and query together are
// refused. The cookie comes last, because a browser sends it with every request.

import { invalidPayload } from '../../../core/errors/service-error.js';

export interface CarriedTokens {
  /** All Authorization headers, unparsed. */
  readonly authorization: readonly string[];
  /** `access_token` of the parsed query: text, or a list when it was given twice. */
  readonly query: unknown;
  readonly cookie: string | undefined;
}

export interface PlacedToken {
  readonly token: string;
  readonly place: 'header' | 'query' | 'cookie';
}

/** null when the request carries no token. */
export function findToken(carried: CarriedTokens): PlacedToken | null {
  const header = readBearer(carried.authorization);
  const query = readQuery(carried.query);
  if (header !== null && query !== null) throw severalTokens();
  if (header !== null) return { token: header, place: 'header' };
  if (query !== null) return { token: query, place: 'query' };
  return carried.cookie === undefined || carried.cookie === '' ? null : { token: carried.cookie, place: 'cookie' };
}

function readBearer(headers: readonly string[]): string | null {
  let found: string | null = null;
  for (const header of headers) {
    const token = /^bearer(?: +(.*))?$/i.exec(header.trim());
    if (token === null) continue;
    if (found !== null) throw severalTokens();
    found = token[1] ?? '';
  }
  return found;
}

/** A value that is not text becomes an empty token, which is refused like an unknown one. */
function readQuery(value: unknown): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value) && value.length > 1) throw severalTokens();
  return typeof value === 'string' ? value : '';
}

const severalTokens = () => invalidPayload('The request carries more than one access token.');

// Where a request carries its token: the header, the query, or the session cookie. One place only; the cookie stands back, because a
// browser sends it unasked.

import { invalidPayload } from '../../core/errors/service-error.js';

export interface CarriedTokens {
  /** Every Authorization header, as sent. */
  readonly authorization: readonly string[];
  /** `access_token` of the query, as parsed: text, or a list when it came twice. */
  readonly query: unknown;
  readonly cookie: string | undefined;
}

export interface PlacedToken {
  readonly token: string;
  readonly place: 'header' | 'query' | 'cookie';
}

/** null: nobody says who they are. */
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

/** A token that is no text opens nothing; it is looked up like any other and not found. */
function readQuery(value: unknown): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value) && value.length > 1) throw severalTokens();
  return typeof value === 'string' ? value : '';
}

const severalTokens = () => invalidPayload('The request carries more than one access token.');

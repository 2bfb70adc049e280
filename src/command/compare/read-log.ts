// The GETs of an access log: the common and combined formats, and logs of JSON lines that name method and url.

import type { Read } from './derive-reads.js';

/** Skips logins, pages for people, and the health of the server, which cannot be compared. */
const left = /^\/(?:auth|admin|websocket|server\/(?:health|ping))(?:[/?]|$)/;

export function readsOfLog(text: string): readonly Read[] {
  const paths = text.split('\n').flatMap((line) => pathOf(line) ?? []);
  return [...new Set(paths.map(withoutToken))]
    .filter((path) => !left.test(path))
    .map((path) => ({
      endpoint: `/${path.split(/[/?]/)[1] ?? ''}`,
      path,
      ...(path.startsWith('/assets/') && path.includes('?') ? { ofContent: 'type' as const } : {}),
    }));
}

function pathOf(line: string): string | null {
  const [, plain] = /"GET (\/\S*) HTTP\/[\d.]+"/.exec(line) ?? [];
  if (plain !== undefined) return plain;
  if (!/"method"\s*:\s*"GET"/.test(line)) return null;
  const [, quoted] = /"(?:url|path|uri)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(line) ?? [];
  const path: unknown = quoted === undefined ? null : JSON.parse(quoted);
  return typeof path === 'string' && path.startsWith('/') ? path : null;
}

/** A token in a URL belongs to the user who sent that request. */
function withoutToken(path: string): string {
  const [place = '', query] = path.split('?', 2);
  if (query === undefined) return place;
  const kept = query.split('&').filter((part) => !part.startsWith('access_token='));
  return kept.length === 0 ? place : `${place}?${kept.join('&')}`;
}

// The client package as an application uses it, with a store for cookies as in a browser.

import { createDirectus, rest, staticToken } from '@directus/sdk';
import { patience } from './patience.js';
import { waitFor } from './run-command.js';
import type { TestService } from './start-service.js';

/** A client with the static token of the administrator. */
export const adminClient = <Schema>(service: TestService) =>
  createDirectus<Schema>(service.url).with(staticToken('tain-test-admin-token')).with(rest());

/** The client waits one second for the answer to its authentication, which a busy machine may exceed; an application connects again. */
export async function connectClient(client: { connect(): Promise<unknown> }): Promise<void> {
  const connected = (): Promise<true | null> =>
    client.connect().then(
      () => true,
      () => null,
    );
  await waitFor(connected, patience, () => 'a connection', 5);
}

export interface CookieJar {
  readonly fetch: typeof fetch;
  readonly names: () => readonly string[];
}

export function makeCookieJar(): CookieJar {
  const cookies = new Map<string, string>();
  const keep = (header: string): void => {
    const [pair = ''] = header.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '' || /max-age=0/i.test(header)) cookies.delete(name);
    else cookies.set(name, value);
  };
  return {
    names: () => [...cookies.keys()],
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
      const response = await fetch(input, { ...init, headers });
      for (const header of response.headers.getSetCookie()) keep(header);
      return response;
    },
  };
}

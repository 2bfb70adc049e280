// Requests to a provider, with limits of time and size. A provider that does not answer, or answers that it is unavailable, counts as away
// (`ProviderAway`).

import type { CustomFetch } from 'openid-client';
import { ProviderAway } from '../provider.js';

const maxBytes = 1024 * 1024;

/** Redirects are not followed: addresses of providers come from the settings and from their discovery documents only. */
export const boundedFetch =
  (provider: string): CustomFetch =>
  async (url, options) => {
    try {
      const response = await fetch(url, options as RequestInit);
      if (response.status >= 500 || response.status === 429) throw new Error(`${new URL(url).origin} answered ${response.status}`);
      const body = await readAtMost(response);
      return new Response(body.length === 0 ? null : body, response);
    } catch (error) {
      throw new ProviderAway(provider, error);
    }
  };

async function readAtMost({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

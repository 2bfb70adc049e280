// Tests whether a provider knows the client, by sending it an invalid code: a provider that accepts the client refuses the code, any other
// refuses the client.

import type { Configuration } from 'openid-client';
import { randomToken } from '../../../secrets/token.js';
import { type Finding, ProviderAway } from '../provider.js';
import type { Package } from './client-auth.js';

/** Includes GitHub's own error codes. */
const ofCode: ReadonlySet<string> = new Set(['invalid_grant', 'bad_verification_code']);
const ofClient: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials']);

const accepted: Finding = { level: 'good', code: 'CLIENT_ACCEPTED', message: 'The provider accepts the client and its secret.' };
const refused: Finding = {
  ...{ level: 'bad', code: 'CLIENT_REFUSED' },
  message: 'The provider refuses the client: CLIENT_ID, CLIENT_SECRET or the way it is sent (CLIENT_TOKEN_ENDPOINT_AUTH_METHOD) is wrong.',
};

export async function probeClient(client: Package, config: Configuration, callback: string): Promise<Finding> {
  const state = randomToken(43);
  const back = new URL(callback);
  back.search = new URLSearchParams({ code: randomToken(43), state, iss: config.serverMetadata().issuer }).toString();
  try {
    await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: randomToken(64), expectedState: state });
  } catch (error) {
    const answer = answerIn(error);
    if (ofCode.has(answer)) return accepted;
    if (ofClient.has(answer)) return refused;
    return unclear(answer);
  }
  return unclear('it accepted an invalid code');
}

const unclear = (answer: string): Finding => ({
  ...{ level: 'doubtful', code: 'CLIENT_UNCLEAR' },
  message: `Whether the provider accepts the client is not clear: ${answer.slice(0, 200)}.`,
});

/** The error code of the provider, or else the message of the package. */
function answerIn(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof ProviderAway) throw at;
    if ('error' in at && typeof at.error === 'string') return at.error;
    // The provider answered with a WWW-Authenticate challenge and no body.
    if ('status' in at && at.status === 401) return 'invalid_client';
    const { cause } = at as { readonly cause?: { readonly body?: { readonly error?: unknown } } };
    if (typeof cause?.body?.error === 'string') return cause.body.error;
  }
  return error instanceof Error ? error.message : String(error);
}

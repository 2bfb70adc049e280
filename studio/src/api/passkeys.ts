// Passkeys in the browser: bytes travel as base64url, the browser wants them as buffers.

import { markSession } from './boot.js';
import { ApiError, request } from './client.js';

/** Browsers have passkeys on secure pages only. */
export const hasPasskeys = (): boolean => isSecureContext && typeof PublicKeyCredential === 'function';

/** Whether the person closed the dialog or let it time out. */
export const wasCancelled = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** This device has a passkey of the account already. */
export const isKnownHere = (error: unknown): boolean => error instanceof DOMException && error.name === 'InvalidStateError';

interface NamedCredential {
  readonly type: 'public-key';
  readonly id: string;
  readonly transports?: AuthenticatorTransport[];
}

type CreationOptions = Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> & {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials: readonly NamedCredential[];
};

type LoginOptions = Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> & { readonly challenge: string };

const alone = { impatient: true, asSelf: true } as const;

/** Asks the browser for a passkey and signs in by it. */
export async function signInByPasskey(
  signal: AbortSignal | null = null,
  mediation: CredentialMediationRequirement = 'optional',
): Promise<void> {
  const { data } = await request<LoginOptions>('POST', '/auth/passkey/options', { body: {}, ...alone });
  const publicKey = { ...data, challenge: toBytes(data.challenge), allowCredentials: [] };
  const credential = await navigator.credentials.get({ publicKey, mediation, ...(signal === null ? {} : { signal }) });
  const { response, ...rest } = named(credential);
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new TypeError('no passkey');
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const signed = {
    clientDataJSON: toText(clientDataJSON),
    authenticatorData: toText(authenticatorData),
    signature: toText(signature),
    ...(userHandle === null ? {} : { userHandle: toText(userHandle) }),
  };
  await request('POST', '/auth/passkey', { body: { response: { ...rest, response: signed }, mode: 'session' }, ...alone });
  markSession('passkey');
}

/** `password`: asked for when the login is not recent. */
export async function addPasskey(name: string, password: string | null): Promise<void> {
  const body = password === null ? {} : { password };
  const { data } = await request<CreationOptions>('POST', '/users/me/passkeys/options', { body });
  const publicKey = {
    ...data,
    challenge: toBytes(data.challenge),
    user: { ...data.user, id: toBytes(data.user.id) },
    excludeCredentials: data.excludeCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
  };
  const { response, ...rest } = named(await navigator.credentials.create({ publicKey }));
  if (!(response instanceof AuthenticatorAttestationResponse)) throw new TypeError('no passkey');
  const made = {
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
    transports: response.getTransports(),
  };
  await request('POST', '/users/me/passkeys', { body: { name, response: { ...rest, response: made } } });
}

function named(credential: Credential | null) {
  if (!(credential instanceof PublicKeyCredential)) throw new TypeError('no passkey');
  const { id, type, response } = credential;
  return { id, rawId: id, type, clientExtensionResults: {}, response };
}

/** A challenge is good for two minutes; a page may stay open for longer. */
const roundMs = 100_000;

/** Offers passkeys where the browser fills in the email address, until `signal` says stop. Does nothing in browsers that cannot. */
export async function offerPasskeys(
  signal: AbortSignal,
  onSignedIn: () => Promise<void>,
  onRefused: (error: unknown) => void,
): Promise<void> {
  if (!hasPasskeys() || (await PublicKeyCredential.isConditionalMediationAvailable?.()) !== true) return;
  while (!signal.aborted) {
    await untilVisible(signal);
    const round = new AbortController();
    const end = () => round.abort();
    signal.addEventListener('abort', end);
    const timer = setTimeout(end, roundMs);
    try {
      await signInByPasskey(round.signal, 'conditional');
      if (!signal.aborted) await onSignedIn();
      return;
    } catch (error) {
      // The passkeys were offered without being asked for, so only refusals of a chosen passkey are shown.
      if (error instanceof ApiError && (error.status === 401 || error.status === 429)) onRefused(error);
      if (signal.aborted || !round.signal.aborted) return;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}

const untilVisible = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (document.visibilityState === 'visible') return resolve();
    const look = () => {
      if (document.visibilityState !== 'visible' && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
  });

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

// Which settings of a provider are secrets. They are stored sealed and answered as asterisks; asterisks that are sent back keep the stored
// value.

import type { WrittenSettings } from './given-settings.js';

export const stars = '**********';

/** TLS options may contain a private key. Client metadata may have any name, so secrets among them are recognised by words in the name. */
const named: ReadonlySet<string> = new Set(['CLIENT_TLS_OPTIONS', 'BIND_PASSWORD', 'SP_PRIVATE_KEY', 'PRIVATE_KEYS']);
const clientSecret = /^CLIENT_.*(?:SECRET|PASSWORD|PASSPHRASE|PRIVATE|JWKS|TOKEN$)/;

export const isSecret = (name: string): boolean => named.has(name) || clientSecret.test(name);

/** Whether the secret is sent to the provider; private keys stay here and only sign. */
export const travels = (name: string): boolean => isSecret(name) && !/PRIVATE|TLS/.test(name);

/** The settings that determine where secrets are sent. */
const receivers = ['ISSUER_URL', 'ACCESS_URL', 'CLIENT_URL'] as const;

/** The first of these settings whose origin has changed; null: secrets go to the same places as before. */
export const movedReceiver = (before: WrittenSettings, after: WrittenSettings): string | null =>
  receivers.find((name) => originOf(before[name]) !== originOf(after[name])) ?? null;

const originOf = (address: string | undefined): string | null => {
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
};

export const concealed = (written: WrittenSettings): WrittenSettings =>
  Object.fromEntries(Object.entries(written).map(([name, value]) => [name, isSecret(name) ? stars : value]));

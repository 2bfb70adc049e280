// Which settings of a provider are secrets. They are kept sealed and never answered; what is answered instead stands for them when it comes back.

import type { WrittenSettings } from './given-settings.js';

export const stars = '**********';

/** Options of TLS may hold a private key; among further facts of a client, any name may say that it is a secret. */
const named: ReadonlySet<string> = new Set(['CLIENT_TLS_OPTIONS', 'BIND_PASSWORD', 'SP_PRIVATE_KEY']);
const clientSecret = /^CLIENT_.*(?:SECRET|PASSWORD|PASSPHRASE|PRIVATE|JWKS|TOKEN$)/;

export const isSecret = (name: string): boolean => named.has(name) || clientSecret.test(name);

/** Keys sign on this side; the others are sent to the provider. */
export const travels = (name: string): boolean => isSecret(name) && !/PRIVATE|TLS/.test(name);

/** Those that name who gets the secrets. */
const receivers = ['ISSUER_URL', 'ACCESS_URL', 'CLIENT_URL'] as const;

/** The first of them that leads to another place than before; null: the secrets stay where they were. */
export const movedReceiver = (before: WrittenSettings, after: WrittenSettings): string | null =>
  receivers.find((name) => originOf(before[name]) !== originOf(after[name])) ?? null;

const originOf = (address: string | undefined): string | null => {
  if (address === undefined || !URL.canParse(address)) return null;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`;
};

export const concealed = (written: WrittenSettings): WrittenSettings =>
  Object.fromEntries(Object.entries(written).map(([name, value]) => [name, isSecret(name) ? stars : value]));

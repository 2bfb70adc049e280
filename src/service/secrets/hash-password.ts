// Passwords as argon2id texts. Whoever has none costs the same work as whoever has one, so that time tells nothing about accounts.

import { hash, verify } from '@node-rs/argon2';

/** OWASP's figures for argon2id; every stored text names its own, so they may change without a migration. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** True when the password belongs to the stored text; false for no stored text, after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const readable = stored !== null && isPasswordHash(stored);
  const matches = await verify(readable ? stored : await noPassword(), password);
  return readable && matches;
}

export const isPasswordHash = (text: string): boolean =>
  /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(text);

let dummy: Promise<string> | null = null;

/** A text no password was chosen for, made once per process. Call it at start: the first unknown user must not wait longer. */
export function noPassword(): Promise<string> {
  dummy ??= hashPassword(crypto.randomUUID());
  return dummy;
}

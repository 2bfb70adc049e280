// Passwords, hashed with argon2id. An account without a password takes the same work as one with a password, so that the time of an answer
// does not reveal which accounts exist.

/** OWASP's parameters for argon2id. Each hash states its own, so that they can change without a migration. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash in the usual form that no password is known to have. It is compared with where an account has none. */
const unmatchable = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Loaded with the first password. */
const argon2 = () => import('@node-rs/argon2');

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, cost);

/** True when the password matches the stored hash. Without a readable hash it returns false after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const readable = stored !== null && isPasswordHash(stored);
  const { verify } = await argon2();
  const matches = await verify(readable ? stored : unmatchable, password);
  return readable && matches;
}

const isPasswordHash = (text: string): boolean =>
  /^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(text);

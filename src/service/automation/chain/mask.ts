// What of a run is kept without its secrets: values under names that hold secrets, wherever they are, and the same values wherever else an
// operation has copied them.

const mask = '--redacted--';

/** Whether something of the value was masked when it was kept. */
export const isMasked = (value: unknown): boolean => JSON.stringify(value ?? null).includes(mask);

const secretName =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|access_token|refresh_token|password|passwd|secret|client_secret|token|tfa_secret|external_identifier|auth_data|credentials|private_key|otp)$/i;

/** Shorter texts occur by chance in others. */
const leastLength = 6;
/** More than this many secrets of one run are masked by their names only. */
const mostSecrets = 200;

/** `further`: secrets known from elsewhere. Names of an operation's own options are no secrets: only their values may be. */
export function maskSecrets(value: unknown, further: readonly string[] = []): unknown {
  const secrets = new Set(further.filter((text) => text.length >= leastLength));
  collect(value, false, secrets);
  const texts = [...secrets].sort((one, other) => other.length - one.length);
  return masked(value, texts);
}

function collect(value: unknown, isSecret: boolean, secrets: Set<string>): void {
  if (typeof value === 'string') {
    if (isSecret && secrets.size < mostSecrets) for (const text of partsOf(value)) if (text.length >= leastLength) secrets.add(text);
  } else if (Array.isArray(value)) for (const entry of value) collect(entry, isSecret, secrets);
  else if (typeof value === 'object' && value !== null)
    for (const [name, entry] of Object.entries(value)) collect(entry, isSecret || secretName.test(name), secrets);
}

/** The credentials of an Authorization header are secret without the name of their scheme, too. */
function partsOf(text: string): readonly string[] {
  const [, credentials] = /^(?:Bearer|Basic|Token) +(.+)$/i.exec(text) ?? [];
  return credentials === undefined ? [text] : [text, credentials];
}

function masked(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return secrets.reduce((text, secret) => text.replaceAll(secret, mask), value);
  if (Array.isArray(value)) return value.map((entry) => masked(entry, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, hides(name, entry) ? mask : masked(entry, secrets)] as const);
  return Object.fromEntries(entries);
}

const hides = (name: string, value: unknown): boolean => secretName.test(name) && value !== null && value !== undefined;

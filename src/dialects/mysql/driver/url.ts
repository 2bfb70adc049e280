// Parses the connection string: `mysql://user:password@host:port/database?ssl=true`, or the same with `mariadb://`.

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly socketPath: string | null;
  /** verify: encrypted, with a check of the certificate; encrypt: encrypted without it (`?ssl=no-verify`). */
  readonly tls: 'off' | 'encrypt' | 'verify';
}

const parameters = ['ssl', 'socketPath'];
const tlsModes: Readonly<Record<string, Endpoint['tls']>> = { true: 'verify', 'no-verify': 'encrypt', false: 'off' };

export function parseUrl(text: string): Endpoint {
  const url = readUrl(text);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw new Error('The database url names no database: expected mysql://user@host:3306/database');
  for (const name of url.searchParams.keys()) {
    if (!parameters.includes(name)) throw new Error(`Unknown parameter "${name}" in the database url: expected ${parameters.join(' or ')}`);
  }
  return {
    host: url.hostname === '' ? 'localhost' : url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    socketPath: url.searchParams.get('socketPath'),
    tls: readTls(url.searchParams.get('ssl')),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The URL may contain a password, so the message must not quote it.
  if (url === null || !['mysql:', 'mariadb:'].includes(url.protocol))
    throw new Error('The database url is not of the form mysql://user@host:3306/database');
  return url;
}

function readTls(value: string | null): Endpoint['tls'] {
  const mode = tlsModes[value ?? 'false'];
  if (mode === undefined) throw new Error(`Unknown value "${value}" of ssl in the database url: expected true, no-verify or false`);
  return mode;
}

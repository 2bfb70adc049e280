// Flags, environment and an optional .env file become one Config, validated once. Every setting and every default is in this table;
// `--help` and the table in the README are made from it.

import * as kinds from './setting-kinds.js';

const { bytes, choice, duration, email, integer, list, onOff, optional, orOff, text, url } = kinds;

interface Setting<T> {
  /** Name in the environment; the flag is the same in kebab-case. */
  readonly name: string;
  readonly kind: kinds.Kind<T>;
  /** As it would be written; null: not set. */
  readonly default: string | null;
  readonly about: string;
}

const setting = <T>(name: string, kind: kinds.Kind<T>, preset: string | null, about: string): Setting<T> => ({
  name,
  kind,
  default: preset,
  about,
});

export const settings = {
  databaseUrl: setting(
    'DATABASE_URL',
    text,
    'sqlite:./tain.db',
    'sqlite:./file.db, postgres://user:password@host/database or mysql://user:password@host/database',
  ),
  host: setting('HOST', text, '127.0.0.1', 'address to listen on'),
  port: setting('PORT', integer(0, 65_535), '8055', 'port to listen on; 0 takes a free one'),
  publicUrl: setting('PUBLIC_URL', optional(url('http:', 'https:')), null, 'address under which clients reach the service; used in mails'),
  adminEmail: setting('ADMIN_EMAIL', email, 'admin@example.com', 'the administrator made at the first start'),
  adminPassword: setting('ADMIN_PASSWORD', optional(text), null, 'their password; made up and shown once when not set'),
  adminToken: setting('ADMIN_TOKEN', optional(text), null, 'a static token for that administrator'),
  secret: setting('SECRET', optional(text), null, 'signs tokens; made up and kept in the database when not set'),
  accessTokenTtl: setting('ACCESS_TOKEN_TTL', duration, '15m', 'life of an access token'),
  refreshTokenTtl: setting('REFRESH_TOKEN_TTL', duration, '7d', 'life of a refresh token'),
  sessionTtl: setting('SESSION_TTL', duration, '1d', 'life of a session cookie'),
  cookieSecure: setting('COOKIE_SECURE', onOff, 'off', 'send cookies over HTTPS only'),
  allowedUrls: setting('ALLOWED_URLS', list, '', 'addresses that mails may link to (password reset, invitation), besides PUBLIC_URL'),
  corsOrigin: setting('CORS_ORIGIN', list, '', 'origins that may call from a browser; * for any'),
  trustProxy: setting('TRUST_PROXY', kinds.trustProxy, 'off', 'believe X-Forwarded-* of: off, on, a number of hops, or addresses'),
  rateLimit: setting('RATE_LIMIT', orOff(integer(1, 1_000_000)), '50', 'requests per second and caller, or off'),
  bodyLimit: setting('BODY_LIMIT', bytes, '1MB', 'largest JSON body'),
  bodyTimeout: setting('BODY_TIMEOUT', duration, '15s', 'time a JSON body may take to arrive'),
  uploadLimit: setting('UPLOAD_LIMIT', bytes, '100MB', 'largest uploaded file'),
  queryLimitDefault: setting('QUERY_LIMIT_DEFAULT', integer(1, 1_000_000), '100', 'items of a page when the request does not say'),
  queryLimitMax: setting('QUERY_LIMIT_MAX', orOff(integer(1, 1_000_000_000)), 'off', 'most items a request may ask for'),
  queryDepth: setting('QUERY_DEPTH', integer(1, 30), '10', 'relational levels of a query'),
  poolSize: setting('POOL_SIZE', integer(1, 200), '8', 'database connections of one process'),
  statementTimeout: setting('STATEMENT_TIMEOUT', duration, '30s', 'longest time of one statement'),
  systemSchema: setting('SYSTEM_SCHEMA', optional(text), null, 'PostgreSQL: schema of the service_ tables, when not beside the data'),
  sqliteMap: setting(
    'SQLITE_MAP',
    bytes,
    '24MB',
    'SQLite: how much of the file each of its readers maps; more is faster where pages are many',
  ),
  history: setting('HISTORY', onOff, 'on', 'keep activity and revisions'),
  historyRetention: setting('HISTORY_RETENTION', orOff(duration), '365d', 'age at which activity and revisions are deleted, or off'),
  mailUrl: setting(
    'MAIL_URL',
    optional(url('smtp:', 'smtps:')),
    null,
    'smtp://user:password@host:port; without it mails are written to the log',
  ),
  mailFrom: setting('MAIL_FROM', text, 'no-reply@example.com', 'sender of mails'),
  storageRoot: setting('STORAGE_ROOT', text, './uploads', 'folder of uploaded files'),
  storageUrl: setting(
    'STORAGE_URL',
    optional(url('s3:')),
    null,
    's3://key:secret@bucket/prefix?region=…&endpoint=…; new files go there (needs the package @aws-sdk/client-s3)',
  ),
  importTimeout: setting('IMPORT_TIMEOUT', duration, '60s', 'time that fetching a file from elsewhere may take'),
  importAllow: setting('IMPORT_ALLOW', list, '', 'addresses or blocks files may be fetched from although they are not public'),
  redisUrl: setting('REDIS_URL', optional(url('redis:', 'rediss:')), null, 'shares rate limits between processes'),
  workers: setting('WORKERS', integer(1, 64), '1', 'processes that serve'),
  serverTiming: setting('SERVER_TIMING', onOff, 'on', 'tell administrators the time of each stage'),
  logLevel: setting('LOG_LEVEL', choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'debug logs every request'),
} as const;

type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };
export type Variables = Readonly<Record<string, string | undefined>>;

/** One line for each value that cannot be used. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/** `given` (an embedding application, or flags already read) wins over the variables, they win over the defaults. */
export function readConfig(variables: Variables, given: Partial<Config> = {}): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, entry]) => [key, readSetting(entry, variables[entry.name], problems)] as const);
  if (problems.length > 0) throw new ConfigError(problems);
  // The table has exactly the keys of Config, each with the parser of its type.
  return { ...(Object.fromEntries(entries) as unknown as Config), ...withoutUndefined(given) };
}

function readSetting(entry: Setting<unknown>, written: string | undefined, problems: string[]): unknown {
  const value = written === undefined || written === '' ? entry.default : written;
  try {
    return value === null ? null : entry.kind.parse(value);
  } catch {
    problems.push(`${entry.name}: "${isSecret(entry.name) ? '…' : value}" is not ${entry.kind.wanted}`);
    return null;
  }
}

const isSecret = (name: string): boolean => /PASSWORD|TOKEN$|SECRET|_URL$/.test(name);

const withoutUndefined = (given: Partial<Config>): Partial<Config> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

export const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

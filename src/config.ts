// The settings: one table with every name, kind, default and description, from which `--help` and the table of docs/settings.md are made. Flags,
// environment and an optional .env file become one validated Config.

import * as kinds from './core/util/setting-kinds.js';
import { type ProviderVariables, readProviders } from './service/auth/providers/settings/read-settings.js';

const { basePath, bytes, choice, database, databases, domain, duration, email, integer, list, onOff, optional, orOff, secret, text, url } =
  kinds;

interface Setting<T> {
  /** The name in the environment; the flag is the same name in kebab-case. */
  readonly name: string;
  readonly kind: kinds.Kind<T>;
  /** In the form in which a user would write it; null: not set. */
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
    database,
    'sqlite:./tain.db',
    'sqlite:./file.db, postgres://user:password@host/database or mysql://user:password@host/database; several hosts: host1,host2:5433',
  ),
  systemDatabaseUrl: setting(
    'SYSTEM_DATABASE_URL',
    optional(database),
    null,
    'another database for the service_ tables: DATABASE_URL is then only read',
  ),
  databaseReadUrls: setting(
    'DATABASE_READ_URLS',
    databases,
    '',
    'PostgreSQL, MariaDB: replicas of DATABASE_URL, separated by commas, that answer reads of items (docs/scale.md)',
  ),
  replicaWait: setting(
    'REPLICA_WAIT',
    duration,
    '100ms',
    'how long a read after a write waits for a replica before the primary answers it',
  ),
  replicaLag: setting('REPLICA_LAG', duration, '10s', 'a replica that is further behind answers nothing'),
  host: setting('HOST', text, '127.0.0.1', 'address to listen on'),
  port: setting('PORT', integer(0, 65_535), '8055', 'port to listen on; 0 takes a free one'),
  publicUrl: setting('PUBLIC_URL', optional(url('http:', 'https:')), null, 'address under which clients reach the service; used in mails'),
  basePath: setting(
    'BASE_PATH',
    basePath,
    '',
    'path that a proxy leaves in the URLs it passes on, such as /data; PUBLIC_URL then ends with it (docs/scale.md)',
  ),
  adminEmail: setting('ADMIN_EMAIL', email, 'admin@example.com', 'the administrator made at the first start'),
  adminPassword: setting('ADMIN_PASSWORD', optional(text), null, 'their password; made up and shown once when not set'),
  adminToken: setting('ADMIN_TOKEN', optional(text), null, 'a static token for that administrator'),
  secret: setting('SECRET', optional(secret), null, 'signs tokens, at least 16 characters; made up and kept in the database when not set'),
  accessTokenTtl: setting('ACCESS_TOKEN_TTL', duration, '15m', 'life of an access token'),
  refreshTokenTtl: setting('REFRESH_TOKEN_TTL', duration, '7d', 'life of a refresh token'),
  sessionTtl: setting('SESSION_TTL', duration, '1d', 'life of a session cookie'),
  cookieSecure: setting('COOKIE_SECURE', onOff, 'off', 'send cookies over HTTPS only'),
  cookieSameSite: setting(
    'COOKIE_SAME_SITE',
    choice('lax', 'strict', 'none'),
    'lax',
    'when browsers send cookies along from pages of other sites; none needs COOKIE_SECURE',
  ),
  cookieDomain: setting('COOKIE_DOMAIN', optional(domain), null, 'domain whose hosts share the cookies; without it, this host alone'),
  allowedUrls: setting(
    'ALLOWED_URLS',
    list,
    '',
    'addresses that mails may link to (password reset, invitation, shares), besides PUBLIC_URL',
  ),
  authProviders: setting('AUTH_PROVIDERS', list, '', 'names of providers to log in by; AUTH_<NAME>_… configures each (docs/sign-on.md)'),
  authDisableDefault: setting('AUTH_DISABLE_DEFAULT', onOff, 'off', 'refuse logins by email and password'),
  authAllowedPublicUrls: setting(
    'AUTH_ALLOWED_PUBLIC_URLS',
    list,
    '',
    'further addresses of the service to which providers may send browsers back, besides PUBLIC_URL',
  ),
  corsOrigin: setting('CORS_ORIGIN', list, '', 'origins that may call from a browser; * for any'),
  trustProxy: setting('TRUST_PROXY', kinds.trustProxy, 'off', 'believe X-Forwarded-* of: off, on, a number of hops, or addresses'),
  rateLimit: setting('RATE_LIMIT', orOff(integer(1, 1_000_000)), '50', 'requests per second and caller, or off'),
  bodyLimit: setting('BODY_LIMIT', bytes, '1MB', 'largest JSON body'),
  bodyTimeout: setting('BODY_TIMEOUT', duration, '15s', 'time a JSON body may take to arrive'),
  uploadLimit: setting('UPLOAD_LIMIT', bytes, '100MB', 'largest uploaded file'),
  queryLimitDefault: setting('QUERY_LIMIT_DEFAULT', integer(1, 1_000_000), '100', 'items of a page when the request does not say'),
  queryLimitMax: setting('QUERY_LIMIT_MAX', orOff(integer(1, 1_000_000_000)), 'off', 'most items a request may ask for'),
  maxBatchMutation: setting(
    'MAX_BATCH_MUTATION',
    orOff(integer(1, 1_000_000_000)),
    'off',
    'most items one write may create, change or delete, nested ones included',
  ),
  queryDepth: setting('QUERY_DEPTH', integer(1, 30), '10', 'relational levels of a query'),
  poolSize: setting('POOL_SIZE', integer(1, 200), '12', 'database connections of one process; three quarters of them for one table'),
  pooler: setting(
    'POOLER',
    choice('auto', 'transaction', 'off'),
    'auto',
    'PostgreSQL: a pooler such as PgBouncer runs each transaction in another session: transaction, off, or found out at the start',
  ),
  poolTimeout: setting('POOL_TIMEOUT', duration, '2s', 'longest wait for a free database connection'),
  lockTimeout: setting('LOCK_TIMEOUT', duration, '2s', 'PostgreSQL, MariaDB: longest wait for a lock that another transaction holds'),
  silenceTimeout: setting(
    'SILENCE_TIMEOUT',
    duration,
    '2s',
    'PostgreSQL, MariaDB: how long the server may give no sign of life while statements wait for it',
  ),
  healthTimeout: setting('HEALTH_TIMEOUT', duration, '2s', 'time in which the database has to answer the health check'),
  statementTimeout: setting('STATEMENT_TIMEOUT', duration, '30s', 'longest time of one statement'),
  wire: setting(
    'WIRE',
    optional(choice('tain', 'directus')),
    null,
    'names and forms of answers: tain is the specification, directus is the form that its clients know; kept with the database (docs/moving.md)',
  ),
  systemSchema: setting('SYSTEM_SCHEMA', optional(text), null, 'PostgreSQL: schema of the service_ tables, when not beside the data'),
  sqliteMap: setting(
    'SQLITE_MAP',
    bytes,
    '24MB',
    'SQLite: how much of the file each of its readers maps; more is faster where pages are many',
  ),
  sqliteJournal: setting(
    'SQLITE_JOURNAL',
    choice('keep', 'wal'),
    'keep',
    'SQLite: keep the journal mode of a file that was found (new files get WAL), or switch it to wal, where reads and writes do not wait for each other',
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
  storageNames: setting(
    'STORAGE_NAMES',
    list,
    'local,s3',
    'what `storage` says in files of the folder, and of the bucket; another server may have named them otherwise',
  ),
  publicTransformations: setting(
    'PUBLIC_TRANSFORMATIONS',
    choice('presets', 'all'),
    'presets',
    'images for callers without a token: named presets only, or all that the settings of the project allow',
  ),
  importTimeout: setting('IMPORT_TIMEOUT', duration, '60s', 'time that fetching a file from elsewhere may take'),
  importAllow: setting('IMPORT_ALLOW', list, '', 'addresses or blocks files may be fetched from although they are not public'),
  flowsEnvAllowList: setting('FLOWS_ENV_ALLOW_LIST', list, '', 'names of environment variables that flows may read as $env'),
  extensions: setting('EXTENSIONS', list, '', 'files, folders and packages of extensions to load at the start (docs/extensions.md)'),
  extensionsStrict: setting(
    'EXTENSIONS_STRICT',
    onOff,
    'on',
    'off: an extension that cannot be loaded is left out, where else the start ends',
  ),
  mcp: setting('MCP', onOff, 'on', 'serve assistants at /mcp, by the Model Context Protocol (docs/agents.md)'),
  websockets: setting('WEBSOCKETS', onOff, 'on', 'serve WebSockets at /websocket and subscriptions at /graphql'),
  websocketsAuth: setting(
    'WEBSOCKETS_AUTH',
    choice('handshake', 'public', 'strict'),
    'handshake',
    'when a WebSocket client authenticates: with its first message, any time or never, or with the upgrade',
  ),
  websocketsAuthTimeout: setting('WEBSOCKETS_AUTH_TIMEOUT', duration, '10s', 'time to authenticate, also after a token has expired'),
  websocketsHeartbeat: setting('WEBSOCKETS_HEARTBEAT', orOff(duration), '30s', 'how often the service asks for a sign of life, or off'),
  realtimeConnections: setting('REALTIME_CONNECTIONS', integer(1, 1_000_000), '10000', 'WebSockets and event streams of one process'),
  realtimeSubscriptions: setting('REALTIME_SUBSCRIPTIONS', integer(1, 100_000), '100', 'subscriptions of one connection'),
  realtimeUserConnections: setting(
    'REALTIME_USER_CONNECTIONS',
    integer(1, 1_000_000),
    '1000',
    'WebSockets and event streams of one user in one process; the public counts by address',
  ),
  realtimeUserSubscriptions: setting(
    'REALTIME_USER_SUBSCRIPTIONS',
    integer(1, 1_000_000),
    '10000',
    'subscriptions of all connections of one user in one process; the public counts by address',
  ),
  realtimeUserLists: setting('REALTIME_USER_LISTS', integer(1, 5_000), '500', 'different lists that one user follows in one process'),
  realtimeQueue: setting('REALTIME_QUEUE', bytes, '1MB', 'data that may wait for a slow client before it is dropped'),
  realtimeUserWaiting: setting(
    'REALTIME_USER_WAITING',
    bytes,
    '32MB',
    'data that may wait for the slow clients of one user in one process',
  ),
  realtimeWaiting: setting('REALTIME_WAITING', bytes, '256MB', 'data that may wait for all slow clients of a process'),
  realtimeItems: setting(
    'REALTIME_ITEMS',
    integer(0, 10_000_000),
    '10000',
    'items remembered per different subscription, 200 bytes each; of longer lists only those that were sent',
  ),
  realtimeKeep: setting('REALTIME_KEEP', duration, '10m', 'how long a client that was cut off can come back and miss nothing'),
  realtimeWatch: setting('REALTIME_WATCH', onOff, 'on', 'while somebody subscribes, watch for what other programs write'),
  redisUrl: setting(
    'REDIS_URL',
    optional(url('redis:', 'rediss:')),
    null,
    'shares rate limits and messages for subscribers between processes',
  ),
  workers: setting('WORKERS', integer(1, 64), '1', 'processes that serve'),
  admin: setting('ADMIN', onOff, 'on', 'serve Studio, the admin application, at /admin'),
  serverTiming: setting('SERVER_TIMING', onOff, 'off', 'send administrators the time of each stage in the header Server-Timing'),
  metrics: setting('METRICS', onOff, 'off', 'measure requests and stages for /metrics, which administrators may read'),
  traces: setting(
    'TRACES',
    onOff,
    'off',
    'spans of OpenTelemetry for requests and stages; needs @opentelemetry/api and an SDK (docs/scale.md)',
  ),
  slowStatement: setting(
    'SLOW_STATEMENT',
    orOff(duration),
    'off',
    'log statements that take this long: SQL without values of requests, duration, plan of a read, collections, request id; at most 20 in 10 seconds',
  ),
  drainTime: setting(
    'DRAIN_TIME',
    duration,
    '0s',
    'how long /server/ready says no before the service ends, so that a balancer sends its requests elsewhere',
  ),
  logLevel: setting('LOG_LEVEL', choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info', 'debug logs every request'),
} as const;

type Settings = typeof settings;
export type Config = { readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never } & {
  /** AUTH_<NAME>_… of the providers, as they are written. */
  readonly authVariables: ProviderVariables;
};
export type Variables = Readonly<Record<string, string | undefined>>;

/** Has one line for each setting that cannot be used. */
export class ConfigError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigError';
    this.lines = lines;
  }
}

/**
 * `given` (by an embedding application) overrides the variables, and these override the defaults. Texts in `given` are checked against
 * their kind; its other values have types that the compiler has checked.
 */
export function readConfig(variables: Variables, given: Partial<Config> = {}): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([key, entry]) => [key, readSetting(entry, variables[entry.name], problems)] as const);
  const chosen = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [key, value] of chosen) checkGiven(key, value, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  // Sound because the table has exactly the keys of Config, each with a parser of its type.
  const config = {
    authVariables: authVariables(variables),
    ...Object.fromEntries(entries),
    ...Object.fromEntries(chosen),
  } as unknown as Config;
  readProviders(config.authProviders, config.authVariables, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  if (config.systemDatabaseUrl === config.databaseUrl)
    throw new ConfigError([
      'SYSTEM_DATABASE_URL: names the database of DATABASE_URL; leave it out, the tables of the service are there anyway',
    ]);
  checkReplicas(config);
  if (config.cookieSameSite === 'none' && !config.cookieSecure)
    throw new ConfigError(['COOKIE_SAME_SITE: "none" needs COOKIE_SECURE=on, as browsers refuse such cookies otherwise']);
  return config;
}

const vendorOf = (address: string): string =>
  /^(postgres|mysql|mariadb)/i.exec(address)?.[1]?.toLowerCase().replace('mariadb', 'mysql') ?? '';

function checkReplicas({ databaseUrl, databaseReadUrls, systemDatabaseUrl }: Config): void {
  if (databaseReadUrls.length === 0) return;
  if (systemDatabaseUrl !== null)
    throw new ConfigError([
      'DATABASE_READ_URLS: not with SYSTEM_DATABASE_URL, where DATABASE_URL is only read: it can name a replica itself',
    ]);
  if (vendorOf(databaseUrl) === '' || databaseReadUrls.some((address) => vendorOf(address) !== vendorOf(databaseUrl)))
    throw new ConfigError(['DATABASE_READ_URLS: replicas are of the same kind as DATABASE_URL, which is PostgreSQL or MariaDB']);
}

/** Which of them belong to a provider is known once all providers are. */
const authVariables = (variables: Variables): ProviderVariables =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (/^AUTH_./.test(name) && value !== undefined ? [[name, value] as const] : [])),
  );

function checkGiven(key: string, value: unknown, problems: string[]): void {
  if (key === 'authVariables') return;
  const entry = Object.hasOwn(settings, key) ? settings[key as keyof Settings] : undefined;
  if (entry === undefined) problems.push(`"${key}" is no option of createService; they are: ${Object.keys(settings).join(', ')}`);
  else if (typeof value === 'string') readSetting(entry, value, problems);
}

function readSetting(entry: Setting<unknown>, written: string | undefined, problems: string[]): unknown {
  const value = written === undefined || written === '' ? entry.default : written;
  try {
    return value === null ? null : entry.kind.parse(value);
  } catch {
    problems.push(`${entry.name}: "${shown(entry.name, value ?? '')}" is not ${entry.kind.wanted}`);
    return null;
  }
}

/** Keeps secrets, and addresses that may contain a password, out of messages. */
const shown = (name: string, value: string): string =>
  /PASSWORD|TOKEN$|SECRET/.test(name) || (/_URLS?$/.test(name) && value.includes('@')) ? '…' : value;

/** The address of a database for messages. */
export const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@]*@/, '$1:…@');

export const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

// Translates the settings of Directus into settings of the service. Every variable of the file becomes a setting, is listed as not needed,
// or is reported as having no counterpart.

import { resolve } from 'node:path';
import { ConfigError, settings as known, readConfig } from '../../config.js';
import * as forms from './forms.js';
import type { PeerVariables } from './read-variables.js';

export interface TranslatedSettings {
  readonly settings: ReadonlyMap<string, string>;
  /** One line for each variable that has no counterpart, with the reason if there is one. */
  readonly unmatched: readonly string[];
}

/** Tracks which variables were read: those that no translation has taken have no counterpart. */
interface Source {
  take(name: string): string | undefined;
  note(name: string, why: string): void;
  readonly folder: string;
}

type Translation = (source: Source) => Readonly<Record<string, string | null | undefined>>;

/** One variable each: its name here, and its form. */
const plain: readonly (readonly [from: string, to: string, form: (written: string) => string | null])[] = [
  ['PORT', 'PORT', forms.asIs],
  ['PUBLIC_URL', 'PUBLIC_URL', (url) => (/^https?:\/\//.test(url) ? url : null)],
  ['SECRET', 'SECRET', forms.asIs],
  ['LOG_LEVEL', 'LOG_LEVEL', forms.asIs],
  ['IP_TRUST_PROXY', 'TRUST_PROXY', forms.asIs],
  ['ACCESS_TOKEN_TTL', 'ACCESS_TOKEN_TTL', forms.toDuration],
  ['REFRESH_TOKEN_TTL', 'REFRESH_TOKEN_TTL', forms.toDuration],
  ['SESSION_COOKIE_TTL', 'SESSION_TTL', forms.toDuration],
  ['MAX_PAYLOAD_SIZE', 'BODY_LIMIT', forms.toBytes],
  ['FILES_MAX_UPLOAD_SIZE', 'UPLOAD_LIMIT', forms.toBytes],
  ['QUERY_LIMIT_DEFAULT', 'QUERY_LIMIT_DEFAULT', forms.asIs],
  ['QUERY_LIMIT_MAX', 'QUERY_LIMIT_MAX', forms.toLimit],
  ['MAX_BATCH_MUTATION', 'MAX_BATCH_MUTATION', forms.toLimit],
  ['MAX_RELATIONAL_DEPTH', 'QUERY_DEPTH', forms.asIs],
  ['IMPORT_TIMEOUT', 'IMPORT_TIMEOUT', forms.toDuration],
  ['SERVE_APP', 'ADMIN', forms.toOnOff],
  ['EMAIL_FROM', 'MAIL_FROM', forms.asIs],
  ['WEBSOCKETS_ENABLED', 'WEBSOCKETS', forms.toOnOff],
  ['WEBSOCKETS_REST_AUTH', 'WEBSOCKETS_AUTH', forms.asIs],
  ['WEBSOCKETS_REST_AUTH_TIMEOUT', 'WEBSOCKETS_AUTH_TIMEOUT', forms.toSeconds],
  ['WEBSOCKETS_REST_CONN_LIMIT', 'REALTIME_CONNECTIONS', forms.asIs],
  ['DB_POOL__MAX', 'POOL_SIZE', forms.asIs],
  ['FLOWS_ENV_ALLOW_LIST', 'FLOWS_ENV_ALLOW_LIST', forms.asIs],
];

const plainSettings: Translation = (source) =>
  Object.fromEntries(
    plain.flatMap(([from, to, form]) => {
      const written = source.take(from);
      if (written === undefined) return [];
      const value = form(written);
      if (value === null) source.note(from, `"${written}" is not taken for ${to}`);
      return value === null ? [] : [[to, value]];
    }),
  );

/** Directus listens on every address by default. */
const host: Translation = (source) => ({ HOST: source.take('HOST') ?? '0.0.0.0' });

const address = (scheme: string, host: string, { user, password, port, path = '' }: Partial<Record<string, string>>): string => {
  const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`;
  const who = user === undefined && secret === '' ? '' : `${encodeURIComponent(user ?? '')}${secret}@`;
  return `${scheme}://${who}${host}${port === undefined ? '' : `:${port}`}${path}`;
};

const schemes: Readonly<Record<string, string>> = {
  pg: 'postgres',
  postgres: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'mysql',
};

const database: Translation = (source) => {
  const client = source.take('DB_CLIENT');
  const file = source.take('DB_FILENAME');
  const given = source.take('DB_CONNECTION_STRING');
  const [name, user, password, port] = ['DB_DATABASE', 'DB_USER', 'DB_PASSWORD', 'DB_PORT'].map((one) => source.take(one));
  const server = source.take('DB_HOST') ?? 'localhost';
  if (client === undefined) return {};
  if (client === 'sqlite3') return { DATABASE_URL: file === undefined ? null : `sqlite:${resolve(source.folder, file)}` };
  const scheme = schemes[client];
  if (scheme === undefined) {
    source.note('DB_CLIENT', `there is no "${client}" here; PostgreSQL, MariaDB, MySQL and SQLite can be served`);
    return {};
  }
  const path = `/${encodeURIComponent(name ?? '')}`;
  return { DATABASE_URL: given ?? address(scheme, server, { ...defined({ user, password, port }), path }) };
};

const defined = (values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));

/** The service has one set of flags for both kinds of cookies. */
const cookies: Translation = (source) => {
  const either = (ending: string): string | undefined => {
    const [refresh, session] = ['REFRESH_TOKEN_COOKIE', 'SESSION_COOKIE'].map((kind) => source.take(`${kind}_${ending}`));
    return session ?? refresh;
  };
  const [secure, sameSite, domain] = ['SECURE', 'SAME_SITE', 'DOMAIN'].map(either);
  return {
    COOKIE_SECURE: secure === undefined ? undefined : forms.toOnOff(secure),
    COOKIE_SAME_SITE: sameSite === undefined || /^(?:true|false)$/.test(sameSite) ? undefined : sameSite,
    COOKIE_DOMAIN: domain,
  };
};

/** Directus allows other origins only with CORS_ENABLED; allowed headers and methods cannot be configured here. */
const cors: Translation = (source) => {
  const enabled = forms.isTrue(source.take('CORS_ENABLED'));
  const origin = source.take('CORS_ORIGIN') ?? 'true';
  for (const name of ['METHODS', 'ALLOWED_HEADERS', 'EXPOSED_HEADERS', 'CREDENTIALS', 'MAX_AGE']) source.take(`CORS_${name}`);
  if (!enabled || /^false$/i.test(origin)) return {};
  return { CORS_ORIGIN: /^true$/i.test(origin) ? '*' : origin };
};

const rateLimit: Translation = (source) => {
  const enabled = source.take('RATE_LIMITER_ENABLED');
  const points = Number(source.take('RATE_LIMITER_POINTS') ?? 50);
  const seconds = Number(source.take('RATE_LIMITER_DURATION') ?? 1);
  source.take('RATE_LIMITER_STORE');
  if (enabled === undefined) return {};
  return { RATE_LIMIT: forms.isTrue(enabled) ? String(Math.max(1, Math.round(points / seconds)) || 50) : 'off' };
};

const redis: Translation = (source) => {
  const enabled = source.take('REDIS_ENABLED');
  const url = source.take('REDIS');
  const server = source.take('REDIS_HOST');
  const [port, user, password] = ['REDIS_PORT', 'REDIS_USERNAME', 'REDIS_PASSWORD'].map((name) => source.take(name));
  if (enabled !== undefined && !forms.isTrue(enabled)) return {};
  return { REDIS_URL: url ?? (server === undefined ? undefined : address('redis', server, defined({ port, user, password }))) };
};

const mail: Translation = (source) => {
  const transport = source.take('EMAIL_TRANSPORT') ?? 'sendmail';
  const server = source.take('EMAIL_SMTP_HOST');
  const [port, user, password] = ['EMAIL_SMTP_PORT', 'EMAIL_SMTP_USER', 'EMAIL_SMTP_PASSWORD'].map((name) => source.take(name));
  const secure = forms.isTrue(source.take('EMAIL_SMTP_SECURE')) || port === '465';
  source.take('EMAIL_VERIFY_SETUP');
  if (transport === 'smtp' && server !== undefined)
    return { MAIL_URL: address(secure ? 'smtps' : 'smtp', server, defined({ port, user, password })) };
  if (transport !== 'sendmail') source.note('EMAIL_TRANSPORT', `mails are sent by SMTP only, not by "${transport}"`);
  return {};
};

const allowedUrls: Translation = (source) => {
  const lists = ['PASSWORD_RESET', 'USER_INVITE', 'USER_REGISTER'].flatMap(
    (kind) => source.take(`${kind}_URL_ALLOW_LIST`)?.split(',') ?? [],
  );
  const urls = [...new Set(lists.map((url) => url.trim()).filter((url) => url !== ''))];
  return { ALLOWED_URLS: urls.length === 0 ? undefined : urls.join(',') };
};

const heartbeat: Translation = (source) => {
  const enabled = source.take('WEBSOCKETS_HEARTBEAT_ENABLED');
  const period = source.take('WEBSOCKETS_HEARTBEAT_PERIOD');
  if (enabled !== undefined && !forms.isTrue(enabled)) return { WEBSOCKETS_HEARTBEAT: 'off' };
  return { WEBSOCKETS_HEARTBEAT: period === undefined ? undefined : forms.toSeconds(period) };
};

/** The first folder and the first bucket among the locations; files name them, so their names are kept. */
const storages: Translation = (source) => {
  const locations = (source.take('STORAGE_LOCATIONS') ?? 'local').split(',').map((name) => name.trim());
  const found: Record<string, string> = {};
  const names = ['local', 's3'];
  for (const location of locations) {
    const of = (name: string): string | undefined => source.take(`STORAGE_${location.toUpperCase()}_${name}`);
    const driver = of('DRIVER') ?? 'local';
    const root = of('ROOT');
    if (driver === 'local' && found['STORAGE_ROOT'] === undefined) {
      found['STORAGE_ROOT'] = resolve(source.folder, root ?? './uploads');
      names[0] = location;
    } else if (driver === 's3' && found['STORAGE_URL'] === undefined) {
      found['STORAGE_URL'] = bucketUrl(of, root);
      names[1] = location;
      if (locations[0] !== location) source.note('STORAGE_LOCATIONS', `new files go to the bucket "${location}", not to "${locations[0]}"`);
    } else
      source.note(
        `STORAGE_${location.toUpperCase()}_DRIVER`,
        `one folder and one S3 bucket can be used; "${location}" (${driver}) is left out`,
      );
  }
  return { ...found, STORAGE_NAMES: names.join(',') === 'local,s3' ? undefined : names.join(',') };
};

function bucketUrl(of: (name: string) => string | undefined, root: string | undefined): string {
  const [user, password, bucket = ''] = ['KEY', 'SECRET', 'BUCKET'].map(of);
  const endpoint = of('ENDPOINT');
  const query = new URLSearchParams(
    defined({
      region: of('REGION'),
      endpoint: endpoint === undefined || /^https?:/.test(endpoint) ? endpoint : `https://${endpoint}`,
    }),
  );
  of('FORCE_PATH_STYLE');
  const path = root === undefined || /^[./]*$/.test(root) ? '' : `/${root.replace(/^[./]+/, '')}`;
  return `${address('s3', bucket, { ...defined({ user, password }), path })}${query.size === 0 ? '' : `?${query}`}`;
}

const translations: readonly Translation[] = [
  host,
  plainSettings,
  database,
  cookies,
  cors,
  rateLimit,
  redis,
  mail,
  allowedUrls,
  heartbeat,
  storages,
];

/** Variables that have no effect here and need none: caches, telemetry, Directus's own keys, settings of its application. */
const needless =
  /^(?:KEY|ADMIN_EMAIL|ADMIN_PASSWORD|ADMIN_TOKEN|ACCEPT_TERMS|TELEMETRY.*|CACHE_.*|LOG_STYLE|LOG_HTTP_.*|LOG_REDACT|CONFIG_PATH|NODE_ENV|DB_(?:VERSION|CHARSET|HEALTHCHECK_THRESHOLD|POOL__.*|EXCLUDE_TABLES)|MARKETPLACE_.*|SYNCHRONIZATION_.*|MESSENGER_.*|TEMP_PATH|ROBOTS_TXT|GRAPHQL_.*|PM2_.*|HASH_.*|(?:REFRESH_TOKEN|SESSION)_COOKIE_NAME|EMAIL_VERIFICATION_TOKEN_TTL|MIGRATIONS_PATH|LICENSE_.*)$/;

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^DB_SSL/, 'add the parameters of TLS to DATABASE_URL'],
  [/^DB_SEARCH_PATH$/, 'tables of other schemas are served under "schema.table"'],
  [/^EXTENSIONS_/, 'extensions of Directus are not loaded; see docs/extensions.md'],
  [/^FLOWS_EXEC_ALLOWED_MODULES$/, 'scripts of flows load no modules'],
  [/^FLOWS_/, 'the limits of flows are fixed; see docs/automation.md'],
];

export function translateSettings({ values, unreadable, folder }: PeerVariables): TranslatedSettings {
  const left = new Map(values);
  const notes = new Map<string, string>(unreadable.map((name) => [name, 'its file cannot be read']));
  const source: Source = {
    folder,
    take(name) {
      const value = left.get(name);
      left.delete(name);
      return value;
    },
    note: (name, why) => void notes.set(name, why),
  };
  const found = translations
    .flatMap((translate) => Object.entries(translate(source)))
    .flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
  // Sign-on has the same names here.
  const passed = [...left].filter(([name]) => name.startsWith('AUTH_') && isSetting('AUTH_PROVIDERS'));
  for (const [name] of passed) left.delete(name);
  const settings = withoutRefused(new Map([...found, ...passed]), notes);
  for (const name of left.keys()) if (!needless.test(name)) notes.set(name, reasons.find(([pattern]) => pattern.test(name))?.[1] ?? '');
  return { settings, unmatched: [...notes].map(([name, why]) => (why === '' ? name : `${name}: ${why}`)).toSorted() };
}

const isSetting = (name: string): boolean => Object.values(known).some((setting) => setting.name === name);

/** A value that the service would refuse at its start is left out and named. */
function withoutRefused(settings: ReadonlyMap<string, string>, notes: Map<string, string>): ReadonlyMap<string, string> {
  try {
    readConfig(Object.fromEntries(settings));
    return settings;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const refused = new Map(error.lines.map((line) => [line.split(':', 1)[0] ?? '', line.slice(line.indexOf(':') + 2)]));
    for (const [name, why] of refused) notes.set(name, why);
    return new Map([...settings].filter(([name]) => !refused.has(name)));
  }
}

/** As a file that `--env-file` reads. */
export const settingsFile = (settings: ReadonlyMap<string, string>): string =>
  [...settings].map(([name, value]) => `${name}=${/^[\w:/.,@%?&=+*-]*$/.test(value) ? value : quoted(value)}\n`).join('');

const quoted = (value: string): string => {
  const mark = ["'", '"', '`'].find((candidate) => !value.includes(candidate)) ?? "'";
  return `${mark}${value}${mark}`;
};

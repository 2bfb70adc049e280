// The settings of every connection, so that answers do not depend on the configuration of the server. A direct connection sends them in its
// startup packet. A pooler refuses or drops them there, and lends another session of the server to each transaction, so behind one they are set
// for each transaction.

import { type Deadlines, type DialectOptions, defaultDeadlines } from '../../../core/vendor/dialect.js';

/**
 * Reads consist of many small lookups by key. The server's default cost of a random page is that of a spinning disk, so it may scan a table of a few
 * hundred rows for each lookup, which is several times slower on a solid-state disk or in memory. `options` in the URL can override this.
 */
const planning: Settings = { random_page_cost: '1.5' };

type Settings = Readonly<Record<string, string>>;

interface ClientSettings {
  readonly connectionString: string;
  readonly options?: string;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis: number;
  readonly fallback_application_name: string;
}

export interface SessionSettings {
  readonly client: ClientSettings;
  /** The statement that sets them for the current transaction; null: the startup packet has set them for the session. */
  readonly local: string | null;
}

export function sessionSettings(options: DialectOptions, pooled: boolean): SessionSettings {
  const { connectionString, own } = splitOptions(options.url);
  const { deadlines = defaultDeadlines } = options;
  const common = { ...formats, ...limits(options, deadlines) };
  const client: ClientSettings = {
    connectionString,
    // Shorter than the wait for a connection, so that the waiting caller gets the reason of the failure.
    connectionTimeoutMillis: Math.ceil(deadlines.silenceMs * 0.75),
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'tain',
  };
  if (pooled) return { client, local: setForTransaction({ ...planning, ...parseOptions(own), ...common, ...readOnlyNow(options) }) };
  const startup = { ...common, default_transaction_isolation: 'read committed', ...readOnlyAlways(options) };
  return { client: { ...client, options: [toOptions(planning), own, toOptions(startup)].join(' ') }, local: null };
}

/** The package lets `options` in the URL replace all others. Both apply here, those of the service last. */
function splitOptions(text: string): { readonly connectionString: string; readonly own: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new Error('the PostgreSQL URL cannot be read: expected postgres://user:password@host:5432/database');
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { connectionString: url.href, own };
}

const formats: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
  standard_conforming_strings: 'on',
};

const limits = ({ statementTimeoutMs }: DialectOptions, { lockMs }: Deadlines): Settings => ({
  statement_timeout: String(statementTimeoutMs),
  lock_timeout: String(statementTimeoutMs === 0 ? lockMs : Math.min(lockMs, statementTimeoutMs)),
  idle_in_transaction_session_timeout: String(Math.max(statementTimeoutMs, 5_000) * 2),
  jit: 'off',
});

const readOnlyAlways = ({ readOnly = false }: DialectOptions): Settings => (readOnly ? { default_transaction_read_only: 'on' } : {});
const readOnlyNow = ({ readOnly = false }: DialectOptions): Settings => (readOnly ? { transaction_read_only: 'on' } : {});

const toOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\\ ]/g, '\\$&')}`)
    .join(' ');

/** `set_config` sets all of them in one statement, and unlike SET LOCAL it does not warn outside of a BEGIN. */
const setForTransaction = (settings: Settings): string =>
  `SELECT ${Object.entries(settings)
    .map(([name, value]) => `set_config(${quote(name)}, ${quote(value)}, true)`)
    .join(', ')}`;

/** Right whichever value standard_conforming_strings has. */
const quote = (text: string): string => (text.includes('\\') ? ` E'${text.replace(/['\\]/g, '\\$&')}'` : `'${text.replaceAll("'", "''")}'`);

/** `-c name=value` and `--name=value`, with spaces escaped by a backslash. */
function parseOptions(text: string): Settings {
  const settings: Record<string, string> = {};
  for (const [word] of text.replaceAll(/-c\s+/g, '-c').matchAll(/(?:\\.|\S)+/g)) {
    const [, name, value] = /^(?:-c|--)([\w.-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined)
      throw new Error(`behind a pooler, "options" in the PostgreSQL URL may only have settings such as -c name=value, not "${word}"`);
    settings[name.replaceAll('-', '_')] = value.replaceAll(/\\(.)/gs, '$1');
  }
  return settings;
}

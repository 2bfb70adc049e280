// What every connection is told in its startup packet, so that answers do not depend on the server's configuration.

import type { DialectOptions } from '../../core/vendor/dialect.js';

const connectTimeoutMs = 1_500;
const lockTimeoutMs = 5_000;

/**
 * Reads are many small look-ups by key. The server's default prices each of them for a spinning disk and rather scans a whole table of a
 * few hundred rows per look-up; on a memory-cached or solid-state database that is wrong by a factor. `options` in the URL has the last word.
 */
const planning = '-c random_page_cost=1.5';

export interface ClientSettings {
  readonly connectionString: string;
  readonly options: string;
  readonly connectionTimeoutMillis: number;
  readonly keepAlive: boolean;
  readonly keepAliveInitialDelayMillis: number;
  readonly fallback_application_name: string;
}

export function clientSettings(options: DialectOptions): ClientSettings {
  const { connectionString, own } = splitOptions(options.url);
  return {
    connectionString,
    options: [planning, own, ...startupOptions(options.statementTimeoutMs)].filter((text) => text !== '').join(' '),
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'tain',
  };
}

/** The driver lets `options` in the URL replace ours; both shall hold, ours last. */
function splitOptions(text: string): { readonly connectionString: string; readonly own: string } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new Error('the PostgreSQL URL cannot be read: expected postgres://user:password@host:5432/database');
  const own = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { connectionString: url.href, own };
}

function startupOptions(statementTimeoutMs: number): readonly string[] {
  const settings: Readonly<Record<string, string | number>> = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    extra_float_digits: 1,
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.min(lockTimeoutMs, statementTimeoutMs),
    idle_in_transaction_session_timeout: Math.max(statementTimeoutMs, lockTimeoutMs) * 2,
    jit: 'off',
    default_transaction_isolation: 'read\\ committed',
  };
  return Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
}

// Positions of PostgreSQL: places in the write-ahead log. A standby shows a commit as soon as it has replayed the log up to its end.

import type { Position } from '../../../core/vendor/driver.js';
import type { Replication } from '../../../core/vendor/replication.js';

/**
 * With synchronous_commit, a commit is flushed before it is acknowledged, and standbys receive only what is flushed, so they reach the
 * flushed position sooner than the insert position.
 */
const place = `SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END::text`;

export const walReplication: Replication = {
  async position(primary) {
    const [row] = await primary.rows({ kind: 'read', text: place, values: [], prepare: true });
    return withoutPageHeader(String(row?.[0]));
  },
  async observe(replica) {
    // A promoted server would still return the position of its earlier recovery.
    const text = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END::text';
    const [row] = await replica.rows({ kind: 'read', text, values: [], prepare: true });
    return { applied: row?.[0] == null ? null : String(row[0]) };
  },
  reaches: (applied, position) => toNumber(applied) >= toNumber(position),
};

const pageBytes = 8192;
const headerBytes: ReadonlySet<number> = new Set([24, 40]);

/**
 * At the start of a page, the position of the next record is behind the page header, but replay stops where the last record ended, before
 * the header.
 */
export function withoutPageHeader(position: Position): Position {
  const at = toNumber(position);
  const inPage = at % pageBytes;
  return headerBytes.has(inPage) ? fromNumber(at - inPage) : position;
}

/** Exact: a log of 2^53 bytes would be nine petabytes. */
function toNumber(position: Position): number {
  const [high = '', low = ''] = position.split('/');
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16);
}

const fromNumber = (at: number): Position => `${Math.floor(at / 2 ** 32).toString(16)}/${(at % 2 ** 32).toString(16)}`.toUpperCase();

// The settings of every session, so that answers do not depend on the configuration of the server.

import type { Deadlines } from '../../../core/vendor/dialect.js';
import { isAtLeast, type Server } from '../types/server.js';

export interface SessionOptions {
  readonly statementTimeoutMs: number;
  readonly deadlines: Pick<Deadlines, 'lockMs'>;
  readonly readOnly: boolean;
}

export function sessionSettings(server: Server, { statementTimeoutMs, deadlines, readOnly }: SessionOptions): readonly string[] {
  // The server's unit is seconds.
  const lockWaitSeconds = Math.max(1, Math.ceil(deadlines.lockMs / 1000));
  const settings = [
    // The collation in which JSON functions return text, so that it can be combined with other text in one expression.
    'NAMES utf8mb4 COLLATE utf8mb4_bin',
    "time_zone = '+00:00'",
    // The whole mode is set: NO_BACKSLASH_ESCAPES would break the escaping of mysql2, ANSI_QUOTES and PIPES_AS_CONCAT change the meaning of SQL.
    "sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    'autocommit = 1',
    'group_concat_max_len = 1073741824',
    `innodb_lock_wait_timeout = ${lockWaitSeconds}`,
    `lock_wait_timeout = ${lockWaitSeconds}`,
    // The consumer of a stream may pause for a while.
    'net_write_timeout = 600',
    // The average of decimals gets 16 more digits than the column; the default is 4.
    'div_precision_increment = 16',
    ...(server.mariadb ? [] : mysqlSettings(server)),
    statementTimeout(server, statementTimeoutMs),
  ];
  const access = readOnly ? ', READ ONLY' : '';
  return [`SET ${settings.join(', ')}`, `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED${access}`];
}

const mysqlSettings = (server: Server): readonly string[] => [
  // Else the times of the last writes, by which other programs' changes are noticed, and the numbers of rows are a day old.
  'information_schema_stats_expiry = 0',
  // The form of plans that `readPlan` knows; 9.x has another one by default.
  ...(isAtLeast(server, 8, 3) ? ['explain_json_format_version = 1'] : []),
];

/** 0: no limit. MySQL applies it to SELECT only; driver.ts limits the other statements. */
export const statementTimeout = (server: Server, ms: number): string =>
  server.mariadb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${Math.round(ms)}`;

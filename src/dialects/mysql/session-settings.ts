// What every session must have set, whatever the server's configuration says: answers would differ otherwise.

import type { Server } from './server.js';

const lockWaitSeconds = 10;

export function sessionSettings(server: Server, statementTimeoutMs: number): readonly string[] {
  const settings = [
    // The collation JSON functions answer in: texts of theirs and of ours meet in one expression.
    'NAMES utf8mb4 COLLATE utf8mb4_bin',
    "time_zone = '+00:00'",
    // The mode is set whole: NO_BACKSLASH_ESCAPES breaks the driver's escaping, ANSI_QUOTES and PIPES_AS_CONCAT change the language.
    "sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    'autocommit = 1',
    'group_concat_max_len = 1073741824',
    `innodb_lock_wait_timeout = ${lockWaitSeconds}`,
    `lock_wait_timeout = ${lockWaitSeconds}`,
    // A reader of a long stream may rest for a while.
    'net_write_timeout = 600',
    // The mean of decimals keeps 16 more digits than the column; the default of 4 rounds.
    'div_precision_increment = 16',
    statementTimeout(server, statementTimeoutMs),
  ];
  return [`SET ${settings.join(', ')}`, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
}

/** 0: no limit. MySQL limits reading statements only; the driver watches over the others. */
export const statementTimeout = (server: Server, ms: number): string =>
  server.mariadb ? `max_statement_time = ${ms / 1000}` : `max_execution_time = ${Math.round(ms)}`;

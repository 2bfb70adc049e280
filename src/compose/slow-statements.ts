// SLOW_STATEMENT: logs statements that take longer, so that an operator finds the request and the collection behind a busy database, and keeps the
// latest lines for administrators who ask. Without the setting nothing is wrapped and nothing is measured.

import { AsyncLocalStorage } from 'node:async_hooks';
import { hostname } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Dialect } from '../core/vendor/dialect.js';
import type { Connection, Driver, Row, Statement } from '../core/vendor/driver.js';
import { textForOperators } from '../core/vendor/statement-text.js';
import type { ReportedStatement, SlowStatementReport } from '../service/operations/operation-deps.js';
import { type ExplainSlow, explainSlow } from './slow-plans.js';

/** What a line says. Values of requests never reach it. */
export interface SlowStatement {
  readonly durationMs: number;
  /** The text of the statement and of those that were sent with it, in their order. */
  readonly sql: string;
  readonly collections: readonly string[];
  /** Absent for the service's own work. */
  readonly requestId?: string;
  readonly failed?: true;
  /** How the database reads its tables, named by their aliases; not present in every line. */
  readonly plan?: readonly string[];
  /** The number of slow statements since the last line that were not logged. */
  readonly unlogged?: number;
}

export interface SlowStatements {
  watch(dialect: Dialect): Dialect;
  /** Lines go to the log of this application, and name its requests. Until then there are none. */
  follow(app: Pick<FastifyInstance, 'addHook' | 'log'>): void;
  /** The latest lines, also those from before there was a log. */
  list(): SlowStatementReport;
}

interface SlowStatementsOptions {
  readonly thresholdMs: number;
  /** A monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** A database in trouble makes every statement slow: the log must not add to it. */
const mostLines = 20;
const windowMs = 10_000;
const mostKept = 100;

/** The answer while SLOW_STATEMENT is off. */
export const noSlowStatements = (): SlowStatementReport => ({ threshold_ms: null, process: processName(), statements: [] });

const processName = (): string => `${hostname()}:${process.pid}`;

export function openSlowStatements({ thresholdMs, now = () => performance.now() }: SlowStatementsOptions): SlowStatements {
  const requests = new AsyncLocalStorage<string>();
  const mayLog = limitLines(now);
  const kept: ReportedStatement[] = [];
  let log: (line: SlowStatement) => void = () => undefined;
  const add = (line: SlowStatement, ended: Date): void => {
    kept.unshift(answerOf(line, ended));
    kept.length = Math.min(kept.length, mostKept);
    log(line);
  };
  let explain: ExplainSlow = () => null;
  const report = (statement: Statement, durationMs: number, failed: boolean): void => {
    if (durationMs < thresholdMs) return;
    const unlogged = mayLog();
    if (unlogged === null) return;
    const requestId = requests.getStore();
    const sent = [...(statement.queued ?? []), statement];
    const line: SlowStatement = {
      durationMs: Math.round(durationMs),
      sql: textForOperators(statement),
      collections: [...new Set(sent.flatMap(({ tables = [] }) => tables))],
      ...(requestId === undefined ? {} : { requestId }),
      ...(failed ? { failed } : {}),
      ...(unlogged === 0 ? {} : { unlogged }),
    };
    const asked = explain(statement);
    const ended = new Date();
    if (asked === null) add(line, ended);
    else asked.then((plan) => add(plan === null ? line : { ...line, plan }, ended));
  };
  return {
    watch(dialect) {
      explain = explainSlow(dialect, now);
      return watchDialect(dialect, { now, report });
    },
    follow(app) {
      log = (line) => app.log.warn(line, 'a slow statement');
      app.addHook('onRequest', (request, _reply, done) => requests.run(request.id, done));
      // Enters the context again after the body is read, because the stream that reads it may have started outside of it.
      app.addHook('preValidation', (request, _reply, done) => requests.run(request.id, done));
    },
    list: () => ({ ...noSlowStatements(), threshold_ms: Math.round(thresholdMs), statements: [...kept] }),
  };
}

const answerOf = (line: SlowStatement, ended: Date): ReportedStatement => ({
  moment: ended.toISOString(),
  duration_ms: line.durationMs,
  sql: line.sql,
  collections: line.collections,
  plan: line.plan ?? null,
  request_id: line.requestId ?? null,
  failed: line.failed ?? false,
  unlogged: line.unlogged ?? 0,
});

/** The function returns null when a line has to be left out, otherwise how many were since the last. */
function limitLines(now: () => number): () => number | null {
  let [startedAt, lines, unlogged] = [now(), 0, 0];
  return () => {
    if (now() - startedAt >= windowMs) [startedAt, lines] = [now(), 0];
    if (lines >= mostLines) {
      unlogged += 1;
      return null;
    }
    lines += 1;
    const count = unlogged;
    unlogged = 0;
    return count;
  };
}

interface Watch {
  readonly now: () => number;
  readonly report: (statement: Statement, durationMs: number, failed: boolean) => void;
}

function watchDialect(dialect: Dialect, watch: Watch): Dialect {
  const { driver } = dialect;
  const watched: Driver = {
    ...watchConnection(driver, watch),
    stream: (statement, signal) => watchStream(driver.stream(statement, signal), statement, watch),
    transaction: (work, options) => driver.transaction((connection) => work(watchConnection(connection, watch)), options),
    version: () => driver.version(),
    pool: () => driver.pool(),
    statements: () => driver.statements(),
    close: () => driver.close(),
  };
  return {
    ...dialect,
    driver: watched,
    exclusively: (work) => dialect.exclusively((connection) => work(watchConnection(connection, watch))),
  };
}

function watchConnection(connection: Connection, { now, report }: Watch): Connection {
  const timed = async <T>(statement: Statement, send: () => Promise<T>): Promise<T> => {
    const startedAt = now();
    try {
      const result = await send();
      report(statement, now() - startedAt, false);
      return result;
    } catch (error) {
      report(statement, now() - startedAt, true);
      throw error;
    }
  };
  return {
    rows: (statement, signal) => timed(statement, () => connection.rows(statement, signal)),
    run: (statement, signal) => timed(statement, () => connection.run(statement, signal)),
    rowsAtOnce: (statement) => {
      const startedAt = now();
      const rows = connection.rowsAtOnce?.(statement) ?? null;
      if (rows !== null) report(statement, now() - startedAt, false);
      return rows;
    },
  };
}

/** Only the time in which the database is waited for counts, and not how fast a client takes what it gets. */
async function* watchStream(
  batches: AsyncIterable<readonly Row[]>,
  statement: Statement,
  { now, report }: Watch,
): AsyncGenerator<readonly Row[]> {
  let spent = 0;
  let failed = false;
  let startedAt = now();
  try {
    for await (const batch of batches) {
      spent += now() - startedAt;
      yield batch;
      startedAt = now();
    }
    spent += now() - startedAt;
  } catch (error) {
    spent += now() - startedAt;
    failed = true;
    throw error;
  } finally {
    report(statement, spent, failed);
  }
}

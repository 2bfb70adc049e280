// Entry point of the SQLite dialect: opens the file and assembles the ports from the folders of this dialect.

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseError } from '../../core/vendor/database-error.js';
import { type Dialect, type DialectOptions, defaultDeadlines } from '../../core/vendor/dialect.js';
import { introspect, readChangeToken, readViews, writableEvents } from './catalogue/introspect.js';
import { contentToken, openers } from './catalogue/other-writers.js';
import { sqliteDdl } from './ddl/ddl.js';
import { type DriverOptions, openDriver } from './driver/driver.js';
import { sqliteSyntax } from './sql/syntax.js';
import { sqliteWriteSyntax } from './sql/write-syntax.js';
import { createTransfer } from './transfer.js';

export async function openSqlite(options: DialectOptions): Promise<Dialect> {
  const { statementTimeoutMs, deadlines = defaultDeadlines, mapBytes = 0, journal = 'keep', readOnly = false } = options;
  const file = parseLocation(options.url);
  const driver = await openFile({ file, statementTimeoutMs, deadlines, mapBytes, journal, readOnly });
  return {
    vendor: 'sqlite',
    deadlines,
    driver,
    mirrored: null,
    replicas: null,
    syntax: sqliteSyntax,
    write: sqliteWriteSyntax,
    ddl: sqliteDdl,
    introspect,
    readCatalogue: async (connection) => ({ token: await readChangeToken(connection), database: await introspect(connection) }),
    views: readViews,
    writableEvents,
    changeToken: readChangeToken,
    contentToken,
    openChannel: null,
    changeLog: null,
    missingRights: async () => [],
    tracesOfOthers: () => openers(file),
    exclusively: (work) => driver.transaction(work, { structure: true }),
    transfer: createTransfer(driver),
  };
}

/** The path of the file in `sqlite:./file.db`, `sqlite:///abs/file.db`, `file:…` or a plain path. */
export function parseLocation(url: string): string {
  const path = url.startsWith('file:') ? fileURLToPath(url) : url.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (path === ':memory:' || path === '' || url.includes('mode=memory')) {
    throw new Error(
      'SQLite in memory is not supported: its readers and its writer share a file. Name a file, for example sqlite:./data.db',
    );
  }
  if (path.includes('\0')) throw new Error('The name of the SQLite file contains a NUL character.');
  return resolve(url.startsWith('sqlite:///') ? decodeURIComponent(path) : path);
}

async function openFile(options: DriverOptions): ReturnType<typeof openDriver> {
  try {
    return await openDriver(options);
  } catch (error) {
    throw error instanceof DatabaseError
      ? new DatabaseError(error.kind, `cannot open the SQLite file ${options.file}: ${explain(error, options)}`)
      : error;
  }
}

function explain({ message, cause }: DatabaseError, { file, readOnly }: DriverOptions): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'SQLITE_NOTADB') return 'it is no SQLite database';
  if (!code.startsWith('SQLITE_CANTOPEN') && !message.includes('directory does not exist')) return message;
  const folder = dirname(file);
  if (!existsSync(folder)) return `there is no folder ${folder}`;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory() ? 'it is a folder' : 'the user of this process may not read it';
  return readOnly ? 'it is not there' : `it is not there, and the user of this process may not write to the folder ${folder}`;
}

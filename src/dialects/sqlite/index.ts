// SQLite as a vendor of the service.

import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Dialect, DialectOptions } from '../../core/vendor/dialect.js';
import { sqliteDdl } from './ddl.js';
import { type DriverOptions, openDriver } from './driver.js';
import { introspect, readChangeToken } from './introspect.js';
import { parseLocation } from './location.js';
import { sqliteSyntax } from './syntax.js';
import { readViews } from './views.js';
import { sqliteWriteSyntax } from './write-syntax.js';

export async function openSqlite(options: DialectOptions): Promise<Dialect> {
  const file = parseLocation(options.url);
  const driver = await openFile({ file, statementTimeoutMs: options.statementTimeoutMs, mapBytes: options.mapBytes ?? 0 });
  return {
    vendor: 'sqlite',
    driver,
    syntax: sqliteSyntax,
    write: sqliteWriteSyntax,
    ddl: sqliteDdl,
    introspect,
    views: readViews,
    changeToken: readChangeToken,
    exclusively: (work) => driver.transaction(work, { structure: true }),
  };
}

async function openFile(options: DriverOptions): ReturnType<typeof openDriver> {
  try {
    return await openDriver(options);
  } catch (error) {
    throw error instanceof DatabaseError
      ? new DatabaseError(error.kind, `cannot open the SQLite file ${options.file}: ${explain(error)}`)
      : error;
  }
}

function explain({ message, cause }: DatabaseError): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'SQLITE_NOTADB') return 'it is no SQLite database';
  if (code.startsWith('SQLITE_CANTOPEN') || message.includes('directory does not exist'))
    return 'it cannot be created or read there; does the folder exist?';
  return message;
}

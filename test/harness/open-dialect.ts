// Opens a vendor's dialect without a service.

import type { Deadlines, Dialect } from '../../src/core/vendor/dialect.js';
import { openMysql } from '../../src/dialects/mysql/index.js';
import { openPostgres } from '../../src/dialects/postgres/index.js';
import { openSqlite } from '../../src/dialects/sqlite/index.js';
import { patientDeadlines } from './patience.js';
import type { VendorName } from './vendors.js';

const openers = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql };

export const openDialect = (
  vendor: VendorName,
  url: string,
  systemSchema: string | null = null,
  deadlines: Deadlines = patientDeadlines,
): Promise<Dialect> => openers[vendor]({ url, poolSize: 16, statementTimeoutMs: 60_000, deadlines, systemSchema });

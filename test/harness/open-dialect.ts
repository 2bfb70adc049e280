// Opens a vendor's dialect without a service around it.

import type { Dialect } from '../../src/core/vendor/dialect.js';
import { openMysql } from '../../src/dialects/mysql/index.js';
import { openPostgres } from '../../src/dialects/postgres/index.js';
import { openSqlite } from '../../src/dialects/sqlite/index.js';
import type { VendorName } from './vendors.js';

const openers = { sqlite: openSqlite, postgres: openPostgres, mysql: openMysql };

export const openDialect = (vendor: VendorName, url: string, systemSchema: string | null = null): Promise<Dialect> =>
  openers[vendor]({ url, poolSize: 4, statementTimeoutMs: 10_000, systemSchema });

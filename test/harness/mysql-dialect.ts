// A MariaDB or MySQL dialect on a new database, for the unit tests of the dialect.

import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection, Row } from '../../src/core/vendor/driver.js';
import { openMysql } from '../../src/dialects/mysql/index.js';
import { patientDeadlines } from './patience.js';
import { createDatabase, type Vendor } from './vendors.js';

const mysqlVendor: Vendor = {
  name: 'mysql',
  server: process.env['TEST_MYSQL_URL'] ?? 'mysql://root@127.0.0.1:3306',
  label: 'MariaDB',
};

export interface TestDialect {
  readonly dialect: Dialect;
  readonly url: string;
  end(): Promise<void>;
}

export async function openTestDialect(area: string, poolSize = 4, statementTimeoutMs = 60_000): Promise<TestDialect> {
  const database = await createDatabase(mysqlVendor, area);
  const dialect = await openMysql({ url: database.url, poolSize, statementTimeoutMs, deadlines: patientDeadlines, systemSchema: null });
  const end = async () => {
    await dialect.driver.close();
    await database.drop();
  };
  return { dialect, url: database.url, end };
}

export const run = (connection: Connection, text: string): Promise<number> => connection.run({ kind: 'write', text, values: [] });
export const rows = (connection: Connection, text: string): Promise<readonly Row[]> => connection.rows({ kind: 'read', text, values: [] });

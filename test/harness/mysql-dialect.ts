// The dialect of MariaDB/MySQL on a database of its own, for the unit tests beside its sources.

import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection, Row } from '../../src/core/vendor/driver.js';
import { openMysql } from '../../src/dialects/mysql/index.js';
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

export async function openTestDialect(area: string, poolSize = 4, statementTimeoutMs = 10_000): Promise<TestDialect> {
  const database = await createDatabase(mysqlVendor, area);
  const dialect = await openMysql({ url: database.url, poolSize, statementTimeoutMs, systemSchema: null });
  const end = async () => {
    await dialect.driver.close();
    await database.drop();
  };
  return { dialect, url: database.url, end };
}

export const run = (connection: Connection, text: string): Promise<number> => connection.run({ text, values: [] });
export const rows = (connection: Connection, text: string): Promise<readonly Row[]> => connection.rows({ text, values: [] });

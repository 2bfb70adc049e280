// Adopts a database in a process of its own, which kills itself (-9) before the Nth statement: node --import tsx adopt-until-killed.ts VENDOR URL N.
// Prints the number of statements if it comes to its end.

import type { Dialect } from '../../src/core/vendor/dialect.js';
import type { Connection, Driver } from '../../src/core/vendor/driver.js';
import { adopt } from '../../src/service/system/adopt/adopt.js';
import { openDialect } from './open-dialect.js';
import type { VendorName } from './vendors.js';

const [vendor = '', url = '', at = ''] = process.argv.slice(2);
let statements = 0;

function count(): void {
  statements += 1;
  if (statements === Number(at)) process.kill(process.pid, 'SIGKILL');
}

const counted = (connection: Connection): Connection => ({
  rows: (statement, signal) => {
    count();
    return connection.rows(statement, signal);
  },
  run: (statement, signal) => {
    count();
    return connection.run(statement, signal);
  },
});

function countedDialect(dialect: Dialect): Dialect {
  const driver: Driver = { ...dialect.driver, ...counted(dialect.driver) };
  return { ...dialect, driver, exclusively: (work) => dialect.exclusively((connection) => work(counted(connection))) };
}

const dialect = await openDialect(vendor as VendorName, url);
await adopt(countedDialect(dialect), { schema: null, storages: ['local'], providers: [], dryRun: false });
await dialect.driver.close();
console.log(statements);

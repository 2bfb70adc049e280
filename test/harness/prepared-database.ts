// A database with the tables of the service, made once per run by its own migrations. Most tests start on a copy: making the tables anew takes
// most of a start's processor time. What a start makes beyond the tables (secret, administrator) is made in each copy.

import { ownHome } from '../../src/core/schema/system-home.js';
import { systemDefinitions } from '../../src/service/definitions/system-definitions.js';
import { migrate } from '../../src/service/system/migrate.js';
import { openDirectAccess } from './direct-access.js';
import { openDialect } from './open-dialect.js';
import { createDatabase, type Vendor } from './vendors.js';

export interface PreparedVendor {
  readonly vendor: Vendor;
  drop(): Promise<void>;
}

export async function prepareDatabase(vendor: Vendor): Promise<PreparedVendor> {
  const { url, drop } = await createDatabase(vendor, 'prepared');
  const dialect = await openDialect(vendor.name, url);
  try {
    await migrate(dialect, ownHome(systemDefinitions));
  } finally {
    await dialect.driver.close();
  }
  return { vendor: { ...vendor, prepared: await describeCopy(vendor, url) }, drop };
}

/** As `createDatabase` takes it. */
async function describeCopy(vendor: Vendor, url: string): Promise<string> {
  switch (vendor.name) {
    case 'sqlite':
      return url.replace(/^sqlite:/, '');
    case 'postgres':
      return databaseOf(url);
    case 'mysql':
      return writeCopy(vendor, url);
  }
}

const databaseOf = (url: string): string => new URL(url).pathname.slice(1);

/** MariaDB has no templates: the statements that make the same tables in another database and fetch their rows. */
async function writeCopy(vendor: Vendor, url: string): Promise<string> {
  const { sql, tables, close } = await openDirectAccess(vendor, url);
  const texts = ['set foreign_key_checks = 0'];
  for (const table of await tables()) {
    const [made] = await sql(`show create table \`${table}\``);
    texts.push(String(made?.['Create Table']));
    const rows = await sql(`select 1 from \`${table}\` limit 1`);
    if (rows.length > 0) texts.push(`insert into \`${table}\` select * from \`${databaseOf(url)}\`.\`${table}\``);
  }
  await close();
  return texts.join('; ');
}

import { expect, it } from 'vitest';
import { writeVendors } from '../../../test/fixtures/write-vendors.js';
import { ScriptedConnection } from '../../../test/harness/scripted-connection.js';
import type { Statement } from '../vendor/driver.js';
import { insertReadingKeys } from './read-keys.js';

const insert: Statement = { kind: 'insert', text: 'INSERT …', values: [] };

it.each(['sqlite', 'postgres', 'mariadb'] as const)('reads the keys that the INSERT returns (%s)', async (vendor) => {
  const connection = new ScriptedConnection([[[5], [6]]]);
  expect(await insertReadingKeys(connection, writeVendors[vendor], insert, 2)).toEqual([[5], [6]]);
  expect(connection.exchanges).toHaveLength(1);
});

it('asks for the first key and counts on where an INSERT returns nothing (MySQL)', async () => {
  const connection = new ScriptedConnection([3, [['7', 2]]]);
  expect(await insertReadingKeys(connection, writeVendors.mysql8, insert, 3)).toEqual([[7], [9], [11]]);
  expect(connection.exchanges.flatMap(({ texts }) => texts)).toEqual(['INSERT …', 'SELECT LAST_INSERT_ID(), @@auto_increment_increment']);
});

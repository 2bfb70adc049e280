// Reads the three metadata tables, whole, in one statement each.

import type { Metadata } from '../../schema/schema.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { PlainRow } from '../../sql/plain-rows.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection } from '../../vendor/driver.js';
import { definitionOf } from '../own-rows/definition-of.js';
import { systemRows } from '../own-rows/system-rows.js';

export async function loadMetadata(dialect: Dialect, connection: Connection, system: SystemHome): Promise<Metadata> {
  const load = (collection: string): Promise<readonly PlainRow[]> =>
    systemRows(dialect.syntax, definitionOf(system, collection), system).read(connection, 'all');
  return {
    collections: await load('service_collections'),
    fields: (await load('service_fields')).toSorted(byId),
    relations: (await load('service_relations')).toSorted(byId),
  };
}

const byId = (a: PlainRow, b: PlainRow): number => Number(a.id) - Number(b.id);

// Reads the three metadata tables, one statement each, whatever they hold.

import type { Metadata } from '../schema/schema.js';
import type { SystemDefinition } from '../schema/system-definition.js';
import type { PlainRow } from '../sql/plain-rows.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection } from '../vendor/driver.js';
import { definitionOf } from './definition-of.js';
import { systemRows } from './system-rows.js';

export async function loadMetadata(
  dialect: Dialect,
  connection: Connection,
  definitions: readonly SystemDefinition[],
  systemSchema: string | null,
): Promise<Metadata> {
  const load = (collection: string): Promise<readonly PlainRow[]> =>
    systemRows(dialect.syntax, definitionOf(definitions, collection), systemSchema).read(connection, 'all');
  return {
    collections: await load('service_collections'),
    fields: (await load('service_fields')).toSorted(byId),
    relations: (await load('service_relations')).toSorted(byId),
  };
}

const byId = (a: PlainRow, b: PlainRow): number => Number(a.id) - Number(b.id);

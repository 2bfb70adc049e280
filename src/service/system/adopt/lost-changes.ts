// Versions of an adopted database whose changes name fields that are gone. They read and are promoted without these changes
// (history/versions/fit-delta.ts), so the report of the adoption names them.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import { loadMetadata } from '../../../core/engine/store/load-metadata.js';
import { buildSchema } from '../../../core/schema/build/build-schema.js';
import type { RawDatabase } from '../../../core/schema/raw.js';
import type { SystemHome } from '../../../core/schema/system-home.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { versions } from '../../definitions/history.js';
import { readAdoptedDelta } from '../../history/versions/adopted-delta.js';
import { fitDelta } from '../../history/versions/fit-delta.js';

export interface LostChanges {
  /** The number of versions concerned. */
  readonly versions: number;
  /** Collection and path of each field, sorted. */
  readonly fields: readonly string[];
}

export async function findLostChanges(dialect: Dialect, system: SystemHome, database: RawDatabase): Promise<LostChanges> {
  const { name, schema: place } = system.find(versions).table;
  if (!database.tables.some((table) => table.name === name && table.schema === place)) return { versions: 0, fields: [] };
  // Read as if nothing were adopted: the service's own table for additional values does not exist before the adoption.
  const metadata = await loadMetadata(dialect, dialect.driver, { ...system, adopted: null });
  const schema = buildSchema(0, database, metadata, system);
  const rows = await systemRows(dialect.syntax, versions, system).read(dialect.driver, ['collection', 'delta']);
  const losses = rows.flatMap(({ collection: of, delta }) => {
    const collection = schema.collections.get(of);
    if (collection === undefined || !isPlainObject(delta)) return [];
    const { lost } = fitDelta(schema, collection, readAdoptedDelta(delta).delta);
    return lost.length === 0 ? [] : [lost.map(({ path }) => `${of}.${path}`)];
  });
  return { versions: losses.length, fields: [...new Set(losses.flat())].toSorted() };
}

// What a change of structure starts from: the facts, the metadata and the grants of one moment, read inside the change's own transaction.

import { definitionOf } from '../../core/engine/definition-of.js';
import { loadMetadata } from '../../core/engine/load-metadata.js';
import { systemRows } from '../../core/engine/system-rows.js';
import { buildSchema } from '../../core/schema/build-schema.js';
import type { MetaRow } from '../../core/schema/meta-row.js';
import type { RawDatabase } from '../../core/schema/raw.js';
import type { Metadata, Schema } from '../../core/schema/schema.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import type { Dialect } from '../../core/vendor/dialect.js';
import type { Connection } from '../../core/vendor/driver.js';

/** What stays the same as long as the service runs. */
export interface StructureRules {
  readonly dialect: Dialect;
  readonly definitions: readonly SystemDefinition[];
  readonly systemSchema: string | null;
}

export interface StructureState {
  readonly rules: StructureRules;
  readonly database: RawDatabase;
  readonly metadata: Metadata;
  /** Rows of service_permissions. */
  readonly permissions: readonly MetaRow[];
  readonly schema: Schema;
}

export async function loadState(rules: StructureRules, connection: Connection): Promise<StructureState> {
  const { dialect, definitions, systemSchema } = rules;
  const permissionRows = systemRows(dialect.syntax, definitionOf(definitions, 'service_permissions'), systemSchema);
  return makeState(
    rules,
    await dialect.introspect(connection),
    await loadMetadata(dialect, connection, definitions, systemSchema),
    await permissionRows.read(connection, 'all'),
  );
}

/** The version is of no use here: nothing planned from this schema is kept. */
export function makeState(
  rules: StructureRules,
  database: RawDatabase,
  metadata: Metadata,
  permissions: readonly MetaRow[],
): StructureState {
  const schema = buildSchema(0, database, metadata, rules.definitions, rules.systemSchema);
  return { rules, database, metadata, permissions, schema };
}

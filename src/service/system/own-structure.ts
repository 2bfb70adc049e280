// The structure of the tables that the service makes, for its migrations. A reading costs the more the larger the database is, even though
// it is restricted to these tables, so one is used until a table that it describes has been changed.

import type { RawDatabase } from '../../core/schema/raw.js';
import type { TableName } from '../../core/schema/table-name.js';
import type { StructureChange } from '../../core/vendor/ddl.js';
import { applyChange, type MigrationDeps } from './create-tables.js';

/** What a migration may do: it only expands, or demands less. */
type Expansion = Extract<
  StructureChange,
  { kind: 'create-table' | 'add-column' | 'add-foreign-key' | 'create-index' | 'drop-foreign-key' | 'drop-index' }
>;

export interface OwnStructure {
  /** The structure, in which this table is as it is now: a vendor may have to rebuild the table from it. */
  with(table: TableName): Promise<RawDatabase>;
  change(expansion: Expansion, before: RawDatabase): Promise<void>;
}

/** Valid while nobody else changes these tables: inside of `exclusively`. */
export function openOwnStructure(deps: MigrationDeps): OwnStructure {
  const { dialect, connection, system } = deps;
  const names = system.made.map(({ collection }) => collection);
  const changed = new Set<string>();
  let known: RawDatabase | null = null;
  return {
    async with({ name }) {
      if (known !== null && !changed.has(name)) return known;
      known = await dialect.introspect(connection, { schema: system.schema, names });
      changed.clear();
      return known;
    },
    async change(expansion, before) {
      changed.add(expansion.table.name);
      await applyChange(deps, expansion, before);
    },
  };
}

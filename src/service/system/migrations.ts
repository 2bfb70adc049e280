// The migrations of the system tables, in order. Where DDL commits by itself a start may be interrupted in the middle of a migration, so
// each one checks what exists and does only the rest. A migration that was released never changes.
//
// Instances of the revision before may still run, and may start again, so a migration only expands: it adds tables, columns that are
// nullable or have a default, and indexes. What no supported revision reads any more is removed by a migration of a later release
// (docs/scale.md, Upgrades).

import { systemRows } from '../../core/engine/own-rows/system-rows.js';
import { epochNames } from '../../core/engine/store/epochs.js';
import type { RawDatabase, RawTable } from '../../core/schema/raw.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { findTable, type StructureChange } from '../../core/vendor/ddl.js';
import { identities, passkeys, providers, sessions, spent } from '../definitions/accounts.js';
import { settings } from '../definitions/application.js';
import { epoch } from '../definitions/bookkeeping.js';
import { versions } from '../definitions/history.js';
import { applyChange, ensureTable, type MigrationDeps } from './create-tables.js';
import { type OrderedDefinition, orderDefinitions } from './order-definitions.js';
import { columnSpec, foreignKeySpec, indexChanges } from './table-spec.js';

export interface Migration {
  readonly version: string;
  readonly name: string;
  run(deps: MigrationDeps): Promise<void>;
}

type Expansion = Extract<StructureChange, { kind: 'create-table' | 'add-column' | 'add-foreign-key' | 'create-index' }>;

const expand = (deps: MigrationDeps, change: Expansion, before: RawDatabase): Promise<void> => applyChange(deps, change, before);

/** Creates the tables of all definitions, their foreign keys and indexes. */
const systemTables: Migration = {
  version: '0001',
  name: 'system tables',
  async run(deps) {
    const ordered = orderDefinitions(deps.system.made);
    const before = await deps.dialect.introspect(deps.connection);
    for (const entry of ordered) await ensureTable(deps, entry, before);
    for (const entry of ordered) await ensureLaterForeignKeys(deps, entry);
    await ensureIndexes(deps);
  },
};

/** Introspects before each foreign key: a vendor may have to rebuild the table from its current structure. */
async function ensureLaterForeignKeys(deps: MigrationDeps, { definition, later }: OrderedDefinition): Promise<void> {
  const table = deps.system.find(definition).table;
  for (const relation of later) {
    const foreignKey = foreignKeySpec(definition, relation, deps.system);
    const before = await deps.dialect.introspect(deps.connection);
    if (foreignKey && !hasForeignKey(findTable(before, table), relation.field)) {
      await expand(deps, { kind: 'add-foreign-key', table, foreignKey }, before);
    }
  }
}

async function ensureIndexes(deps: MigrationDeps): Promise<void> {
  const before = await deps.dialect.introspect(deps.connection);
  for (const change of deps.system.made.flatMap((definition) => indexChanges(definition, deps.system))) {
    if (!hasIndex(findTable(before, change.table), change.name)) await expand(deps, change, before);
  }
}

const hasForeignKey = (table: RawTable | undefined, column: string): boolean =>
  table?.foreignKeys.some((key) => key.columns.length === 1 && key.columns[0] === column) === true;

const hasIndex = (table: RawTable | undefined, name: string): boolean => table?.indexes.some((index) => index.name === name) === true;

/** Inserts the rows that the service relies on: the epochs and the settings. */
const firstRows: Migration = {
  version: '0002',
  name: 'first rows',
  async run({ dialect, connection, system }) {
    const epochs = systemRows(dialect.syntax, epoch, system);
    for (const name of epochNames) {
      if ((await epochs.read(connection, ['name'], { name })).length === 0) await epochs.insert(connection, [{ name, value: 1 }]);
    }
    if (!system.made.includes(settings)) return;
    const projects = systemRows(dialect.syntax, settings, system);
    if ((await projects.read(connection, ['id'])).length === 0)
      await projects.insert(connection, [{ id: 1, project_id: crypto.randomUUID() }]);
  },
};

/**
 * Adds to the versions who saved each field, and the state of the item at that time. A delta that was saved before has no authors: it can
 * be read, and has to be saved again before it can be promoted.
 */
const versionAuthors: Migration = {
  version: '0003',
  name: 'authors of versions',
  async run(deps) {
    if (deps.system.made.includes(versions)) await ensureColumns(deps, versions, ['authors', 'base']);
  },
};

async function ensureColumns(deps: MigrationDeps, definition: SystemDefinition, names: readonly string[]): Promise<void> {
  const { table } = deps.system.find(definition);
  for (const field of definition.fields.filter((candidate) => names.includes(candidate.field))) {
    const before = await deps.dialect.introspect(deps.connection);
    if (findTable(before, table)?.columns.some((column) => column.name === field.field) === true) continue;
    await expand(deps, { kind: 'add-column', table, column: columnSpec(definition, field) }, before);
  }
}

/** Adds the tables of logins by a provider, and to the sessions which login they come from. */
const signOn: Migration = {
  version: '0004',
  name: 'identities at providers',
  async run(deps) {
    const before = await deps.dialect.introspect(deps.connection);
    for (const definition of [identities, spent]) await ensureTable(deps, { definition: madeAs(deps, definition), later: [] }, before);
    await ensureColumns(deps, sessions, ['identity', 'provider_token']);
    await ensureIndexes(deps);
  },
};

/** Adds the passkeys, and to the sessions by which of them and when their users logged in. */
const passkeyTables: Migration = {
  version: '0005',
  name: 'passkeys',
  async run(deps) {
    const before = await deps.dialect.introspect(deps.connection);
    await ensureTable(deps, { definition: madeAs(deps, passkeys), later: [] }, before);
    await ensureColumns(deps, sessions, ['passkey', 'signed_in']);
    await ensureIndexes(deps);
  },
};

/** Adds to the sessions which session at the provider they belong to. */
const providerSessions: Migration = {
  version: '0006',
  name: 'sessions at providers',
  async run(deps) {
    await ensureColumns(deps, sessions, ['provider_session']);
    await ensureIndexes(deps);
  },
};

/** Adds the providers that administrators keep in the settings. */
const providerTable: Migration = {
  version: '0007',
  name: 'providers',
  async run(deps) {
    const before = await deps.dialect.introspect(deps.connection);
    await ensureTable(deps, { definition: madeAs(deps, providers), later: [] }, before);
  },
};

/** The definition as this database has it: beside the tables of another server it has no foreign keys. */
const madeAs = ({ system }: MigrationDeps, definition: SystemDefinition): SystemDefinition =>
  system.made.find(({ collection }) => collection === definition.collection) ?? definition;

export const migrations: readonly Migration[] = [
  systemTables,
  firstRows,
  versionAuthors,
  signOn,
  passkeyTables,
  providerSessions,
  providerTable,
];

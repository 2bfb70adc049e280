// The migrations of the system tables, in order. Where DDL commits by itself a start may be interrupted in the middle of a migration, so
// each one checks what exists and does only the rest. A migration touches only the tables and columns that it names: those of later ones may
// be missing. What a released migration leaves behind never changes.
//
// Instances of the revision before may still run, and may start again, so a migration only expands: it adds tables, columns that are
// nullable or have a default, and indexes. What no supported revision reads any more is removed by a migration of a later release
// (docs/scale.md, Upgrades).

import { systemRows } from '../../core/engine/own-rows/system-rows.js';
import { epochNames } from '../../core/engine/store/epochs.js';
import type { RawTable } from '../../core/schema/raw.js';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { findTable } from '../../core/vendor/ddl.js';
import { accessKeys, identities, passkeys, providers, sessions, spent, users } from '../definitions/accounts.js';
import { settings } from '../definitions/application.js';
import { runs } from '../definitions/automation.js';
import { epoch, syncIds } from '../definitions/bookkeeping.js';
import { flows, operations } from '../definitions/flows.js';
import { activity, revisions, versions } from '../definitions/history.js';
import { type MigrationDeps, tableChange } from './create-tables.js';
import { type OrderedDefinition, orderDefinitions } from './order-definitions.js';
import type { OwnStructure } from './own-structure.js';
import { columnSpec, foreignKeySpec, indexChanges } from './table-spec.js';

/** One migration at work. */
interface MigrationStep extends MigrationDeps {
  readonly structure: OwnStructure;
}

export interface Migration {
  readonly version: string;
  readonly name: string;
  /** What it does to a database, for the people who decide about an upgrade. */
  readonly about: string;
  run(step: MigrationStep): Promise<void>;
}

const systemTables: Migration = {
  version: '0001',
  name: 'system tables',
  about: 'creates the tables of the service, their foreign keys and indexes',
  async run(step) {
    const ordered = orderDefinitions(step.system.made);
    for (const entry of ordered) await ensureTable(step, entry);
    for (const entry of ordered) await ensureLaterForeignKeys(step, entry);
    for (const { definition } of ordered) await ensureIndexes(step, definition);
  },
};

async function ensureTable(step: MigrationStep, entry: OrderedDefinition): Promise<void> {
  const { table } = step.system.find(entry.definition);
  const before = await step.structure.with(table);
  if (findTable(before, table) === undefined) await step.structure.change(tableChange(entry, step.system), before);
}

async function ensureLaterForeignKeys(step: MigrationStep, { definition, later }: OrderedDefinition): Promise<void> {
  const { table } = step.system.find(definition);
  for (const relation of later) {
    const foreignKey = foreignKeySpec(definition, relation, step.system);
    const before = await step.structure.with(table);
    if (foreignKey && !hasForeignKey(findTable(before, table), relation.field))
      await step.structure.change({ kind: 'add-foreign-key', table, foreignKey }, before);
  }
}

/** The indexes of one table. One over a column that the table lacks belongs to the later migration that adds the column. */
async function ensureIndexes(step: MigrationStep, definition: SystemDefinition): Promise<void> {
  const changes = indexChanges(definition, step.system);
  if (changes.length === 0) return;
  const { table } = step.system.find(definition);
  const before = await step.structure.with(table);
  const present = findTable(before, table);
  for (const change of changes.filter(({ columns }) => columns.every((column) => hasColumn(present, column))))
    if (!hasIndex(present, change.name)) await step.structure.change(change, before);
}

const hasColumn = (table: RawTable | undefined, name: string): boolean => table?.columns.some((column) => column.name === name) === true;

const hasForeignKey = (table: RawTable | undefined, column: string): boolean =>
  table?.foreignKeys.some((key) => key.columns.length === 1 && key.columns[0] === column) === true;

const hasIndex = (table: RawTable | undefined, name: string): boolean => table?.indexes.some((index) => index.name === name) === true;

/** Makes tables that a later release added, with their indexes. */
async function ensureTables(step: MigrationStep, definitions: readonly SystemDefinition[]): Promise<void> {
  for (const definition of definitions.map((each) => madeAs(step, each))) {
    await ensureTable(step, { definition, later: [] });
    await ensureIndexes(step, definition);
  }
}

/** Adds columns of a later release, and the indexes over them. */
async function ensureColumns(step: MigrationStep, definition: SystemDefinition, names: readonly string[]): Promise<void> {
  const { table } = step.system.find(definition);
  for (const field of definition.fields.filter((candidate) => names.includes(candidate.field))) {
    const before = await step.structure.with(table);
    if (hasColumn(findTable(before, table), field.field)) continue;
    await step.structure.change({ kind: 'add-column', table, column: columnSpec(definition, field) }, before);
  }
  await ensureIndexes(step, definition);
}

/** The definition as this database has it: beside the tables of another server it has no foreign keys. */
const madeAs = ({ system }: MigrationDeps, definition: SystemDefinition): SystemDefinition =>
  system.made.find(({ collection }) => collection === definition.collection) ?? definition;

const firstRows: Migration = {
  version: '0002',
  name: 'first rows',
  about: 'inserts the rows that the service relies on: the counters by which processes see changes, and the settings',
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

/** A delta that was saved before has no authors: it can be read, and has to be saved again before it can be promoted. */
const versionAuthors: Migration = {
  version: '0003',
  name: 'authors of versions',
  about:
    'adds to the versions who saved each field, and the state of the item at that time; a version saved before has to be saved again before it is promoted',
  async run(step) {
    if (step.system.made.includes(versions)) await ensureColumns(step, versions, ['authors', 'base']);
  },
};

const signOn: Migration = {
  version: '0004',
  name: 'identities at providers',
  about: 'adds the tables of logins by a provider, and to the sessions which login they come from',
  async run(step) {
    await ensureTables(step, [identities, spent]);
    await ensureColumns(step, sessions, ['identity', 'provider_token']);
  },
};

const passkeyTables: Migration = {
  version: '0005',
  name: 'passkeys',
  about: 'adds the passkeys, and to the sessions by which of them and when their users logged in',
  async run(step) {
    await ensureTables(step, [passkeys]);
    await ensureColumns(step, sessions, ['passkey', 'signed_in']);
  },
};

const providerSessions: Migration = {
  version: '0006',
  name: 'sessions at providers',
  about: 'adds to the sessions which session at the provider they belong to',
  run: (step) => ensureColumns(step, sessions, ['provider_session']),
};

const providerTable: Migration = {
  version: '0007',
  name: 'providers',
  about: 'adds the providers that administrators keep in the settings',
  run: (step) => ensureTables(step, [providers]),
};

const replacedValues: Migration = {
  version: '0008',
  name: 'replaced values',
  about: 'adds to the revisions what an update replaced',
  async run(step) {
    if (step.system.made.includes(revisions)) await ensureColumns(step, revisions, ['previous']);
  },
};

/** `clearReferences` does what the keys did on a deletion. */
const laterItems: Migration = {
  version: '0009',
  name: 'references before their items',
  about: 'drops two foreign keys, those of avatars and first operations, since both may be stored after what names them',
  async run(step) {
    await dropForeignKeyOf(step, users, 'avatar');
    await dropForeignKeyOf(step, flows, 'operation');
  },
};

async function dropForeignKeyOf(step: MigrationStep, definition: SystemDefinition, column: string): Promise<void> {
  if (!step.system.made.includes(definition)) return;
  const { table } = step.system.find(definition);
  const before = await step.structure.with(table);
  const foreignKey = findTable(before, table)?.foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column);
  if (foreignKey !== undefined) await step.structure.change({ kind: 'drop-foreign-key', table, foreignKey }, before);
}

const syncTable: Migration = {
  version: '0010',
  name: 'ids of rows for a tool',
  about: 'adds the ids that a tool gives to rows',
  run: (step) => ensureTables(step, [syncIds]),
};

const joinedOperations: Migration = {
  version: '0011',
  name: 'operations with several predecessors',
  about: 'lets operations have several predecessors, and adds the counter by which processes see that flows have changed',
  async run(step) {
    for (const [definition, columns] of [
      [flows, ['operation']],
      [operations, ['resolve', 'reject']],
    ] as const) {
      if (!step.system.made.includes(definition)) continue;
      // The new index comes first: a foreign key may need one at any time.
      await ensureIndexes(step, definition);
      for (const column of columns) await dropUniqueIndexOf(step, definition, column);
    }
    const epochs = systemRows(step.dialect.syntax, epoch, step.system);
    if ((await epochs.read(step.connection, ['name'], { name: 'flow' })).length === 0)
      await epochs.insert(step.connection, [{ name: 'flow', value: 1 }]);
  },
};

async function dropUniqueIndexOf(step: MigrationStep, definition: SystemDefinition, column: string): Promise<void> {
  const { table } = step.system.find(definition);
  const before = await step.structure.with(table);
  const unique = findTable(before, table)?.indexes.find(
    ({ unique: isUnique, columns }) => isUnique && columns.length === 1 && columns[0] === column,
  );
  if (unique !== undefined) await step.structure.change({ kind: 'drop-index', table, name: unique.name }, before);
}

const runTable: Migration = {
  version: '0012',
  name: 'runs of flows',
  about: 'adds the runs of flows that nobody waits for',
  run: (step) => ensureTables(step, [runs]),
};

const accessKeyTable: Migration = {
  version: '0013',
  name: 'access keys',
  about: 'adds the access keys of users, and to the activity and the runs of flows which of them a request carried',
  async run(step) {
    await ensureTables(step, [accessKeys]);
    await ensureColumns(step, runs, ['access_key']);
    if (step.system.made.includes(activity)) await ensureColumns(step, activity, ['access_key', 'access_key_name']);
  },
};

const extensionRuns: Migration = {
  version: '0014',
  name: 'runs of extensions',
  about: 'adds to the runs of flows those of extensions',
  run: (step) => ensureColumns(step, runs, ['extension']),
};

export const migrations: readonly Migration[] = [
  systemTables,
  firstRows,
  versionAuthors,
  signOn,
  passkeyTables,
  providerSessions,
  providerTable,
  replacedValues,
  laterItems,
  syncTable,
  joinedOperations,
  runTable,
  accessKeyTable,
  extensionRuns,
];

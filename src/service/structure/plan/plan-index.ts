// POST and DELETE /indexes/{collection}: indexes over the columns of a collection. An index changes how fast items are found and, if it is
// unique, which items there may be; it has no metadata.

import { refusal } from '../../../core/errors/refusals.js';
import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawIndex } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type IndexContext, type IndexObject, useOf } from '../describe/describe-index.js';
import { forbiddenIndex } from '../describe/visible-indexes.js';
import type { Planner } from './change-set.js';
import { checkIndexName } from './columns/check-sql-text.js';
import { findField, findTableCollection, type TableCollection } from './find-structure.js';
import { indexName } from './index-name.js';
import type { StructureState } from './structure-state.js';

export interface IndexDraft {
  /** null: a name is made of those of the collection and the fields. */
  readonly name: string | null;
  readonly fields: readonly string[];
  readonly unique: boolean;
}

export const planCreateIndex =
  (name: string, draft: IndexDraft): Planner =>
  (state) => {
    const collection = findOwnCollection(state, name);
    const columns = draft.fields.map((field) => columnOf(collection, field));
    const twice = columns.find((column, place) => columns.indexOf(column) !== place);
    if (twice !== undefined) throw invalidPayload(refusal('field_twice', { field: twice }));
    refuseSuperfluous(collection, columns, draft);
    return {
      changes: [{ kind: 'create-index', table: collection.table, name: freeName(state, collection, draft), columns, unique: draft.unique }],
      rows: [],
    };
  };

function findOwnCollection(state: StructureState, name: string): TableCollection {
  const collection = findTableCollection(state, name);
  if (collection.system) throw invalidPayload(`Collection "${name}" belongs to the service, and so do its indexes.`);
  return collection;
}

function columnOf(collection: TableCollection, name: string): string {
  const field = findField(collection, name);
  if (field.kind === 'column') return field.column.name;
  if (field.kind === 'reference')
    throw invalidPayload(
      `Field "${name}" is a reference over several fields: name ${field.relation.pairs.map(({ column }) => `"${column}"`).join(', ')} instead.`,
    );
  throw invalidPayload(refusal('index_without_column', { field: name }));
}

/** A unique index serves a plain one, too. An index of long text holds its beginning only, and is known by the name that it was given here. */
function refuseSuperfluous({ name, table }: TableCollection, columns: readonly string[], { fields, unique }: IndexDraft): void {
  const isThere = (index: RawIndex): boolean =>
    (!index.partial || index.name === defaultName(table, fields, unique)) &&
    (index.unique || !unique) &&
    index.columns.join('\0') === columns.join('\0');
  const present = table.indexes.find(isThere)?.name ?? (table.primaryKey.join('\0') === columns.join('\0') ? 'of the primary key' : null);
  if (present !== null) throw invalidPayload(refusal('index_exists', { collection: name, detail: present }));
}

/** One namespace for tables and indexes, without case, as the strictest vendor has it: the same name then fits every database. */
function freeName({ database }: StructureState, { table }: TableCollection, { name, fields, unique }: IndexDraft): string {
  const neighbours = database.tables.filter(({ schema }) => schema === table.schema);
  const taken = new Set(
    neighbours.flatMap((other) => [other.name, ...other.indexes.map((index) => index.name)]).map((each) => each.toLowerCase()),
  );
  if (name !== null) {
    if (taken.has(checkIndexName(name).toLowerCase())) throw invalidPayload(refusal('index_name_taken', { name }));
    return name;
  }
  let made = defaultName(table, fields, unique);
  for (let count = 2; taken.has(made.toLowerCase()); count += 1) made = indexName(table, fields, `${endingOf(unique)}_${count}`);
  return made;
}

const endingOf = (unique: boolean): string => (unique ? 'unique_index' : 'index');

const defaultName = (table: TableName, fields: readonly string[], unique: boolean): string => indexName(table, fields, endingOf(unique));

const reasons: Readonly<Record<NonNullable<IndexObject['backs']>, (fields: string) => string>> = {
  primary_key: () => 'it is the primary key of its collection.',
  unique_constraint: (fields) =>
    `it makes ${fields} unique. Where that is the rule of one field, set "is_unique" of the field to false instead.`,
  foreign_key: (fields) =>
    `a foreign key needs it over ${fields}. Delete the relation first, or make another index that can take its place.`,
};

export const planDeleteIndex =
  (name: string, index: string): Planner =>
  (state) => {
    const collection = findOwnCollection(state, name);
    const { table } = collection;
    const found = findIndex(collection, index);
    const context: IndexContext = { tables: state.database.tables, keysNeedIndexes: state.ddl.keysNeedIndexes };
    const use = useOf(found, table, context);
    if (use !== null)
      throw invalidPayload(`Index "${index}" cannot be dropped: ${reasons[use](found.columns.map((each) => `"${each}"`).join(', '))}`);
    return { changes: [{ kind: 'drop-index', table, name: found.name }], rows: [] };
  };

function findIndex({ name, table }: TableCollection, wanted: string): RawIndex {
  const found = table.indexes.find((index) => index.name === wanted);
  if (found === undefined) throw forbiddenIndex(wanted, name);
  return found;
}

// The structure of a backup for another product: tables, keys and indexes through the types of the service, and in words what they cannot say.

import type { RawForeignKey, RawIndex } from '../../../core/schema/raw.js';
import { collectionName, type TableName } from '../../../core/schema/table-name.js';
import { type ColumnType, isGeometryType } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec, ForeignKeySpec, StructureChange } from '../../../core/vendor/ddl.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import { restateDefault } from '../../structure/describe/column-default.js';
import { portableExpression } from '../../structure/snapshot/portable-expression.js';
import type { BackupHeader, KeptColumn, KeptTable } from './backup-file.js';

export interface PlannedStructure {
  readonly before: readonly StructureChange[];
  readonly after: readonly StructureChange[];
  readonly missing: readonly string[];
}

/** Where the tables of the file go. */
export type PlaceTable = (table: TableName) => TableName;

/** The tables of the service go to where the target has them; those of other schemas keep theirs, or have it in their name. */
export const placeTables =
  ({ systemSchema }: Pick<BackupHeader, 'systemSchema'>, hasSchemas: boolean, targetSchema: string | null): PlaceTable =>
  ({ schema, name }) => {
    if (schema === systemSchema && name.startsWith('service_')) return { schema: targetSchema, name };
    return hasSchemas || schema === null ? { schema, name } : { schema: null, name: collectionName({ schema, name }) };
  };

type Target = Pick<Dialect, 'transfer'>;

const longestName = 63;
const keyLength = 255;
/** MariaDB and MySQL count four bytes per character, and a row has 65,535. */
const longestString = 4_000;
const decimalSize = { precision: 65, scale: 30 } as const;

export function planStructure(header: BackupHeader, all: readonly KeptTable[], { transfer }: Target, place: PlaceTable): PlannedStructure {
  const missing: string[] = [];
  const tables = all.filter(({ kind }) => kind === 'table');
  const byName = new Map(tables.map((table) => [collectionName(table), table]));
  const columns = new ColumnPlanner(header, byName, transfer.longKeys, missing);
  const freeName = createNames();
  const before: StructureChange[] = [];
  const after: StructureChange[] = [];
  for (const table of tables) {
    const target = place(table);
    const foreignKeys = table.foreignKeys.map((key) => foreignKeySpec(table, key, place, freeName));
    before.push({
      kind: 'create-table',
      table: target,
      columns: table.columns.map((column) => columns.plan(table, column)),
      primaryKey: table.primaryKey,
      foreignKeys: transfer.keysWithTable ? foreignKeys : [],
      uniques: [],
      comment: table.comment,
    });
    for (const index of table.indexes.filter((entry) => isPlain(table, entry, missing)))
      after.push({
        kind: 'create-index',
        table: target,
        name: indexName(table, index, freeName),
        columns: index.columns,
        unique: index.unique,
      });
    if (!transfer.keysWithTable)
      after.push(...foreignKeys.map((foreignKey) => ({ kind: 'add-foreign-key' as const, table: target, foreignKey })));
    missing.push(...table.checks.map((name) => `the check "${name}" of ${quoted(table)}`));
    if (table.hasTriggers) missing.push(`the triggers of ${quoted(table)}`);
  }
  missing.push(...all.filter(({ kind }) => kind === 'view').map((view) => `the view ${quoted(view)}`));
  return { before, after: after.toSorted((a, b) => Number(a.kind === 'add-foreign-key') - Number(b.kind === 'add-foreign-key')), missing };
}

const quoted = (table: TableName): string => `"${collectionName(table)}"`;

/** Names of indexes and keys are those of the file where they are free: on some vendors all tables share them. */
function createNames(): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const base = wanted.slice(0, longestName);
    let name = base;
    for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${base.slice(0, longestName - 4)}_${count}`;
    taken.add(name.toLowerCase());
    return name;
  };
}

function isPlain(table: KeptTable, index: RawIndex, missing: string[]): boolean {
  if (index.partial || index.columns.length === 0 || index.definition !== undefined)
    missing.push(`the index "${index.name}" of ${quoted(table)}`);
  else return index.columns.join('\0') !== table.primaryKey.join('\0');
  return false;
}

const indexName = (table: KeptTable, { name, columns, unique }: RawIndex, freeName: (wanted: string) => string): string =>
  freeName(name.startsWith('sqlite_') || name === 'PRIMARY' ? `${table.name}_${columns.join('_')}_${unique ? 'unique' : 'index'}` : name);

function foreignKeySpec(table: KeptTable, key: RawForeignKey, place: PlaceTable, freeName: (wanted: string) => string): ForeignKeySpec {
  const target = place({ schema: key.foreignSchema, name: key.foreignTable });
  return {
    ...key,
    foreignSchema: target.schema,
    foreignTable: target.name,
    name: freeName(key.name ?? `${table.name}_${key.columns.join('_')}_foreign`),
  };
}

class ColumnPlanner {
  readonly #header: BackupHeader;
  readonly #tables: ReadonlyMap<string, KeptTable>;
  readonly #longKeys: boolean;
  readonly #missing: string[];

  constructor(header: BackupHeader, tables: ReadonlyMap<string, KeptTable>, longKeys: boolean, missing: string[]) {
    this.#header = header;
    this.#tables = tables;
    this.#longKeys = longKeys;
    this.#missing = missing;
  }

  plan(table: KeptTable, column: KeptColumn): ColumnSpec {
    const { name, nullable, primaryKey, comment } = column;
    const autoIncrement = column.autoIncrement && table.primaryKey.length === 1 && primaryKey;
    const type = this.#typeOf(table, column);
    const say = (what: string): void => {
      this.#missing.push(`${what} of the column "${collectionName(table)}.${name}"`);
    };
    if (column.choices !== null) say('the list of allowed values');
    if (column.autoIncrement && !autoIncrement) say('the counter');
    const keepsFraction =
      (type === 'dateTime' || type === 'timestamp' || type === 'time') && column.fraction !== null && column.fraction !== 3;
    return {
      name,
      type,
      ...this.#sizeOf(table, column, type, say),
      ...(keepsFraction && column.fraction !== null ? { fraction: column.fraction } : {}),
      nullable,
      default: autoIncrement ? null : this.#defaultOf(column, say),
      unique: false,
      indexed: false,
      primaryKey,
      autoIncrement,
      comment,
      generationExpression: column.generationExpression === null ? null : portableExpression(column.generationExpression),
    };
  }

  /** A column that refers to another has its type, and an integer the size that its values may need. */
  #typeOf(table: KeptTable, column: KeptColumn, depth = 0): ColumnType {
    const { type, bits, autoIncrement, primaryKey } = column;
    const key = table.foreignKeys.find(({ columns }) => columns.includes(column.name));
    const target =
      key === undefined || depth > 5 ? undefined : this.#tables.get(collectionName({ schema: key.foreignSchema, name: key.foreignTable }));
    const referred = target?.columns.find(({ name }) => name === key?.foreignColumns[key.columns.indexOf(column.name)]);
    if (target !== undefined && referred !== undefined && referred !== column) return this.#typeOf(target, referred, depth + 1);
    if (type === 'integer' && bits !== null && bits > 32 && !(autoIncrement && primaryKey)) return bits > 64 ? 'decimal' : 'bigInteger';
    if (type === 'bigInteger' && bits !== null && bits > 64) return 'decimal';
    if (type === 'unknown' || (isGeometryType(type) && this.#header.product === 'postgres')) return 'text';
    if (type === 'string' && (column.maxLength ?? longestString + 1) > longestString)
      return this.#longKeys || !isInKey(table, column) ? 'text' : 'string';
    return type === 'text' && !this.#longKeys && isInKey(table, column) ? 'string' : type;
  }

  #sizeOf(
    table: KeptTable,
    column: KeptColumn,
    type: ColumnType,
    say: (what: string) => void,
  ): Pick<ColumnSpec, 'maxLength' | 'precision' | 'scale'> {
    if (type === 'text' && column.type !== 'text' && column.type !== 'string')
      this.#missing.push(`the type ${column.dataType} of the column "${collectionName(table)}.${column.name}", which becomes text`);
    if (type === 'string') return { maxLength: Math.min(column.maxLength ?? keyLength, longestString), precision: null, scale: null };
    if (type !== 'decimal') return { maxLength: null, precision: null, scale: null };
    if (column.type !== 'decimal') return { maxLength: null, precision: 20, scale: 0 };
    if (column.precision !== null && column.precision <= decimalSize.precision && (column.scale ?? 0) >= 0)
      return { maxLength: null, precision: column.precision, scale: column.scale };
    say('the unlimited precision, which becomes 65 digits with 30 decimals,');
    return { maxLength: null, ...decimalSize };
  }

  #defaultOf(column: KeptColumn, say: (what: string) => void): ColumnSpec['default'] {
    const wanted = restateDefault(column.default);
    if (wanted?.kind !== 'expression') return wanted;
    say(`the default ${wanted.text}`);
    return null;
  }
}

const isInKey = (table: KeptTable, { name }: KeptColumn): boolean =>
  table.primaryKey.includes(name) ||
  table.indexes.some(({ columns, partial }) => !partial && columns.includes(name)) ||
  table.foreignKeys.some(({ columns }) => columns.includes(name));

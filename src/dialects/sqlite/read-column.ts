// One column: its declared type, default and rules as raw facts.

import type { RawColumn, RawIndex, RawTable } from '../../core/schema/raw.js';
import type { ColumnFact } from './catalogue.js';
import { readDefault } from './default-value.js';
import { type ColumnSource, generationExpression, type TableSource } from './table-source.js';
import { parseDeclaredType, readMaxLength, readPrecision, readType } from './types.js';
import type { ColumnVendorFacts } from './vendor-facts.js';

export interface TableContext {
  readonly source: TableSource | null;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly RawIndex[];
  readonly kind: RawTable['kind'];
  /** By the name of the column an index begins with. */
  readonly values: ReadonlyMap<string, number>;
}

const storedColumn = 3;

export function readColumn(fact: ColumnFact, context: TableContext): RawColumn {
  const declared = parseDeclaredType(fact.declared);
  const type = readType(declared);
  const source = context.source?.columns.find((column) => column.name === fact.name);
  const isKey = context.primaryKey.includes(fact.name);
  const isOnlyKey = isKey && context.primaryKey.length === 1;
  const autoIncrement = isOnlyKey && isRowid(fact, source, context.source);
  const whole = context.indexes.filter((index) => !index.partial);
  const generated = fact.hidden > 1;
  return {
    name: fact.name,
    dataType: declared.name,
    type,
    default: autoIncrement ? { kind: 'counter', value: 'AUTOINCREMENT' } : readDefault(fact.default, type),
    maxLength: readMaxLength(declared),
    ...readPrecision(declared),
    generated,
    generationExpression: generated && source !== undefined ? generationExpression(source) : null,
    // SQLite lets NULL into a key that is no rowid; nobody wants it there, so the service asks for a value.
    nullable: !fact.notNull && !isKey,
    unique: isOnlyKey || whole.some((index) => index.unique && index.columns.length === 1 && index.columns[0] === fact.name),
    indexed: context.primaryKey[0] === fact.name || whole.some((index) => index.columns[0] === fact.name),
    primaryKey: isKey,
    autoIncrement,
    comment: null,
    collation: null,
    vendor: { ...vendorFacts(fact, declared.affinity, context) },
  };
}

const vendorFacts = (fact: ColumnFact, affinity: ColumnVendorFacts['affinity'], context: TableContext): ColumnVendorFacts => ({
  declaredType: fact.declared,
  affinity,
  stored: fact.hidden === storedColumn,
  values: context.values.get(fact.name) ?? null,
});

/** Only INTEGER PRIMARY KEY, in this word, is the rowid under another name; a descending key written at the column is not. */
function isRowid(fact: ColumnFact, source: ColumnSource | undefined, table: TableSource | null): boolean {
  if (fact.declared.toUpperCase() !== 'INTEGER' || /without\s+rowid/i.test(table?.options ?? '')) return false;
  const key = source?.clauses.find((clause) => clause.rule === 'primary key');
  return key === undefined || !/\bdesc\b/i.test(key.text);
}

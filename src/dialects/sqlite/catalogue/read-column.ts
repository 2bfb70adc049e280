// One row of the catalogue's columns becomes a RawColumn.

import type { RawColumn, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { ValueFacts } from '../../../core/schema/types/coerced.js';
import { type ColumnType, isGeometryType } from '../../../core/schema/types/field-type.js';
import {
  type DeclaredType,
  parseDeclaredType,
  readFraction,
  readMaxLength,
  readPrecision,
  readRange,
  readType,
  shownName,
} from '../types/column-types.js';
import type { ColumnVendorFacts } from '../types/vendor-facts.js';
import type { ColumnFact } from './catalogue.js';
import { readDefault } from './default-value.js';
import { isSign, isWord, readTokens } from './sql-tokens.js';
import { type ColumnSource, generationExpression, type TableSource } from './table-source.js';

export interface TableContext {
  readonly source: TableSource | null;
  readonly primaryKey: readonly string[];
  readonly indexes: readonly RawIndex[];
  readonly kind: RawTable['kind'];
  /** Estimated number of distinct values, by the name of the column that an index begins with. */
  readonly values: ReadonlyMap<string, number>;
}

/** See ColumnFact.hidden. */
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
    dataType: shownName(declared),
    type,
    default: autoIncrement ? { kind: 'counter', value: 'AUTOINCREMENT' } : readDefault(fact.default, type),
    maxLength: readMaxLength(declared),
    ...readPrecision(declared),
    generated,
    generationExpression: generated && source !== undefined ? generationExpression(source) : null,
    // SQLite accepts NULL in a primary key that is not the rowid. The service requires a value, as the other vendors do.
    nullable: !fact.notNull && !isKey,
    unique: isOnlyKey || whole.some((index) => index.unique && index.columns.length === 1 && index.columns[0] === fact.name),
    indexed: context.primaryKey[0] === fact.name || whole.some((index) => index.columns[0] === fact.name),
    primaryKey: isKey,
    ...ownFacts(type, declared, fact.name, source),
    autoIncrement,
    comment: null,
    collation: null,
    vendor: { ...vendorFacts(fact, declared.affinity, context) },
  };
}

/** Geometry that another program stored as bytes, as it is answered. */
const bytesText = /^\\x(?:[0-9a-f]{2})*$/i;

const ownFacts = (
  type: ColumnType,
  declared: DeclaredType,
  name: string,
  source: ColumnSource | undefined,
): Pick<ValueFacts, 'range' | 'fraction' | 'choices' | 'loose' | 'approximate' | 'alsoAccepts'> => {
  const choices = type === 'string' || type === 'text' ? readChoices(name, source) : null;
  const range = readRange(type, declared);
  const fraction = type === 'time' ? 6 : readFraction(type, declared);
  return {
    ...(range === null || range === undefined ? {} : { range }),
    ...(fraction === null ? {} : { fraction }),
    ...(type === 'decimal' && declared.affinity === 'NUMERIC' ? { approximate: true as const } : {}),
    ...(type === 'unknown' ? { loose: true } : {}),
    ...(isGeometryType(type) ? { alsoAccepts: bytesText } : {}),
    ...(choices === null ? {} : { choices }),
  };
};

/** The values of a check of the form `CHECK (name IN ('a', 'b'))`, which stands for an enum on SQLite. */
function readChoices(name: string, source: ColumnSource | undefined): readonly string[] | null {
  for (const { text } of source?.clauses.filter(({ rule }) => rule === 'check') ?? []) {
    const tokens = readTokens(text);
    const [, open, column, word, list, ...rest] = tokens.slice(tokens.findIndex((token) => isWord(token, 'CHECK')));
    const words = rest.slice(0, -2);
    const isList = isSign(open, '(') && column?.value.toLowerCase() === name.toLowerCase() && isWord(word, 'IN') && isSign(list, '(');
    if (isList && words.every((token, index) => (index % 2 === 0 ? token.kind === 'string' : isSign(token, ','))))
      return words.filter((token) => token.kind === 'string').map((token) => token.value);
  }
  return null;
}

const vendorFacts = (fact: ColumnFact, affinity: ColumnVendorFacts['affinity'], context: TableContext): ColumnVendorFacts => ({
  declaredType: fact.declared,
  affinity,
  stored: fact.hidden === storedColumn,
  values: context.values.get(fact.name) ?? null,
});

/** Only a key declared as INTEGER, spelled exactly so, is an alias of the rowid; INTEGER PRIMARY KEY DESC at the column is not. */
function isRowid(fact: ColumnFact, source: ColumnSource | undefined, table: TableSource | null): boolean {
  if (fact.declared.toUpperCase() !== 'INTEGER' || /without\s+rowid/i.test(table?.options ?? '')) return false;
  const key = source?.clauses.find((clause) => clause.rule === 'primary key');
  return key === undefined || !/\bdesc\b/i.test(key.text);
}

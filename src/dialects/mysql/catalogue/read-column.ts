// One row of information_schema.columns becomes a RawColumn.

import type { RawColumn, RawDefault } from '../../../core/schema/raw.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import type { Cell, Row } from '../../../core/vendor/driver.js';
import { readType } from '../types/column-types.js';
import { quoteText, unescapeExpression, unquoteLiteral } from '../types/quote.js';
import { type ColumnFacts, readValueFacts } from '../types/vendor-facts.js';
import { type CatalogueQuery, readFrom } from './change-token.js';
import { readDefault } from './read-default.js';

const columnsOf = (srid: string): CatalogueQuery =>
  readFrom(
    'columns',
    `table_name, column_name, data_type, column_type, column_default, is_nullable, character_maximum_length,
  numeric_precision, numeric_scale, collation_name, extra, column_comment, generation_expression, datetime_precision, ${srid}`,
    ' ORDER BY table_name, ordinal_position',
  );
export const columnsQueries = { mariadb: columnsOf('NULL'), mysql: columnsOf('srs_id') };

/** What other views of the catalogue say about the column. */
export interface ColumnKeys {
  readonly view: boolean;
  readonly primaryKey: boolean;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly check: string | null;
  readonly mariadb: boolean;
}

export function readColumn(row: Row, keys: ColumnKeys): RawColumn {
  const [
    ,
    nameCell,
    dataTypeCell,
    columnTypeCell,
    ,
    nullable,
    length,
    precision,
    scale,
    collation,
    extraCell,
    comment,
    generation,
    fraction,
  ] = row;
  const name = String(nameCell);
  const dataType = String(dataTypeCell).toLowerCase();
  const facts = readFacts(
    String(columnTypeCell).toLowerCase() === dataType ? dataType : String(columnTypeCell),
    row,
    String(extraCell),
    keys,
  );
  const type = readType(dataType, facts.columnType, isJsonCheck(keys.check, name));
  const autoIncrement = /\bauto_increment\b/i.test(String(extraCell));
  return {
    name,
    dataType,
    type,
    default: keys.view ? null : defaultOf(facts, type, autoIncrement),
    maxLength: dataType === 'char' || dataType === 'varchar' ? toNumber(length) : null,
    precision: type === 'boolean' ? null : toNumber(precision),
    scale: type === 'boolean' ? null : toNumber(scale),
    generated: facts.generation !== null,
    generationExpression: facts.generation === null ? null : readExpression(String(generation), keys.mariadb),
    nullable: keys.view || nullable === 'YES',
    unique: keys.unique,
    indexed: keys.indexed,
    primaryKey: keys.primaryKey,
    ...readValueFacts(type, { dataType, ...facts, fraction: toNumber(fraction) }),
    autoIncrement,
    comment: toText(comment),
    collation: toText(collation),
    vendor: { ...facts },
  };
}

function readFacts(columnType: string, row: Row, extra: string, keys: ColumnKeys): ColumnFacts {
  const generation = /\b(STORED|VIRTUAL) GENERATED\b/i.exec(extra)?.[1]?.toUpperCase();
  const srid = row[14] ?? null;
  return {
    columnType: srid === null ? columnType : `${columnType} SRID ${srid}`,
    defaultSql: readDefaultSql(row[4], extra, keys.mariadb),
    onUpdate: /\bon update (\S+)/i.exec(extra)?.[1] ?? null,
    invisible: /\bINVISIBLE\b/i.test(extra),
    unsigned: /\bunsigned\b/.test(columnType),
    zerofill: /\bzerofill\b/.test(columnType),
    values: /^(?:enum|set)\(/.test(columnType) ? readValues(columnType) : null,
    generation: generation === 'STORED' || generation === 'VIRTUAL' ? generation : null,
    check: keys.check,
  };
}

const defaultOf = (facts: ColumnFacts, type: ColumnType, autoIncrement: boolean): RawDefault | null =>
  autoIncrement ? { kind: 'counter', value: 'AUTO_INCREMENT' } : readDefault(facts.defaultSql, type);

/**
 * The default as SQL. MariaDB's catalogue has SQL text (`'it''s'`, `current_timestamp()`). MySQL's has the bare value (`it's`); an expression is
 * marked with DEFAULT_GENERATED.
 */
function readDefaultSql(cell: Cell | undefined, extra: string, mariadb: boolean): string | null {
  if (cell === null || cell === undefined) return null;
  const text = String(cell);
  if (mariadb) return text.toUpperCase() === 'NULL' ? null : text;
  return /\bDEFAULT_GENERATED\b/i.test(extra) ? unescapeExpression(text) : quoteText(text);
}

const readExpression = (text: string, mariadb: boolean): string => (mariadb ? text : unescapeExpression(text));

const readValues = (columnType: string): readonly string[] =>
  Array.from(columnType.matchAll(/'(?:[^'\\]|''|\\.)*'/gs), ([literal]) => unquoteLiteral(literal) ?? literal);

const isJsonCheck = (check: string | null, name: string): boolean =>
  (check ?? '').split(' and ').includes(`json_valid(\`${name.replaceAll('`', '``')}\`)`);

const toNumber = (cell: Cell | undefined): number | null => (cell === null || cell === undefined ? null : Number(cell));
const toText = (cell: Cell | undefined): string | null => (cell === null || cell === undefined || cell === '' ? null : String(cell));

// Alters a column: compares the present column with the spec and writes statements for the differences only.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { RawColumn, RawDatabase, RawDefault, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { TableName } from '../../../core/schema/table-name.js';
import { type ColumnSpec, type DefaultSpec, readBackType } from '../../../core/vendor/ddl.js';
import { writeType } from '../types/column-types.js';
import { quoteLiteral, quoteName, quoteTable } from '../types/quote.js';
import { castExpression } from './cast-expression.js';
import { commentOnColumn, defaultText, identityClause } from './column-definition.js';
import { addPrimaryKey, addUnique, createIndex, dropIndex } from './keys.js';

export function alterColumn(table: RawTable, spec: ColumnSpec, before: RawDatabase, hasPostgis: boolean): readonly string[] {
  const now = table.columns.find((column) => column.name === spec.name);
  if (now === undefined) throw invalidPayload(`Field "${spec.name}" does not exist.`);
  return [
    ...alterGeneration(table, now, spec),
    ...alterValues(table, now, spec, hasPostgis),
    ...alterPrimaryKey(table, now, spec, before),
    ...alterIndexes(table, now, spec, before),
    ...(now.comment === spec.comment ? [] : [commentOnColumn(table, spec.name, spec.comment)]),
  ];
}

const alter = (table: RawTable, column: string, action: string): string =>
  `ALTER TABLE ${quoteTable(table)} ALTER COLUMN ${quoteName(column)} ${action}`;

function alterGeneration(table: RawTable, now: RawColumn, spec: ColumnSpec): readonly string[] {
  if (now.generationExpression === spec.generationExpression) return [];
  if (spec.generationExpression === null) return [alter(table, spec.name, 'DROP EXPRESSION')];
  throw invalidPayload(`The generation expression of field "${spec.name}" cannot be changed.`);
}

/**
 * Identity, type, default and NOT NULL, in an order in which each step is valid. The default is dropped before a change of type and set again
 * afterwards, because PostgreSQL cannot always cast it.
 */
function alterValues(table: RawTable, now: RawColumn, spec: ColumnSpec, hasPostgis: boolean): readonly string[] {
  const retyped = isRetyped(now, spec);
  const losesCounter = now.autoIncrement && !spec.autoIncrement;
  const gainsCounter = !now.autoIncrement && spec.autoIncrement;
  const wanted = spec.autoIncrement || spec.generationExpression !== null ? null : spec.default;
  const present = now.autoIncrement ? null : now.default;
  const defaultChanges = !isSameDefault(present, wanted) || (retyped && present !== null);
  const steps: string[] = [];
  if (losesCounter) steps.push(dropCounter(table, now));
  if (defaultChanges && present !== null) steps.push(alter(table, spec.name, 'DROP DEFAULT'));
  if (retyped) steps.push(retype(table, now, spec, hasPostgis));
  if (defaultChanges && wanted !== null) steps.push(alter(table, spec.name, `SET DEFAULT ${defaultText(wanted)}`));
  if (now.nullable && (!spec.nullable || gainsCounter)) steps.push(alter(table, spec.name, 'SET NOT NULL'));
  if (gainsCounter) steps.push(alter(table, spec.name, `ADD ${identityClause}`), continueCounter(table, spec.name));
  if (!now.nullable && spec.nullable && !spec.primaryKey && !spec.autoIncrement) steps.push(alter(table, spec.name, 'DROP NOT NULL'));
  return steps;
}

function dropCounter(table: RawTable, now: RawColumn): string {
  return alter(table, now.name, now.vendor['identity'] === undefined ? 'DROP DEFAULT' : 'DROP IDENTITY');
}

/** A column keeps its exact type (jsonb, smallint, an enum) as long as its type in the service stays the same. */
function isRetyped(now: RawColumn, spec: ColumnSpec): boolean {
  const type = readBackType(spec.type);
  if (type !== now.type) return true;
  if (now.vendor['enumValues'] !== undefined) return false;
  if (type === 'string') return spec.maxLength !== now.maxLength && spec.type !== 'hash';
  return type === 'decimal' && (spec.precision !== now.precision || (spec.precision !== null && (spec.scale ?? 0) !== now.scale));
}

function retype(table: RawTable, now: RawColumn, spec: ColumnSpec, hasPostgis: boolean): string {
  const target = writeType(spec, hasPostgis);
  const dataType = target.replace(/\([^)]*\)/, '');
  return alter(table, spec.name, `TYPE ${target} USING ${castExpression(spec.name, now.dataType, dataType)}`);
}

function isSameDefault(present: RawDefault | null, wanted: DefaultSpec | null): boolean {
  if (present === null || wanted === null) return present === wanted;
  switch (wanted.kind) {
    case 'literal':
      return present.kind === 'literal' && String(present.value) === String(wanted.value);
    case 'now':
      return present.kind === 'expression' && present.value === 'CURRENT_TIMESTAMP';
    case 'expression':
      return present.kind === 'expression' && present.value === wanted.text;
  }
}

function alterPrimaryKey(table: RawTable, now: RawColumn, spec: ColumnSpec, before: RawDatabase): readonly string[] {
  if (now.primaryKey === spec.primaryKey) return [];
  if (!spec.primaryKey || table.primaryKey.length > 0)
    throw invalidPayload(`The primary key of collection "${table.name}" cannot be changed.`);
  return [addPrimaryKey(table, [spec.name], before)];
}

function alterIndexes(table: RawTable, now: RawColumn, spec: ColumnSpec, before: RawDatabase): readonly string[] {
  if (spec.primaryKey) return [];
  const alone = table.indexes.filter((index) => !index.partial && index.columns.length === 1 && index.columns[0] === now.name);
  const dropped = alone.filter((index) => (index.unique ? !spec.unique : !spec.indexed));
  const staysIndexed = spec.unique || table.indexes.some((index) => index.columns[0] === now.name && !dropped.includes(index));
  return [
    ...dropped.map((index: RawIndex) => dropIndex(table, index.name)),
    ...(spec.unique && !now.unique ? [addUnique(table, [spec.name], before)] : []),
    ...(spec.indexed && !staysIndexed ? [createIndex(table, [spec.name], before)] : []),
  ];
}

/**
 * Advances the sequence of a column to the highest stored key, because a sequence does not notice keys that were inserted explicitly. Never sets it
 * back, and does nothing if the column owns no sequence.
 */
export function continueCounter(table: TableName, column: string): string {
  const target = quoteTable(table);
  const name = quoteName(column);
  const sequence = `pg_get_serial_sequence(${quoteLiteral(target)}, ${quoteLiteral(column)})`;
  return (
    `SELECT setval(s.sequence, h.highest) FROM (SELECT ${sequence}::regclass AS sequence) s, (SELECT max(${name}) AS highest FROM ${target}) h` +
    ' WHERE s.sequence IS NOT NULL AND h.highest > coalesce(pg_sequence_last_value(s.sequence), 0)'
  );
}

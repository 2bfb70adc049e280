// The statements that turn a column as it is into a column as it shall be; only what differs is touched.

import { invalidPayload } from '../../core/errors/service-error.js';
import type { RawColumn, RawDatabase, RawDefault, RawIndex, RawTable } from '../../core/schema/raw.js';
import type { ColumnSpec, DefaultSpec } from '../../core/vendor/ddl.js';
import { castExpression } from './cast-expression.js';
import { commentOnColumn, defaultText, identityClause } from './column-definition.js';
import { continueCounter } from './counter.js';
import { addPrimaryKey, addUnique, createIndex, dropIndex } from './indexes.js';
import { quoteName, quoteTable } from './quoting.js';
import { readBackType, writeType } from './types.js';

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

/** Counter, type, default and NOT NULL, in an order in which no step trips over the next: a default cannot follow its column through a cast. */
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

/** A column keeps its vendor's type (jsonb, smallint, an enum) as long as the service's type stays the same. */
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

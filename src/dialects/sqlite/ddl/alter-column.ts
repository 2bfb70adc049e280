// Alters a column: creates or drops its index if nothing else changes, otherwise rebuilds the table.

import type { RawColumn, RawDatabase, RawIndex, RawTable } from '../../../core/schema/raw.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';
import { writeDefault } from '../catalogue/default-value.js';
import type { ColumnSource } from '../catalogue/table-source.js';
import { parseDeclaredType, readMaxLength, readPrecision, readType, writeType } from '../types/column-types.js';
import { quoteName, quoteText } from '../types/quote.js';
import { redefineColumn, sourceText } from './column-definition.js';
import { columnIndex, dropIndex, isInlineIndex, takenNames } from './index-steps.js';
import { copyColumns, rebuildTable, tableSource } from './rebuild-table.js';

export function alterColumn(table: RawTable, spec: ColumnSpec, before: RawDatabase): readonly string[] {
  const column = table.columns.find((candidate) => candidate.name === spec.name);
  if (column === undefined) throw new Error(`no column ${spec.name} in ${table.name}`);
  const unwanted = table.indexes.filter((index) => isUnwanted(index, spec));
  const inlineUnique = unwanted.some((index) => isInlineIndex(index, table));
  const ownIndexes = unwanted.filter((index) => !isInlineIndex(index, table)).map((index) => index.name);
  const change = inlineUnique || isRedefined(column, spec) ? rebuildColumn(table, column, spec, ownIndexes) : ownIndexes.map(dropIndex);
  return [...change, ...missingIndex(table, spec, unwanted, before)];
}

/** Whether the index covers this column alone and the spec does not require it. */
function isUnwanted(index: RawIndex, spec: ColumnSpec): boolean {
  if (spec.primaryKey || index.partial || index.columns.length !== 1 || index.columns[0] !== spec.name) return false;
  return index.unique ? !spec.unique : !spec.indexed;
}

function missingIndex(table: RawTable, spec: ColumnSpec, unwanted: readonly RawIndex[], before: RawDatabase): readonly string[] {
  const staying = table.indexes.filter((index) => !unwanted.includes(index) && !index.partial && index.columns[0] === spec.name);
  const isThere = spec.unique ? staying.some((index) => index.unique && index.columns.length === 1) : staying.length > 0;
  return isThere ? [] : columnIndex(spec, table.name, takenNames(before));
}

function isRedefined(column: RawColumn, spec: ColumnSpec): boolean {
  const present = column.default === null || column.default.kind === 'counter' ? null : column.default;
  const wanted = spec.autoIncrement ? null : writeDefault(spec);
  const presentText =
    present === null
      ? null
      : writeDefault({
          ...spec,
          default:
            present.kind === 'literal' ? { kind: 'literal', value: present.value } : { kind: 'expression', text: String(present.value) },
        });
  return (
    !isSameType(column, spec) ||
    (column.nullable !== spec.nullable && !column.primaryKey) ||
    (wanted !== presentText && !column.generated) ||
    column.generationExpression !== spec.generationExpression
  );
}

function isSameType(column: RawColumn, spec: ColumnSpec): boolean {
  const declared = parseDeclaredType(writeType(spec));
  const { precision, scale } = readPrecision(declared);
  if (readType(declared) !== column.type) return false;
  if (column.type === 'string') return readMaxLength(declared) === column.maxLength;
  return column.type !== 'decimal' || (precision === column.precision && scale === column.scale);
}

function rebuildColumn(table: RawTable, column: RawColumn, spec: ColumnSpec, withoutIndexes: readonly string[]): readonly string[] {
  const source = tableSource(table);
  const define = (candidate: ColumnSource): string => {
    if (candidate.name !== spec.name) return sourceText(candidate);
    return redefineColumn(spec, keepUnique(candidate, spec), isSameType(column, spec) ? candidate.type : writeType(spec));
  };
  const constraints = source.constraints.filter(
    ({ rule, columns }) => spec.unique || rule !== 'unique' || columns.length !== 1 || columns[0] !== spec.name,
  );
  const copy = copyColumns(table).map((part) => (part.column === spec.name ? { ...part, expression: copyExpression(column, spec) } : part));
  return rebuildTable(table, {
    definitions: [...source.columns.map(define), ...constraints.map(({ text }) => text)],
    copy: spec.generationExpression === null ? copy : copy.filter((part) => part.column !== spec.name),
    withoutIndexes,
  });
}

/** Keeps a UNIQUE clause of the column through `redefineColumn`, which keeps checks. */
function keepUnique(source: ColumnSource, spec: ColumnSpec): ColumnSource {
  if (!spec.unique) return source;
  return { ...source, clauses: source.clauses.map((clause) => (clause.rule === 'unique' ? { ...clause, rule: 'check' } : clause)) };
}

function copyExpression(column: RawColumn, spec: ColumnSpec): string {
  const name = quoteName(column.name);
  if (isSameType(column, spec)) return name;
  const limit = spec.type === 'string' || spec.type === 'hash' ? (parseDeclaredType(writeType(spec)).numbers[0] ?? 0) : 0;
  return `convert_value(${name}, ${quoteText(column.type)}, ${quoteText(spec.type)}, ${limit})`;
}

// Arrays and hstore: literals from canonical JSON, and how such values are compared.

import type { RawColumn } from '../../../core/schema/raw.js';
import type { Structure } from '../../../core/schema/types/coerced.js';
import { type BoundValue, type Sql, sql, trusted } from '../../../core/sql/sql.js';
import type { Typed } from '../../../core/sql/syntax.js';
import { exactType, hasOrder } from '../types/vendor-facts.js';

export type StructuredColumn = RawColumn & { readonly structure: Structure };

export const isStructured = (column: RawColumn | null): column is StructuredColumn => column?.structure !== undefined;

/** Encodes the canonical JSON text of a list or a map. */
export function encodeStructure(structure: Structure): (canonical: unknown) => BoundValue {
  const encode = (canonical: unknown): string | null => (typeof canonical === 'string' ? writeLiteral(structure, canonical) : null);
  return (canonical) => (Array.isArray(canonical) ? canonical.map(encode) : encode(canonical));
}

function writeLiteral(structure: Structure, canonical: string): string {
  if (structure.kind === 'map') return writeMap(JSON.parse(canonical));
  const inner = structure.element.facts.structure;
  return writeList(JSON.parse(canonical), inner === undefined ? (entry) => entry : (entry) => writeLiteral(inner, entry));
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** `{"1",NULL,{"2"}}` */
function writeList(list: readonly unknown[], write: (entry: string) => string): string {
  const entries = list.map((entry) => {
    if (Array.isArray(entry)) return writeList(entry, write);
    return entry === null ? 'NULL' : quoted(write(String(entry)));
  });
  return `{${entries.join(',')}}`;
}

/** `"a"=>"1","b"=>NULL` */
const writeMap = (map: Readonly<Record<string, unknown>>): string =>
  Object.entries(map)
    .map(([name, entry]) => `${quoted(name)}=>${entry === null ? 'NULL' : quoted(String(entry))}`)
    .join(',');

/** A cast to a type with equality, for those without: arrays of json, xml or points. */
function comparedType(column: RawColumn | null): string {
  if (column === null || hasOrder(column)) return '';
  if (column.structure?.kind !== 'list') return '::text';
  return column.structure.element.type === 'json' ? '::jsonb[]' : '::text[]';
}

/** An array with other lower bounds than 1 is answered like one without, and PostgreSQL does not take the two for equal. */
function withoutBounds(x: Sql, column: RawColumn | null): Sql {
  if (column === null || column.structure?.kind !== 'list') return x;
  const plain = sql`substr(${x}::text, strpos(${x}::text, '{'))::${trusted(exactType(column))}`;
  return sql`(CASE WHEN array_dims(${x}) ~ '\\[(?!1:)' THEN ${plain} ELSE ${x} END)`;
}

export const comparedAs = ({ sql: x, column }: Typed): Sql => sql`${withoutBounds(x, column)}${trusted(comparedType(column))}`;

export const structureCast = (column: RawColumn): string => `::${exactType(column)}${comparedType(column)}`;

/** `values`: an array of literals as text. */
export const isAmong = (x: Typed, column: StructuredColumn, values: Sql): Sql =>
  sql`(CASE WHEN ${x.sql} IS NOT NULL THEN EXISTS (SELECT FROM unnest(${values}) AS v(t) WHERE ${comparedAs(x)} = v.t${trusted(structureCast(column))}) END)`;

/** Whether `x` contains all elements or pairs of `part`. */
export function containsPart(x: Typed, { structure }: StructuredColumn, part: Sql): Sql {
  const compared = trusted(comparedType(x.column));
  return structure.kind === 'map' ? sql`${x.sql} @> ${part}` : sql`${x.sql}${compared} @> ${part}${compared}`;
}

export const isEmptyStructure = ({ sql: x }: Typed, { structure }: StructuredColumn): Sql =>
  structure.kind === 'list' ? sql`cardinality(${x}) = 0` : sql`${x}::text = ''`;

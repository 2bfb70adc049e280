// A new field, parsed from its payload: name, type, column options and metadata. Checks that need the database (taken names, foreign keys)
// come later, in the planner.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import { flagsForType, refineType } from '../../../core/schema/specials.js';
import { type ColumnType, columnTypes } from '../../../core/schema/types/field-type.js';
import type { ColumnSpec, Ddl } from '../../../core/vendor/ddl.js';
import { askedOfNewColumn } from '../describe/described.js';
import { parseFieldMeta, splitFlags } from '../describe/field-meta.js';
import { asObject, asOptionalObject, asText, type Payload, refuseUnknown } from '../describe/payload.js';
import { checkFieldName } from './columns/check-sql-text.js';
import { type ColumnOptions, parseColumnOptions } from './columns/column-options.js';
import { newColumnSpec } from './columns/column-spec.js';
import { makeColumn } from './simulate-change.js';

export interface FieldDraft {
  readonly field: string;
  /** null for an alias, which has no column. */
  readonly column: ColumnSpec | null;
  readonly foreignTable: string | null;
  readonly foreignColumn: string | null;
  /** The place in a composite primary key, if the payload names one. */
  readonly keyPosition: number | null;
  /** The columns of a row in service_fields; null if the payload has no metadata and the type needs no flags. */
  readonly meta: MetaRow | null;
}

/** Types without a column; all but the first are stored as a flag in `special`. */
const aliasKinds = ['alias', 'm2o', 'o2m', 'm2m', 'm2a', 'o2a', 'files', 'translations', 'group', 'presentation'];

export function parseFieldDraft(value: unknown, collection: string, table: string | null, ddl: Ddl): FieldDraft {
  const payload = asObject(value, 'A field');
  refuseUnknown(payload, ['collection', 'field', 'type', 'schema', 'meta'], 'a field');
  const field = checkFieldName(asText(payload.field, '"field"'));
  if (payload.collection !== undefined && payload.collection !== collection)
    throw invalidPayload(`The field "${field}" names another collection.`);
  const meta = asOptionalObject(payload.meta, '"meta"');
  const row = meta === null ? null : parseFieldMeta(meta, { id: null, collection, field });
  const schema = asOptionalObject(payload.schema, '"schema"');
  const type = asText(payload.type, '"type"');
  if (aliasKinds.includes(type)) return aliasDraft(field, type, schema, row);
  const columnType = columnTypes.find((candidate) => candidate === type && candidate !== 'unknown');
  if (columnType === undefined) throw invalidPayload(`"${type}" is not a type of a field.`);
  const options = parseColumnOptions(askedOfNewColumn(schema ?? {}, columnType), { name: field, table, data_type: null });
  return columnDraft(field, columnType, options, row, ddl);
}

function aliasDraft(field: string, kind: string, schema: Payload | null, row: MetaRow | null): FieldDraft {
  if (schema !== null && Object.keys(schema).length > 0)
    throw invalidPayload(`The alias field "${field}" has no column, so it takes no schema.`);
  const flags = splitFlags(row?.special);
  const special = kind === 'alias' || flags.includes(kind) ? flags : [...flags, kind];
  return { field, column: null, foreignTable: null, foreignColumn: null, keyPosition: null, meta: { ...row, special: joinFlags(special) } };
}

function columnDraft(field: string, type: ColumnType, options: ColumnOptions, row: MetaRow | null, ddl: Ddl): FieldDraft {
  const spec = newColumnSpec(field, type, options);
  const special = specialFor(spec, type, splitFlags(row?.special), ddl);
  const comment = ddl.keepsComments || spec.comment === null ? {} : { column_comment: spec.comment };
  const needsRow = special.length > 0 || Object.keys(comment).length > 0;
  return {
    field,
    column: spec,
    foreignTable: options.foreignTable ?? null,
    foreignColumn: options.foreignColumn ?? null,
    keyPosition: options.primaryKeyPosition ?? null,
    meta: row === null && !needsRow ? null : { ...row, special: joinFlags(special), ...comment },
  };
}

/** The requested flags, plus those without which introspection would report the column as another type. */
export function specialFor(spec: ColumnSpec, type: ColumnType, flags: readonly string[], ddl: Ddl): readonly string[] {
  const column = makeColumn(spec, ddl);
  if (refineType(column, new Set(flags)) === type) return flags;
  return [...flagsForType(type, column.type), ...flags];
}

export const joinFlags = (flags: readonly string[]): string | null => flags.join(',') || null;

/** The primary key of a new table: its fields in the order of their positions; those without one follow in the order of the fields. */
export const keyOfDrafts = (drafts: readonly FieldDraft[]): readonly string[] =>
  drafts
    .filter(({ column }) => column?.primaryKey === true)
    .toSorted((a, b) => (a.keyPosition ?? drafts.length) - (b.keyPosition ?? drafts.length))
    .map(({ field }) => field);

// The complete definition of a column for DDL: of a new, an unchanged or an altered one. It is always complete because MODIFY COLUMN drops
// every property that it does not state.

import type { RawColumn } from '../../../core/schema/raw.js';
import { type ColumnSpec, readBackType } from '../../../core/vendor/ddl.js';
import { writeType } from '../types/column-types.js';
import { quoteComment, quoteName } from '../types/quote.js';
import { collationOf, isAtLeast, type Server } from '../types/server.js';
import { columnFacts } from '../types/vendor-facts.js';
import { restateDefault, writeDefault } from './column-default.js';

export interface ColumnDefinition {
  readonly name: string;
  readonly sqlType: string;
  readonly collation: string | null;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly onUpdate: string | null;
  readonly autoIncrement: boolean;
  readonly invisible: boolean;
  readonly comment: string | null;
  readonly check: string | null;
  readonly generated: { readonly expression: string; readonly storage: 'STORED' | 'VIRTUAL' } | null;
}

export function writeColumn(column: ColumnDefinition): string {
  const type = [quoteName(column.name), column.sqlType, ...(column.collation === null ? [] : [`COLLATE ${column.collation}`])];
  const value =
    column.generated === null
      ? [
          column.nullable ? 'NULL' : 'NOT NULL',
          ...clause('DEFAULT', column.default),
          ...clause('ON UPDATE', column.onUpdate),
          ...(column.autoIncrement ? ['AUTO_INCREMENT'] : []),
        ]
      : [`GENERATED ALWAYS AS (${column.generated.expression}) ${column.generated.storage}`];
  const rest = [
    ...(column.invisible ? ['INVISIBLE'] : []),
    ...clause('COMMENT', column.comment === null ? null : quoteComment(column.comment)),
    ...clause('CHECK', column.check === null ? null : `(${column.check})`),
  ];
  return [...type, ...value, ...rest].join(' ');
}

const clause = (word: string, text: string | null): readonly string[] => (text === null ? [] : [`${word} ${text}`]);

/** The definition of a column that exists. */
export function existingColumn(column: RawColumn): ColumnDefinition {
  const facts = columnFacts(column);
  return {
    name: column.name,
    sqlType: facts.columnType,
    collation: column.collation,
    nullable: column.nullable,
    default: facts.defaultSql === null ? null : restateDefault(facts.defaultSql, facts.columnType),
    onUpdate: facts.onUpdate,
    autoIncrement: column.autoIncrement,
    invisible: facts.invisible,
    comment: column.comment,
    check: facts.check,
    generated: facts.generation === null ? null : { expression: column.generationExpression ?? '', storage: facts.generation },
  };
}

/** The definition of a new column. `like`: the column it refers to, whose exact type it must have. */
export function newColumn(spec: ColumnSpec, server: Server, like: RawColumn | null): ColumnDefinition {
  const sqlType = like === null ? writeType(spec, server) : referableType(like);
  return {
    name: spec.name,
    sqlType,
    collation: like === null ? textCollation(sqlType, server) : like.collation,
    nullable: spec.nullable,
    default: writeDefault(spec, sqlType) ?? impliedDefault(spec, server),
    onUpdate: null,
    autoIncrement: spec.autoIncrement,
    invisible: false,
    comment: spec.comment,
    check: null,
    generated: spec.generationExpression === null ? null : { expression: spec.generationExpression, storage: 'STORED' },
  };
}

/**
 * The definition of a column after a change. As long as the type in the service stays the same, properties that the service does not know (unsigned,
 * enum values, collation, visibility) are kept.
 */
export function changedColumn(spec: ColumnSpec, before: RawColumn, server: Server): ColumnDefinition {
  if (!keepsType(spec, before)) return newColumn(spec, server, null);
  const present = existingColumn(before);
  return {
    ...present,
    nullable: spec.nullable,
    default: writeDefault(spec, present.sqlType) ?? impliedDefault(spec, server),
    autoIncrement: spec.autoIncrement,
    comment: spec.comment,
    generated:
      spec.generationExpression === null
        ? null
        : { expression: spec.generationExpression, storage: present.generated?.storage ?? 'STORED' },
  };
}

const keepsType = (spec: ColumnSpec, before: RawColumn): boolean =>
  (spec.type === before.type || readBackType(spec.type) === before.type) &&
  sameSize(spec.maxLength, before.maxLength) &&
  sameSize(spec.precision, before.precision) &&
  sameSize(spec.scale, before.scale);

const sameSize = (asked: number | null, present: number | null): boolean => asked === null || present === null || asked === present;

/** The type that a column needs to refer to this one. */
export const referableType = (column: RawColumn): string => columnFacts(column).columnType.replace(' zerofill', '');

const textCollation = (sqlType: string, server: Server): string | null =>
  /^(?:varchar|char|longtext)\b/.test(sqlType) ? collationOf(server) : null;

/** Before 10.10, MariaDB sets a NOT NULL timestamp without a default to the current time on every update. An explicit default prevents that. */
const impliedDefault = (spec: ColumnSpec, server: Server): string | null =>
  spec.type === 'timestamp' && !spec.nullable && spec.generationExpression === null && server.mariadb && !isAtLeast(server, 10, 10)
    ? 'CURRENT_TIMESTAMP(3)'
    : null;

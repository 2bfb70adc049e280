// A column in DDL, whole: from what is asked, from what is there, or from both, since MODIFY COLUMN drops what it does not repeat.

import type { RawColumn } from '../../core/schema/raw.js';
import type { ColumnSpec } from '../../core/vendor/ddl.js';
import { restateDefault, writeDefault } from './column-default.js';
import { columnFacts } from './column-facts.js';
import { quoteComment, quoteName } from './quote.js';
import { collationOf, isAtLeast, type Server } from './server.js';
import { readBack, writeType } from './types.js';

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

/** A column as it is. */
export function existingColumn(column: RawColumn): ColumnDefinition {
  const facts = columnFacts(column);
  return {
    name: column.name,
    sqlType: facts.columnType,
    collation: column.collation,
    nullable: column.nullable,
    default: facts.defaultSql === null ? null : restateDefault(facts.defaultSql),
    onUpdate: facts.onUpdate,
    autoIncrement: column.autoIncrement,
    invisible: facts.invisible,
    comment: column.comment,
    check: facts.check,
    generated: facts.generation === null ? null : { expression: column.generationExpression ?? '', storage: facts.generation },
  };
}

/** A column to be made. `like`: a column it refers to, whose type it must have to the letter. */
export function newColumn(spec: ColumnSpec, server: Server, like: RawColumn | null): ColumnDefinition {
  const sqlType = like === null ? writeType(spec, server) : referableType(like);
  return {
    name: spec.name,
    sqlType,
    collation: like === null ? textCollation(sqlType, server) : like.collation,
    nullable: spec.nullable,
    default: writeDefault(spec, sqlType, server) ?? impliedDefault(spec, server),
    onUpdate: null,
    autoIncrement: spec.autoIncrement,
    invisible: false,
    comment: spec.comment,
    check: null,
    generated: spec.generationExpression === null ? null : { expression: spec.generationExpression, storage: 'STORED' },
  };
}

/** A column after a change: what the service does not know (unsigned, enum values, collation, visibility) stays while the type stays. */
export function changedColumn(spec: ColumnSpec, before: RawColumn, server: Server): ColumnDefinition {
  if (!keepsType(spec, before)) return newColumn(spec, server, null);
  const present = existingColumn(before);
  return {
    ...present,
    nullable: spec.nullable,
    default: writeDefault(spec, present.sqlType, server) ?? impliedDefault(spec, server),
    autoIncrement: spec.autoIncrement,
    comment: spec.comment,
    generated:
      spec.generationExpression === null
        ? null
        : { expression: spec.generationExpression, storage: present.generated?.storage ?? 'STORED' },
  };
}

const keepsType = (spec: ColumnSpec, before: RawColumn): boolean =>
  readBack(spec.type) === before.type &&
  sameSize(spec.maxLength, before.maxLength) &&
  sameSize(spec.precision, before.precision) &&
  sameSize(spec.scale, before.scale);

const sameSize = (asked: number | null, present: number | null): boolean => asked === null || present === null || asked === present;

/** The type of a column that is referred to, without what concerns only itself. */
export const referableType = (column: RawColumn): string => columnFacts(column).columnType.replace(' zerofill', '');

const textCollation = (sqlType: string, server: Server): string | null =>
  /^(?:varchar|char|longtext)\b/.test(sqlType) ? collationOf(server) : null;

/** Older servers give a timestamp without a default the present time *and* renew it on every update; with a default stated they do not. */
const impliedDefault = (spec: ColumnSpec, server: Server): string | null =>
  spec.type === 'timestamp' && !spec.nullable && spec.generationExpression === null && server.mariadb && !isAtLeast(server, 10, 10)
    ? 'CURRENT_TIMESTAMP(3)'
    : null;

// Paging by cursor: the condition for items after a position in an order. A position has one value per term of the order. Which of them are
// null is known when the statement is written, because null compares by the vendor's null ordering and not by a value.

import type { BoundOrder, CursorPosition } from '../../plan/read/bound-read.js';
import { scalarToSql } from '../scalar-to-sql.js';
import type { Scope, StatementBuilder } from '../scope.js';
import { type Sql, sql, trusted } from '../sql.js';

/** One term of the order compared with its value of the position. */
interface Step {
  /** After the position by this term alone; null: no item is. */
  readonly after: Sql | null;
  readonly equal: Sql;
  /** At or after the position; null if that is always true. */
  readonly atOrAfter: Sql | null;
}

export function cursorToSql(builder: StatementBuilder, scope: Scope, order: readonly BoundOrder[], position: CursorPosition): Sql {
  const steps = order.map((term, index) => stepOf(builder, scope, term, index, position.nulls[index] === true));
  const after = steps.reduceRight<Sql | null>(
    (rest, step) => either(step.after, rest === null ? null : sql`(${step.equal} AND ${rest})`),
    null,
  );
  // Implied by the rest, but it lets the database enter the index of the first term at the position.
  const atOrAfter = steps.length > 1 ? (steps[0]?.atOrAfter ?? null) : null;
  if (after === null) return trusted('1=0');
  return atOrAfter === null ? after : sql`${atOrAfter} AND ${after}`;
}

const either = (left: Sql | null, right: Sql | null): Sql | null =>
  left === null || right === null ? (left ?? right) : sql`(${left} OR ${right})`;

function stepOf(builder: StatementBuilder, scope: Scope, term: BoundOrder, index: number, isNull: boolean): Step {
  const typed = scalarToSql(builder, scope, term.value);
  const x = builder.syntax.orderable(typed);
  const nullsFollow = (builder.syntax.nulls === 'last') !== term.descending;
  if (isNull) return { after: nullsFollow ? null : sql`${x} IS NOT NULL`, equal: sql`${x} IS NULL`, atOrAfter: null };
  const mark = builder.syntax.markParam(index, typed);
  const comparison = trusted(term.descending ? '<' : '>');
  const orNull = (condition: Sql): Sql => (nullsFollow && isNullable(term) ? sql`(${condition} OR ${x} IS NULL)` : condition);
  return {
    after: orNull(sql`${x} ${comparison} ${mark}`),
    equal: sql`${x} = ${mark}`,
    atOrAfter: orNull(sql`${x} ${comparison}= ${mark}`),
  };
}

const isNullable = ({ value }: BoundOrder): boolean => value.kind !== 'column' || value.rule !== null || value.field.column.nullable;

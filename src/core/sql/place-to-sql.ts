// Paging by cursor: the items that stand behind a place in an order. A place is one mark per term; which of them are null is known when
// the statement is written, because null compares by where the vendor puts it and not by a value.

import type { BoundOrder, BoundPlace } from '../plan/bound.js';
import { scalarToSql } from './scalar-to-sql.js';
import type { Scope, Writer } from './scope.js';
import { type Sql, sql, trusted } from './sql.js';

/** One term of the order against its mark. */
interface Step {
  /** Behind the place by this term alone; null: nothing is. */
  readonly beyond: Sql | null;
  readonly level: Sql;
  /** Level with the place or behind it; null where that says nothing. */
  readonly reach: Sql | null;
}

export function placeToSql(writer: Writer, scope: Scope, order: readonly BoundOrder[], place: BoundPlace): Sql {
  const steps = order.map((term, index) => stepOf(writer, scope, term, index, place.nulls[index] === true));
  const behind = steps.reduceRight<Sql | null>(
    (rest, step) => either(step.beyond, rest === null ? null : sql`(${step.level} AND ${rest})`),
    null,
  );
  // It follows from the rest, but only like this the first term's index is entered at the place.
  const reach = steps.length > 1 ? (steps[0]?.reach ?? null) : null;
  if (behind === null) return trusted('1=0');
  return reach === null ? behind : sql`${reach} AND ${behind}`;
}

const either = (left: Sql | null, right: Sql | null): Sql | null =>
  left === null || right === null ? (left ?? right) : sql`(${left} OR ${right})`;

function stepOf(writer: Writer, scope: Scope, term: BoundOrder, index: number, isNull: boolean): Step {
  const typed = scalarToSql(writer, scope, term.value);
  const x = writer.syntax.orderable(typed);
  const nullsFollow = (writer.syntax.nulls === 'last') !== term.descending;
  if (isNull) return { beyond: nullsFollow ? null : sql`${x} IS NOT NULL`, level: sql`${x} IS NULL`, reach: null };
  const mark = writer.syntax.markParam(index, typed);
  const way = trusted(term.descending ? '<' : '>');
  const orNull = (condition: Sql): Sql => (nullsFollow && isNullable(term) ? sql`(${condition} OR ${x} IS NULL)` : condition);
  return { beyond: orNull(sql`${x} ${way} ${mark}`), level: sql`${x} = ${mark}`, reach: orNull(sql`${x} ${way}= ${mark}`) };
}

const isNullable = ({ value }: BoundOrder): boolean => value.kind !== 'column' || value.rule !== null || value.field.column.nullable;

// Values and conditions after binding: every name is a field that the caller may see, every operator fits its type, and the caller's rules
// are included. Only `bind-*` creates these values and core/sql accepts nothing else, so a query that was not authorised cannot become SQL.

import type { JsonPath } from '../../query/json-path.js';
import type { OperatorName } from '../../query/operators.js';
import type { Collection, ColumnField, ManyToAny, ManyToOne, OneToMany } from '../../schema/schema.js';
import type { ColumnType } from '../../schema/types/field-type.js';
import type { DatePart } from '../../schema/types/functions.js';
import type { ValueSource } from './value-source.js';

/** One value of an item. `rule`: the items on which the caller may use the field; null: all that the caller may see. */
export type Scalar =
  | { readonly kind: 'column'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | { readonly kind: 'date-part'; readonly part: DatePart; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | { readonly kind: 'json-length'; readonly field: ColumnField; readonly rule: BoundFilter | null }
  | {
      readonly kind: 'json-path';
      readonly field: ColumnField;
      readonly path: JsonPath;
      readonly numeric: boolean;
      readonly rule: BoundFilter | null;
    }
  | {
      readonly kind: 'related-count';
      readonly relation: OneToMany;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly rule: BoundFilter | null;
    }
  /** A value of the item that a many-to-one points at. */
  | {
      readonly kind: 'through';
      readonly relation: ManyToOne;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly value: Scalar;
      readonly rule: BoundFilter | null;
    }
  /** The least or the greatest value at the end of a path whose first relation is a list; null if the list is empty. */
  | {
      readonly kind: 'extreme';
      readonly pick: 'least' | 'greatest';
      readonly hops: readonly BoundHop[];
      readonly value: Scalar;
      readonly rule: BoundFilter | null;
    };

/** One relation of a path: `filter` restricts the items it leads to, `rule` those it starts from. */
export interface BoundHop {
  readonly relation: ManyToOne | OneToMany | ManyToAny;
  readonly related: Collection;
  readonly filter: BoundFilter | null;
  readonly rule: BoundFilter | null;
}

/**
 * A condition. In `compare`, `strict` makes an operand list that is empty after substitution match nothing even if negated (rules), and
 * `lenient` makes an operand that does not fit the type match nothing instead of failing (search). In `exists`, `filter` is the condition
 * on the related item and `rule` restricts the items from which the caller may follow the relation.
 */
export type BoundFilter =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly BoundFilter[] }
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'compare';
      readonly value: Scalar;
      readonly operator: OperatorName;
      readonly operand: ValueSource | null;
      readonly strict: boolean;
      readonly lenient: boolean;
    }
  | {
      readonly kind: 'exists';
      readonly relation: ManyToOne | OneToMany;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly negated: boolean;
      readonly rule: BoundFilter | null;
    }
  | {
      readonly kind: 'exists-any';
      readonly relation: ManyToAny;
      readonly related: Collection;
      readonly filter: BoundFilter | null;
      readonly negated: boolean;
      readonly rule: BoundFilter | null;
    };

/** The type by which a scalar is compared and its operands are bound. */
export function scalarType(scalar: Scalar): ColumnType {
  switch (scalar.kind) {
    case 'column':
      return scalar.field.type === 'alias' ? 'unknown' : scalar.field.type;
    case 'date-part':
    case 'json-length':
    case 'related-count':
      return 'integer';
    case 'json-path':
      return scalar.numeric ? 'float' : 'text';
    case 'through':
    case 'extreme':
      return scalarType(scalar.value);
  }
}

/** The conjunction of the filters; null stands for "matches everything". */
export function allOf(filters: readonly (BoundFilter | null)[]): BoundFilter | null {
  const present = filters.filter((filter): filter is BoundFilter => filter !== null);
  const only = present[0];
  if (present.length <= 1) return only ?? null;
  return { kind: 'and', filters: present };
}

// The table of filter operators. Everything that handles operators reads it: the parser (the shape of operands), the type checks
// (core/schema/types/operator-types.ts), SQL (core/sql/filter-to-sql.ts), the in-memory interpreter (core/access/match-condition.ts) and the
// inputs of GraphQL. An operator that is not listed here does not exist. README.md describes how to add one. Studio has a table of its own.

/** null, empty: presence; validation: for validation rules only. The operators of a group fit the same field types. */
type OperatorGroup = 'null' | 'empty' | 'equality' | 'membership' | 'order' | 'text' | 'spatial' | 'validation';

/**
 * none: no operand (a flag that is false becomes the opposite operator while parsing); scalar: one value; list: one or more; pair: two bounds;
 * geometry: GeoJSON.
 */
type OperandShape = 'none' | 'scalar' | 'list' | 'pair' | 'geometry';

/** The part of a text that is compared with the operand. */
export type TextMatch = 'contains' | 'starts' | 'ends';

interface OperatorFacts {
  readonly group: OperatorGroup;
  readonly operand: OperandShape;
  /** The operator that this one is the negation of. An item whose value is null matches neither. */
  readonly negates: string | null;
  /** Set for operators that compare a part of a text; the group `text` has no others so far. */
  readonly match: TextMatch | null;
  /** Both sides are compared without regard to case. */
  readonly folds: boolean;
}

const plain = (group: OperatorGroup, operand: OperandShape, negates: string | null = null): OperatorFacts => ({
  group,
  operand,
  negates,
  match: null,
  folds: false,
});
const text = (match: TextMatch, negates: string | null = null): OperatorFacts => ({ ...plain('text', 'scalar', negates), match });
const folded = (match: TextMatch, negates: string | null = null): OperatorFacts => ({ ...text(match, negates), folds: true });

export const operators = {
  _eq: plain('equality', 'scalar'),
  _neq: plain('equality', 'scalar', '_eq'),
  _in: plain('membership', 'list'),
  _nin: plain('membership', 'list', '_in'),
  _gt: plain('order', 'scalar'),
  _gte: plain('order', 'scalar'),
  _lt: plain('order', 'scalar'),
  _lte: plain('order', 'scalar'),
  _between: plain('order', 'pair'),
  _nbetween: plain('order', 'pair', '_between'),
  _null: plain('null', 'none'),
  _nnull: plain('null', 'none', '_null'),
  _empty: plain('empty', 'none'),
  _nempty: plain('empty', 'none', '_empty'),
  _contains: text('contains'),
  _icontains: folded('contains'),
  _ncontains: text('contains', '_contains'),
  _nicontains: folded('contains', '_icontains'),
  _starts_with: text('starts'),
  _nstarts_with: text('starts', '_starts_with'),
  _istarts_with: folded('starts'),
  _nistarts_with: folded('starts', '_istarts_with'),
  _ends_with: text('ends'),
  _nends_with: text('ends', '_ends_with'),
  _iends_with: folded('ends'),
  _niends_with: folded('ends', '_iends_with'),
  _intersects: plain('spatial', 'geometry'),
  _nintersects: plain('spatial', 'geometry', '_intersects'),
  _intersects_bbox: plain('spatial', 'geometry'),
  _nintersects_bbox: plain('spatial', 'geometry', '_intersects_bbox'),
  /** The field is in the payload. */
  _submitted: plain('validation', 'none'),
  /** Matched in linear time (core/access/match-regex.ts). */
  _regex: plain('validation', 'scalar'),
} as const satisfies Record<string, OperatorFacts>;

export type OperatorName = keyof typeof operators;

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name);

/** The operators of the groups, in the order of the groups and of the table. */
export const operatorsIn = (...groups: readonly OperatorGroup[]): readonly OperatorName[] =>
  groups.flatMap((group) => Object.keys(operators).filter((name) => isOperator(name) && operators[name].group === group)) as OperatorName[];

// The one table of filter operators: what operand each takes and what it negates. SQL and the in-memory interpreter both
// read it; an operator that is not here does not exist. Which types an operator fits stands in core/schema/operator-types.ts.

/** none: no operand (flags are turned into the plain or negated operator while parsing); scalar: one value; list: one or more; pair: two bounds; geometry: GeoJSON. */
type OperandShape = 'none' | 'scalar' | 'list' | 'pair' | 'geometry';

interface OperatorFacts {
  readonly operand: OperandShape;
  /** The operator this one turns around (null stays out of both). */
  readonly negates: string | null;
  /** Case is folded on both sides. */
  readonly folds: boolean;
}

const plain = (operand: OperandShape): OperatorFacts => ({ operand, negates: null, folds: false });
const negated = (operand: OperandShape, negates: string): OperatorFacts => ({ operand, negates, folds: false });
const folded = (negates: string | null = null): OperatorFacts => ({ operand: 'scalar', negates, folds: true });

export const operators = {
  _eq: plain('scalar'),
  _neq: negated('scalar', '_eq'),
  _lt: plain('scalar'),
  _lte: plain('scalar'),
  _gt: plain('scalar'),
  _gte: plain('scalar'),
  _in: plain('list'),
  _nin: negated('list', '_in'),
  _between: plain('pair'),
  _nbetween: negated('pair', '_between'),
  _null: plain('none'),
  _nnull: negated('none', '_null'),
  _empty: plain('none'),
  _nempty: negated('none', '_empty'),
  _contains: plain('scalar'),
  _ncontains: negated('scalar', '_contains'),
  _icontains: folded(),
  _starts_with: plain('scalar'),
  _nstarts_with: negated('scalar', '_starts_with'),
  _istarts_with: folded(),
  _nistarts_with: folded('_istarts_with'),
  _ends_with: plain('scalar'),
  _nends_with: negated('scalar', '_ends_with'),
  _iends_with: folded(),
  _niends_with: folded('_iends_with'),
  _intersects: plain('geometry'),
  _nintersects: negated('geometry', '_intersects'),
  _intersects_bbox: plain('geometry'),
  _nintersects_bbox: negated('geometry', '_intersects_bbox'),
  /** Only in validation rules: the field stands in the payload. */
  _submitted: plain('none'),
  /** Only in validation rules; a linear-time match. */
  _regex: plain('scalar'),
} as const satisfies Record<string, OperatorFacts>;

export type OperatorName = keyof typeof operators;

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(operators, name);

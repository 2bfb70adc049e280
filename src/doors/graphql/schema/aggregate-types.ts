// Totals of a collection: counts of every field, sums and averages of numbers, the least and the greatest of what can be compared.

import { type GraphQLFieldConfigMap, GraphQLFloat, GraphQLInt, GraphQLObjectType } from 'graphql';
import { visibleFields } from '../../../core/access/view.js';
import type { FieldType } from '../../../core/schema/field-type.js';
import type { Collection, ColumnField } from '../../../core/schema/schema.js';
import { scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { isName } from './graphql-names.js';
import { means } from './meanings.js';
import { jsonScalar } from './scalars.js';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const numeric: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal']);
const comparable: ReadonlySet<FieldType> = new Set([...numeric, 'string', 'text', 'csv', 'uuid', 'date', 'time', 'dateTime', 'timestamp']);

export const countable = (drawing: Drawing, collection: Collection): readonly ColumnField[] =>
  visibleFields(drawing.view, collection, 'read').filter(
    (field): field is ColumnField => field.kind === 'column' && !field.concealed && isName(field.name),
  );

export const summable = (drawing: Drawing, collection: Collection): readonly ColumnField[] =>
  countable(drawing, collection).filter((field) => numeric.has(field.type));

export const orderable = (drawing: Drawing, collection: Collection): readonly ColumnField[] =>
  countable(drawing, collection).filter((field) => comparable.has(field.type));

export function drawAggregated(drawing: Drawing, collection: Collection, name: string): GraphQLObjectType {
  return new GraphQLObjectType({ name, fields: () => drawFunctions(drawing, collection) });
}

function drawFunctions(drawing: Drawing, collection: Collection): Fields {
  const fields: Fields = {
    group: { type: jsonScalar, ...means({ kind: 'group' }) },
    countAll: { type: GraphQLInt, ...means({ kind: 'count-all' }) },
  };
  const add = (names: readonly string[], type: GraphQLObjectType | null): void => {
    if (type !== null) for (const fn of names) fields[fn] = { type, ...means({ kind: 'aggregate', fn }) };
  };
  add(['count', 'countDistinct'], drawing.counts(collection.name));
  add(['avg', 'sum', 'avgDistinct', 'sumDistinct'], drawing.totals(collection.name));
  add(['min', 'max'], drawing.extremes(collection.name));
  return fields;
}

export const drawCounts = (name: string, fields: readonly ColumnField[]): GraphQLObjectType =>
  drawValues(name, fields, () => ({ type: GraphQLInt, isNumber: true }));

export const drawTotals = (name: string, fields: readonly ColumnField[]): GraphQLObjectType =>
  drawValues(name, fields, () => ({ type: GraphQLFloat, isNumber: true }));

/** Numbers as numbers, everything else as it is. */
export const drawExtremes = (name: string, fields: readonly ColumnField[]): GraphQLObjectType =>
  drawValues(name, fields, (field) =>
    numeric.has(field.type) ? { type: GraphQLFloat, isNumber: true } : { type: scalarOf(field), isNumber: false },
  );

interface ValueForm {
  readonly type: Fields[string]['type'];
  /** Exact numbers come as text and are answered as numbers. */
  readonly isNumber: boolean;
}

function drawValues(name: string, fields: readonly ColumnField[], formOf: (field: ColumnField) => ValueForm): GraphQLObjectType {
  const configs = fields.map((field) => {
    const { type, isNumber } = formOf(field);
    return [field.name, { type, ...means({ kind: 'aggregate-of', field: field.name, isNumber }) }] as const;
  });
  return new GraphQLObjectType({ name, fields: Object.fromEntries(configs) });
}

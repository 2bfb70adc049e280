// The types of a collection's totals: counts of every field, sums and averages of numbers, minimum and maximum of what can be compared.

import { type GraphQLFieldConfigMap, GraphQLObjectType } from 'graphql';
import { visibleFields } from '../../../../core/access/view.js';
import type { Collection, ColumnField } from '../../../../core/schema/schema.js';
import type { FieldType } from '../../../../core/schema/types/field-type.js';
import { fieldName } from '../names/graphql-names.js';
import { scalarOf } from './column-scalar.js';
import type { Drawing } from './drawing.js';
import { means } from './meanings.js';
import { floatScalar, intScalar, jsonScalar } from './scalars.js';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const numeric: ReadonlySet<FieldType> = new Set(['integer', 'bigInteger', 'float', 'decimal']);
const comparable: ReadonlySet<FieldType> = new Set([...numeric, 'string', 'text', 'csv', 'uuid', 'date', 'time', 'dateTime', 'timestamp']);

export const countable = (drawing: Drawing, collection: Collection): readonly ColumnField[] =>
  visibleFields(drawing.view, collection, 'read').filter((field): field is ColumnField => field.kind === 'column' && !field.concealed);

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
    countAll: { type: intScalar, ...means({ kind: 'count-all' }) },
  };
  const add = (names: readonly string[], type: GraphQLObjectType | null): void => {
    if (type !== null) for (const fn of names) fields[fn] = { type, ...means({ kind: 'aggregate', fn }) };
  };
  add(['count', 'countDistinct'], drawing.counts(collection.name));
  add(['avg', 'sum', 'avgDistinct', 'sumDistinct'], drawing.totals(collection.name));
  add(['min', 'max'], drawing.extremes(collection.name));
  return fields;
}

export type DrawValues = (collection: Collection, name: string, fields: readonly ColumnField[]) => GraphQLObjectType;

export const drawCounts: DrawValues = (collection, name, fields) =>
  drawValues(collection, name, fields, () => ({ type: intScalar, isNumber: true }));

export const drawTotals: DrawValues = (collection, name, fields) =>
  drawValues(collection, name, fields, () => ({ type: floatScalar, isNumber: true }));

/** Numbers as Float, all other values in the type of their field. */
export const drawExtremes: DrawValues = (collection, name, fields) =>
  drawValues(collection, name, fields, (field) =>
    numeric.has(field.type) ? { type: floatScalar, isNumber: true } : { type: scalarOf(field), isNumber: false },
  );

interface ValueForm {
  readonly type: Fields[string]['type'];
  /** The database returns exact numbers as text; they are answered as numbers where a double holds them. */
  readonly isNumber: boolean;
}

function drawValues(
  collection: Collection,
  name: string,
  fields: readonly ColumnField[],
  formOf: (field: ColumnField) => ValueForm,
): GraphQLObjectType {
  const configs = fields.map((field) => {
    const { type, isNumber } = formOf(field);
    return [fieldName(collection, field), { type, ...means({ kind: 'aggregate-of', field: field.name, isNumber }) }] as const;
  });
  return new GraphQLObjectType({ name, fields: Object.fromEntries(configs) });
}

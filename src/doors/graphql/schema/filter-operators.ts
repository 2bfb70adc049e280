// The inputs that hold conditions on one value, per kind of value. Every operator's operand follows the one table of operators.

import { GraphQLBoolean, GraphQLID, GraphQLInputObjectType, type GraphQLInputType, GraphQLList, GraphQLString } from 'graphql';
import { type OperatorName, operators } from '../../../core/query/operators.js';
import type { FieldType } from '../../../core/schema/field-type.js';
import type { FieldFunction } from '../../../core/schema/functions.js';
import type { ColumnField } from '../../../core/schema/schema.js';
import { bigIntScalar, geoJsonScalar, jsonFilterScalar, stringOrFloatScalar } from './scalars.js';

const equality = ['_eq', '_neq'] as const;
const membership = ['_in', '_nin'] as const;
const nulls = ['_null', '_nnull'] as const;
const emptiness = ['_empty', '_nempty'] as const;
const order = ['_gt', '_gte', '_lt', '_lte', '_between', '_nbetween'] as const;
const search = [
  ...(['_contains', '_icontains', '_ncontains', '_starts_with', '_nstarts_with', '_istarts_with', '_nistarts_with'] as const),
  ...(['_ends_with', '_nends_with', '_iends_with', '_niends_with'] as const),
];
const spatial = ['_intersects', '_nintersects', '_intersects_bbox', '_nintersects_bbox'] as const;

function operatorInput(kind: string, operand: GraphQLInputType, names: readonly OperatorName[]): GraphQLInputObjectType {
  const fields = Object.fromEntries(names.map((name) => [name, { type: operandType(name, operand) }]));
  return new GraphQLInputObjectType({ name: `${kind}_filter_operators`, fields });
}

function operandType(name: OperatorName, operand: GraphQLInputType): GraphQLInputType {
  const shape = operators[name].operand;
  if (shape === 'none') return GraphQLBoolean;
  return shape === 'list' || shape === 'pair' ? new GraphQLList(operand) : operand;
}

const textual = [...equality, ...search, ...membership, ...nulls, ...emptiness];
const comparable = [...equality, ...membership, ...order, ...nulls];

const stringOperators = operatorInput('string', GraphQLString, textual);
const idOperators = operatorInput('id', GraphQLID, textual);
const numberOperators = operatorInput('number', stringOrFloatScalar, comparable);
const bigIntOperators = operatorInput('big_int', bigIntScalar, comparable);
const dateOperators = operatorInput('date', GraphQLString, comparable);
const booleanOperators = operatorInput('boolean', GraphQLBoolean, [...equality, ...nulls]);
const hashOperators = operatorInput('hash', GraphQLBoolean, [...nulls, ...emptiness]);
const geometryOperators = operatorInput('geometry', geoJsonScalar, [...equality, ...spatial, ...nulls]);
const jsonOperators = new GraphQLInputObjectType({
  name: 'json_filter_operators',
  fields: { _json: { type: jsonFilterScalar }, _null: { type: GraphQLBoolean }, _nnull: { type: GraphQLBoolean } },
});

const byType: Partial<Record<FieldType, GraphQLInputObjectType>> = {
  integer: numberOperators,
  float: numberOperators,
  decimal: numberOperators,
  bigInteger: bigIntOperators,
  boolean: booleanOperators,
  date: dateOperators,
  time: dateOperators,
  dateTime: dateOperators,
  timestamp: dateOperators,
  json: jsonOperators,
  uuid: idOperators,
  hash: hashOperators,
};

export function operatorsInput(field: ColumnField): GraphQLInputObjectType {
  if (field.concealed) return hashOperators;
  return byType[field.type] ?? (field.type.startsWith('geometry') ? geometryOperators : stringOperators);
}

function functionInput(kind: string, functions: readonly FieldFunction[]): GraphQLInputObjectType {
  const fields = Object.fromEntries(functions.map((name) => [name, { type: numberOperators }]));
  return new GraphQLInputObjectType({ name: `${kind}_function_filter_operators`, fields });
}

const days: readonly FieldFunction[] = ['year', 'month', 'week', 'day', 'weekday'];
const times: readonly FieldFunction[] = ['hour', 'minute', 'second'];
const countFunctions = functionInput('count', ['count']);
const dateFunctions = functionInput('date', days);
const timeFunctions = functionInput('time', times);
const datetimeFunctions = functionInput('datetime', [...days, ...times]);

const functionsByType: Partial<Record<FieldType, GraphQLInputObjectType>> = {
  date: dateFunctions,
  time: timeFunctions,
  dateTime: datetimeFunctions,
  timestamp: datetimeFunctions,
};

/** Conditions on the functions of a field that has some. */
export const functionsInput = (type: FieldType): GraphQLInputObjectType => functionsByType[type] ?? countFunctions;

export const filterOperatorTypes: readonly GraphQLInputObjectType[] = [
  ...[stringOperators, idOperators, numberOperators, bigIntOperators, dateOperators, booleanOperators],
  ...[hashOperators, geometryOperators, jsonOperators],
  ...[countFunctions, dateFunctions, timeFunctions, datetimeFunctions],
];

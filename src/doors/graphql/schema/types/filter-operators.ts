// The inputs with the operators of one value, by its type. The table of operators in core/query decides the type of each operand.

import { GraphQLBoolean, GraphQLID, GraphQLInputObjectType, type GraphQLInputType, GraphQLList, GraphQLString } from 'graphql';
import { type OperatorName, operators, operatorsIn } from '../../../../core/query/operators.js';
import type { ColumnField } from '../../../../core/schema/schema.js';
import type { FieldType } from '../../../../core/schema/types/field-type.js';
import type { FieldFunction } from '../../../../core/schema/types/functions.js';
import { bigIntScalar, geoJsonScalar, jsonFilterScalar, jsonScalar, stringOrFloatScalar } from './scalars.js';

function operatorInput(kind: string, operand: GraphQLInputType, names: readonly OperatorName[]): GraphQLInputObjectType {
  const fields = Object.fromEntries(names.map((name) => [name, { type: operandType(name, operand) }]));
  return new GraphQLInputObjectType({ name: `${kind}_filter_operators`, fields });
}

function operandType(name: OperatorName, operand: GraphQLInputType): GraphQLInputType {
  const shape = operators[name].operand;
  if (shape === 'none') return GraphQLBoolean;
  return shape === 'list' || shape === 'pair' ? new GraphQLList(operand) : operand;
}

/** The clients that know this operator have it in REST only, and the list of operators is a recorded one. */
const inRestOnly: ReadonlySet<OperatorName> = new Set<OperatorName>(['_nicontains']);
const textual = operatorsIn('equality', 'text', 'membership', 'null', 'empty').filter((name) => !inRestOnly.has(name));
const comparable = operatorsIn('equality', 'membership', 'order', 'null');

const stringOperators = operatorInput('string', GraphQLString, textual);
const idOperators = operatorInput('id', GraphQLID, textual);
const numberOperators = operatorInput('number', stringOrFloatScalar, comparable);
const bigIntOperators = operatorInput('big_int', bigIntScalar, comparable);
const dateOperators = operatorInput('date', GraphQLString, comparable);
const booleanOperators = operatorInput('boolean', GraphQLBoolean, operatorsIn('equality', 'null'));
const hashOperators = operatorInput('hash', GraphQLBoolean, operatorsIn('null', 'empty'));
const identityOperators = operatorInput('identity', jsonScalar, operatorsIn('equality', 'membership', 'null'));
const presenceOperators = operatorInput('presence', GraphQLBoolean, operatorsIn('null'));
/** For lists and objects of a vendor's own types: an operand is such a value, or one of its entries. */
const structureOperators = operatorInput('structure', jsonScalar, [
  ...operatorsIn('equality'),
  '_contains',
  '_ncontains',
  ...operatorsIn('membership', 'null', 'empty'),
]);
const geometryOperators = operatorInput('geometry', geoJsonScalar, operatorsIn('equality', 'spatial', 'null'));
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
  binary: presenceOperators,
  unknown: identityOperators,
};

export function operatorsInput(field: ColumnField): GraphQLInputObjectType {
  if (field.concealed) return hashOperators;
  if (field.type === 'unknown' && field.column.structure !== undefined) return structureOperators;
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

/** The conditions on the functions of a field, which must have at least one. */
export const functionsInput = (type: FieldType): GraphQLInputObjectType => functionsByType[type] ?? countFunctions;

export const filterOperatorTypes: readonly GraphQLInputObjectType[] = [
  ...[stringOperators, idOperators, numberOperators, bigIntOperators, dateOperators, booleanOperators],
  ...[hashOperators, geometryOperators, jsonOperators, identityOperators, presenceOperators, structureOperators],
  ...[countFunctions, dateFunctions, timeFunctions, datetimeFunctions],
];

// The functions of a field as an object: `published_func { year month }`.

import { GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { FieldType } from '../../../../core/schema/types/field-type.js';
import type { FieldFunction } from '../../../../core/schema/types/functions.js';
import { means } from './meanings.js';
import { intScalar, jsonScalar } from './scalars.js';

const whole = (fn: FieldFunction) => ({ type: intScalar, ...means({ kind: 'function', fn }) });

function functionsType(name: string, functions: readonly FieldFunction[]): GraphQLObjectType {
  return new GraphQLObjectType({ name, fields: Object.fromEntries(functions.map((fn) => [fn, whole(fn)])) });
}

const days: readonly FieldFunction[] = ['year', 'month', 'week', 'day', 'weekday'];
const times: readonly FieldFunction[] = ['hour', 'minute', 'second'];

const countFunctions = functionsType('count_functions', ['count']);
const datetimeFunctions = functionsType('datetime_functions', [...days, ...times]);
const dateFunctions = functionsType('date_functions', days);
const timeFunctions = functionsType('time_functions', times);

const byType: Partial<Record<FieldType, GraphQLObjectType>> = {
  date: dateFunctions,
  time: timeFunctions,
  dateTime: datetimeFunctions,
  timestamp: datetimeFunctions,
};

/** null for JSON, whose functions take a path and have one type per field. */
export const sharedFunctions = (type: FieldType): GraphQLObjectType | null => (type === 'json' ? null : (byType[type] ?? countFunctions));

export const jsonFunctions = (name: string): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: {
      count: whole('count'),
      json: { type: jsonScalar, args: { path: { type: new GraphQLNonNull(GraphQLString) } }, ...means({ kind: 'function', fn: 'json' }) },
    },
  });

export const functionTypes: readonly GraphQLObjectType[] = [countFunctions, dateFunctions, timeFunctions, datetimeFunctions];

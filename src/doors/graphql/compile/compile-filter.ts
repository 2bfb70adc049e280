// Turns a filter of GraphQL into the filter of REST: objects of functions become calls, `item__pages` becomes `item:pages`, and a null check
// on the key of a related item becomes a null check on the relation.

import { type GraphQLInputObjectType, type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { escapeName } from '../../../core/query/escape-name.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { type FilterMeaning, filterMeaning } from '../schema/types/meanings.js';

type Entries = readonly (readonly [string, unknown])[];

/** `keys`: inside a to-one relation, the fields of the related item that the relation refers to. */
export function compileFilter(value: unknown, type: GraphQLInputType, keys: readonly string[] = []): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return compileList(value, nullable.ofType, keys);
  return isInputObjectType(nullable) && isPlainObject(value) ? compileConditions(value, nullable, keys) : value;
}

/** Leaves out members whose variable was not given. */
function compileList(value: unknown, type: GraphQLInputType, keys: readonly string[]): unknown {
  if (!Array.isArray(value)) return value;
  return value.filter((entry) => entry !== null).map((entry) => compileFilter(entry, type, keys));
}

function compileConditions(value: PlainObject, type: GraphQLInputObjectType, keys: readonly string[]): PlainObject {
  const fields = type.getFields();
  const entries = Object.entries(value).flatMap(([name, conditions]): Entries => {
    const field = fields[name];
    const meaning = field === undefined ? null : filterMeaning(field);
    if (field === undefined) return [[name, conditions]];
    // `_and` and `_or` contain conditions of the same level.
    return meaning === null ? [[name, compileFilter(conditions, field.type, keys)]] : compileField(meaning, conditions, field.type, keys);
  });
  return Object.fromEntries(entries);
}

function compileField(meaning: FilterMeaning, conditions: unknown, type: GraphQLInputType, keys: readonly string[]): Entries {
  switch (meaning.kind) {
    case 'functions':
      return isPlainObject(conditions)
        ? Object.entries(conditions).map(([fn, operators]) => [`${fn}(${escapeName(meaning.field)})`, operators])
        : [];
    case 'related':
      return [[relationKey(meaning), compileFilter(conditions, type, meaning.keys)]];
    case 'conditions': {
      const field = escapeName(meaning.field);
      return keys.includes(meaning.field) && isPlainObject(conditions) ? splitNullChecks(field, conditions) : [[field, conditions]];
    }
  }
}

const relationKey = ({ field, scope }: Extract<FilterMeaning, { kind: 'related' }>): string =>
  scope === null ? escapeName(field) : `${escapeName(field)}:${escapeName(scope)}`;

/** `author: {id: {_null: true}}` asks for items without an author, which is a condition on the relation, not on an author. */
function splitNullChecks(field: string, conditions: PlainObject): Entries {
  const isNullCheck = ([operator]: readonly [string, unknown]): boolean => operator === '_null' || operator === '_nnull';
  const own = Object.entries(conditions);
  const others = own.filter((entry) => !isNullCheck(entry));
  return [...own.filter(isNullCheck), ...(others.length === 0 ? [] : [[field, Object.fromEntries(others)] as const])];
}

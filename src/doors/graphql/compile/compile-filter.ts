// A filter as GraphQL writes it, turned into the one REST writes: functions back into calls, scopes of many-to-any back behind a colon,
// and whether a related key is null into whether there is a relation at all.

import { type GraphQLInputObjectType, type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { isStructure, type Structure } from '../../../core/query/structure.js';
import { type FilterMeaning, filterMeaning } from '../schema/meanings.js';

type Entries = readonly (readonly [string, unknown])[];

/** `key`: inside a to-one relation, the field of the related item that the relation holds. */
export function compileFilter(value: unknown, type: GraphQLInputType, key: string | null = null): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return compileList(value, nullable.ofType, key);
  return isInputObjectType(nullable) && isStructure(value) ? compileConditions(value, nullable, key) : value;
}

/** A member whose variable was not given is not there. */
function compileList(value: unknown, type: GraphQLInputType, key: string | null): unknown {
  if (!Array.isArray(value)) return value;
  return value.filter((entry) => entry !== null).map((entry) => compileFilter(entry, type, key));
}

function compileConditions(value: Structure, type: GraphQLInputObjectType, key: string | null): Structure {
  const fields = type.getFields();
  const entries = Object.entries(value).flatMap(([name, conditions]): Entries => {
    const field = fields[name];
    const meaning = field === undefined ? null : filterMeaning(field);
    if (field === undefined) return [[name, conditions]];
    // Groups belong to the level they stand in.
    return meaning === null ? [[name, compileFilter(conditions, field.type, key)]] : compileField(meaning, conditions, field.type, key);
  });
  return Object.fromEntries(entries);
}

function compileField(meaning: FilterMeaning, conditions: unknown, type: GraphQLInputType, key: string | null): Entries {
  switch (meaning.kind) {
    case 'functions':
      return isStructure(conditions) ? Object.entries(conditions).map(([fn, operators]) => [`${fn}(${meaning.field})`, operators]) : [];
    case 'related':
      return [[meaning.field, compileFilter(conditions, type, meaning.key)]];
    case 'conditions':
      return meaning.field === key && isStructure(conditions) ? splitNullChecks(meaning.field, conditions) : [[meaning.field, conditions]];
  }
}

/** `author: {id: {_null: true}}` asks for items without an author: a question about the relation, which no author could answer. */
function splitNullChecks(field: string, conditions: Structure): Entries {
  const isNullCheck = ([operator]: readonly [string, unknown]): boolean => operator === '_null' || operator === '_nnull';
  const own = Object.entries(conditions);
  const others = own.filter((entry) => !isNullCheck(entry));
  return [...own.filter(isNullCheck), ...(others.length === 0 ? [] : [[field, Object.fromEntries(others)] as const])];
}

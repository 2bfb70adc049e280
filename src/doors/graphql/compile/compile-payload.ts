// Turns the data of a write into the payload that REST would send: `books_keys`, `books_changes` and `item__pages` become values of the
// relation itself.

import { type GraphQLInputObjectType, type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql';
import { invalidPayload } from '../../../core/errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../../core/util/plain-object.js';
import { type InputMeaning, inputMeaning } from '../schema/types/meanings.js';

export function compilePayload(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return Array.isArray(value) ? value.map((entry) => compilePayload(entry, nullable.ofType)) : value;
  return isInputObjectType(nullable) && isPlainObject(value) ? compileItem(value, nullable) : value;
}

function compileItem(value: PlainObject, type: GraphQLInputObjectType): PlainObject {
  const fields = type.getFields();
  const payload: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) {
    const field = fields[name];
    if (field !== undefined) addEntry(payload, inputMeaning(field), entry, field.type);
  }
  return payload;
}

function addEntry(payload: Record<string, unknown>, meaning: InputMeaning, value: unknown, type: GraphQLInputType): void {
  const { field } = meaning;
  switch (meaning.kind) {
    case 'list':
      payload[field] = joinLists(payload[field], compilePayload(value, type), field);
      return;
    case 'keys':
      payload[field] = joinLists(payload[field], value ?? [], field);
      return;
    case 'changes':
      setOnce(payload, field, value === null ? {} : compileChanges(value, type));
      return;
    case 'any':
      setOnce(payload, field, compilePayload(value, type));
      setOnce(payload, meaning.collectionField, meaning.collection);
      return;
    case 'value':
    case 'item':
    case 'key':
      setOnce(payload, field, compilePayload(value, type));
  }
}

/** Joins items and keys of the same relation into one list. */
function joinLists(present: unknown, added: unknown, field: string): unknown {
  if (present === undefined) return added;
  if (Array.isArray(present) && Array.isArray(added)) return [...present, ...added];
  throw twice(field);
}

function setOnce(payload: Record<string, unknown>, field: string, value: unknown): void {
  if (Object.hasOwn(payload, field) && payload[field] !== value) throw twice(field);
  payload[field] = value;
}

const twice = (field: string) => invalidPayload(`"${field}" is given in two forms that exclude each other.`);

function compileChanges(value: unknown, type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (!isInputObjectType(nullable) || !isPlainObject(value)) return value;
  const fields = nullable.getFields();
  const entries = Object.entries(value).map(([name, entry]) => {
    const field = fields[name];
    return [name, field === undefined ? entry : compilePayload(entry, field.type)];
  });
  return Object.fromEntries(entries);
}

// Turns a selection of an object type into the selections and nested arguments of a Query. Relations become children, unions become scopes,
// and keys of the answer become aliases, so that the text from the database is the answer.

import { type GraphQLField, type GraphQLObjectType, getNamedType, isObjectType, isUnionType, type SelectionSetNode } from 'graphql';
import { unreachable } from '../../../core/errors/service-error.js';
import { checkName } from '../../../core/query/field-ref.js';
import { formatJsonPath, parseJsonPath } from '../../../core/query/json-path.js';
import { checkHops, countNode, type ParseContext } from '../../../core/query/parse/parse-context.js';
import { emptyQuery, type FieldRef, type Query, type Selection } from '../../../core/query/query.js';
import { makeMap } from '../../../core/util/plain-object.js';
import { collectionOfType, fieldMeaning } from '../schema/types/meanings.js';
import { collectFields, type FieldNodes, selectionsOf } from './collect-fields.js';
import { compileArguments, readArguments } from './compile-arguments.js';
import type { CompileContext, CompiledSelection } from './compile-context.js';

type Field = GraphQLField<unknown, unknown>;

interface Level {
  readonly context: CompileContext;
  readonly parsing: ParseContext;
  readonly hops: number;
  readonly fields: Selection[];
  readonly deep: Record<string, Query>;
}

const noScopes: Readonly<Record<string, readonly Selection[]>> = makeMap();
const plain = (name: string): FieldRef => ({ name, fn: null, args: [], scope: null });

export function compileSelection(
  context: CompileContext,
  parsing: ParseContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  hops = 0,
): CompiledSelection {
  checkHops(parsing, hops);
  const level: Level = { context, parsing, hops, fields: [], deep: makeMap() };
  const definitions = type.getFields();
  for (const [key, nodes] of collectFields(context, type, sets)) {
    countNode(parsing);
    const as = checkName(key);
    const name = nodes[0].name.value;
    const field = definitions[name];
    if (field === undefined) level.fields.push({ kind: 'typename', as, name: type.name });
    else compileField(level, field, as, nodes);
  }
  return { fields: level.fields.length === 0 ? [{ kind: 'nothing' }] : level.fields, deep: level.deep };
}

function compileField(level: Level, field: Field, as: string, nodes: FieldNodes): void {
  const meaning = fieldMeaning(field);
  switch (meaning.kind) {
    case 'value': {
      const cast = meaning.cast === undefined ? {} : { cast: meaning.cast };
      level.fields.push({ kind: 'field', field: plain(meaning.field), as, children: [], scopes: noScopes, ...cast });
      return;
    }
    case 'relation':
      compileRelation(level, field, meaning.field, as, nodes);
      return;
    case 'any':
      compileUnion(level, field, meaning.field, as, nodes);
      return;
    case 'functions':
      level.fields.push({ kind: 'object', as, children: compileFunctions(level, field, meaning.field, nodes) });
      return;
    case 'function':
      throw new Error(`the function ${meaning.fn} is used outside of its object`);
    default:
      unreachable(meaning);
  }
}

function compileRelation(level: Level, field: Field, name: string, as: string, nodes: FieldNodes): void {
  const { context, parsing } = level;
  const hops = level.hops + 1;
  const { fields, deep } = compileSelection(context, parsing, objectType(field), selectionsOf(nodes), hops);
  level.fields.push({ kind: 'field', field: plain(name), as, children: fields, scopes: noScopes });
  const values = readArguments(context, field, nodes[0]);
  const hasArguments = Object.values(values).some((value) => value !== null && value !== undefined);
  if (hasArguments) level.deep[as] = { ...compileArguments(field, values, parsing, hops, { selected: fields }), deep };
  else if (Object.keys(deep).length > 0) level.deep[as] = { ...emptyQuery, deep };
}

/** Compiles the selection once for each collection of the union, since nested arguments may differ between them. */
function compileUnion(level: Level, field: Field, name: string, as: string, nodes: FieldNodes): void {
  const union = getNamedType(field.type);
  if (!isUnionType(union)) throw new Error(`the field ${field.name} is no union`);
  const scopes = makeMap<readonly Selection[]>();
  for (const type of union.getTypes()) {
    const { fields, deep } = compileSelection(level.context, level.parsing, type, selectionsOf(nodes), level.hops + 1);
    const collection = collectionOfType(type);
    scopes[collection] = fields;
    if (Object.keys(deep).length > 0) level.deep[`${as}:${collection}`] = { ...emptyQuery, deep };
  }
  level.fields.push({ kind: 'field', field: plain(name), as, children: [], scopes });
}

function compileFunctions(level: Level, field: Field, name: string, nodes: FieldNodes): readonly Selection[] {
  const type = objectType(field);
  const definitions = type.getFields();
  return [...collectFields(level.context, type, selectionsOf(nodes))].map(([key, [node]]): Selection => {
    countNode(level.parsing);
    const as = checkName(key);
    const definition = definitions[node.name.value];
    const meaning = definition === undefined ? null : fieldMeaning(definition);
    if (definition === undefined || meaning?.kind !== 'function') return { kind: 'typename', as, name: type.name };
    const { path } = readArguments(level.context, definition, node);
    const args = typeof path === 'string' ? [formatJsonPath(parseJsonPath(path))] : [];
    return { kind: 'field', field: { name, fn: meaning.fn, args, scope: null }, as, children: [], scopes: noScopes };
  });
}

function objectType(field: Field): GraphQLObjectType {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) throw new Error(`the field ${field.name} has no fields of its own`);
  return type;
}

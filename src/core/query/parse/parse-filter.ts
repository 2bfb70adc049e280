// The parameter `filter`: conditions on an item. At the level of an item, keys are fields and groups (`_and`, `_or`). Below a field, keys
// are operators, groups, quantifiers (`_some`, `_none`), `_json`, or fields of the related item. A key that begins with `_` is a field only
// if its value is an object.

import { invalidQuery } from '../../errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';
import { maskEscapes } from '../escape-name.js';
import { parseFieldRef } from '../field-ref.js';
import { isOperator, type OperatorName, operators } from '../operators.js';
import type { FieldRef, Filter } from '../query.js';
import { checkHops, checkNesting, countNode, type ParseContext } from './parse-context.js';
import { parseJsonConditions } from './parse-json-conditions.js';
import { parseCondition } from './parse-operand.js';
import { readObject } from './read-object.js';

/** The position in the input: the number of relations and of nested structures above. */
interface Place {
  readonly hops: number;
  readonly level: number;
}

/**
 * The conditions below one field: `own` are about the field itself, `related` about the item it points at. All of `related` must hold for
 * the same related item.
 */
interface FieldConditions {
  readonly own: Filter[];
  readonly related: Filter[];
}

const everything: Filter = { kind: 'and', filters: [] };

/** Returns null when there is no condition. `hops` is the number of relations above, for filters inside `deep`. */
export function parseFilter(value: unknown, context: ParseContext, hops = 0): Filter | null {
  const structure = readObject(value, 'filter');
  if (structure === null) return null;
  const filter = parseItemLevel(structure, context, { hops, level: 0 });
  return filter === everything ? null : filter;
}

function parseItemLevel(structure: PlainObject, context: ParseContext, place: Place): Filter {
  checkNesting(context, place.level);
  const filters: Filter[] = [];
  for (const key of Object.keys(structure)) {
    const value = structure[key];
    if (key === '_and' || key === '_or') filters.push(parseGroup(key, value, context, place));
    else filters.push(parseField(readKey(key, value, context), value, context, place));
  }
  return join('and', filters);
}

function parseGroup(key: '_and' | '_or', value: unknown, context: ParseContext, place: Place): Filter {
  const members = readMembers(key, value, context);
  if (members.length === 0) return emptyGroup(key, context);
  const inside = { hops: place.hops, level: place.level + 1 };
  return join(
    key === '_and' ? 'and' : 'or',
    members.map((member) => parseItemLevel(member, context, inside)),
  );
}

/** An empty `_or` in a request sets no condition. In a permission rule it matches nothing, so that it can never widen what it guards. */
function emptyGroup(key: '_and' | '_or', context: ParseContext): Filter {
  return key === '_or' && context.use === 'rule' ? { kind: 'or', filters: [] } : everything;
}

function readMembers(key: string, value: unknown, context: ParseContext): readonly PlainObject[] {
  if (!Array.isArray(value)) throw invalidQuery(`"${key}" takes a list of conditions.`);
  return value.map((member: unknown) => {
    countNode(context);
    if (!isPlainObject(member)) throw invalidQuery(`"${key}" takes a list of objects.`);
    return member;
  });
}

/**
 * In a request a dotted key may be the whole name of a field, which the binder finds out. Stored rules have to escape such dots, so there a
 * dotted path is refused.
 */
function readKey(key: string, value: unknown, { use }: ParseContext): FieldRef {
  if (key.startsWith('_') && (isKnown(key) || !isPlainObject(value))) throw invalidQuery(`"${key}" is unknown, or not allowed here.`);
  if (use !== 'request' && /^[^(]*\./.test(maskEscapes(key))) throw invalidQuery(`Write "${key.slice(0, 100)}" as nested objects.`);
  return parseFieldRef(key);
}

const isKnown = (key: string): boolean => isOperator(key) || key === '_some' || key === '_none' || key === '_json';

function parseField(field: FieldRef, value: unknown, context: ParseContext, place: Place): Filter {
  countNode(context);
  if (!isPlainObject(value)) return { kind: 'compare', field, ...parseCondition('_eq', value, context) };
  const conditions: FieldConditions = { own: [], related: [] };
  collectConditions(field, value, conditions, context, { hops: place.hops, level: place.level + 1 });
  return combine(field, conditions);
}

function collectConditions(field: FieldRef, structure: PlainObject, into: FieldConditions, context: ParseContext, place: Place): void {
  checkNesting(context, place.level);
  for (const key of Object.keys(structure)) {
    const value = structure[key];
    if (key === '_and') collectAll(field, readMembers(key, value, context), into, context, place);
    else if (key === '_or') collectAny(field, readMembers(key, value, context), into, context, place);
    else if (key === '_some' || key === '_none') into.own.push(parseQuantifier(field, key, value, context, place));
    else if (key === '_json') into.own.push(parseJsonConditions(field, value, context));
    else if (isOperator(key)) into.own.push({ kind: 'compare', field, ...parseCondition(checkUse(key, context), value, context) });
    else into.related.push(parseRelatedField(field, key, value, context, place));
  }
}

function collectAll(field: FieldRef, members: readonly PlainObject[], into: FieldConditions, context: ParseContext, place: Place): void {
  for (const member of members) collectConditions(field, member, into, context, { hops: place.hops, level: place.level + 1 });
}

function collectAny(field: FieldRef, members: readonly PlainObject[], into: FieldConditions, context: ParseContext, place: Place): void {
  if (members.length === 0) {
    into.own.push(emptyGroup('_or', context));
    return;
  }
  const each = members.map((member) => {
    const conditions: FieldConditions = { own: [], related: [] };
    collectConditions(field, member, conditions, context, { hops: place.hops, level: place.level + 1 });
    return conditions;
  });
  if (each.every((conditions) => conditions.own.length === 0 && conditions.related.length > 0)) {
    into.related.push(
      join(
        'or',
        each.map((conditions) => join('and', conditions.related)),
      ),
    );
  } else {
    into.own.push(
      join(
        'or',
        each.map((conditions) => combine(field, conditions)),
      ),
    );
  }
}

function parseQuantifier(field: FieldRef, key: '_some' | '_none', value: unknown, context: ParseContext, place: Place): Filter {
  if (!isPlainObject(value)) throw invalidQuery(`"${key}" takes an object of conditions.`);
  countNode(context);
  checkHops(context, place.hops + 1);
  const filter = parseItemLevel(value, context, { hops: place.hops + 1, level: place.level + 1 });
  return { kind: 'related', field: checkRelation(field), quantifier: key === '_some' ? 'some' : 'none', filter };
}

function parseRelatedField(parent: FieldRef, key: string, value: unknown, context: ParseContext, place: Place): Filter {
  checkRelation(parent);
  checkHops(context, place.hops + 1);
  if (parent.name === 'constructor' && key === 'prototype') throw invalidQuery('"constructor.prototype" cannot be used as a path.');
  return parseField(readKey(key, value, context), value, context, { hops: place.hops + 1, level: place.level });
}

function checkRelation(field: FieldRef): FieldRef {
  if (field.fn !== null) throw invalidQuery(`"${field.fn}(${field.name})" is a value and has no fields.`);
  return field;
}

function checkUse(operator: OperatorName, context: ParseContext): OperatorName {
  if (operators[operator].group === 'validation' && context.use !== 'validation') throw invalidQuery(`"${operator}" is not known.`);
  return operator;
}

function combine(field: FieldRef, { own, related }: FieldConditions): Filter {
  if (related.length === 0) return join('and', own);
  return join('and', [...own, { kind: 'related', field, quantifier: 'some', filter: join('and', related) }]);
}

function join(kind: 'and' | 'or', filters: readonly Filter[]): Filter {
  const [first] = filters;
  if (first === undefined) return everything;
  return filters.length === 1 ? first : { kind, filters };
}

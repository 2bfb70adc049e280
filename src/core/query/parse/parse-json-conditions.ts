// `_json` in a filter: conditions on values inside a JSON value, `{specs: {_json: {"size.width": {_gt: 3}}}}`. Nested keys extend the path;
// `_and` and `_or` group conditions on the same path or below it.

import { invalidQuery } from '../../errors/service-error.js';
import { isPlainObject, type PlainObject } from '../../util/plain-object.js';
import { formatJsonPath, parseJsonPath } from '../json-path.js';
import { isOperator, operators } from '../operators.js';
import type { FieldRef, Filter } from '../query.js';
import { checkNesting, countNode, type ParseContext } from './parse-context.js';
import { parsePlainCondition } from './parse-operand.js';

/** The position in the input: the field, the path inside its value, and the number of nested structures above. */
interface Place {
  readonly field: FieldRef;
  readonly path: string;
  readonly level: number;
}

export function parseJsonConditions(field: FieldRef, value: unknown, context: ParseContext): Filter {
  if (!isPlainObject(value)) throw invalidQuery('"_json" takes an object of paths.');
  return parseLevel({ field, path: '', level: 0 }, value, context);
}

function parseLevel(place: Place, structure: PlainObject, context: ParseContext): Filter {
  checkNesting(context, place.level);
  const filters = Object.keys(structure).map((key) => parseKey(place, key, structure[key], context));
  const [only] = filters;
  if (only === undefined) throw invalidQuery('"_json" holds no condition.');
  return filters.length === 1 ? only : { kind: 'and', filters };
}

function parseKey(place: Place, key: string, value: unknown, context: ParseContext): Filter {
  if (key === '_and' || key === '_or') return parseGroup(place, key, value, context);
  if (key.startsWith('_')) return parsePlace(place, key, value, context);
  const path = extend(place.path, key);
  if (isPlainObject(value)) return parseLevel({ ...place, path, level: place.level + 1 }, value, context);
  return { kind: 'json', field: place.field, path, ...parsePlainCondition('_eq', value, context) };
}

function parseGroup(place: Place, key: '_and' | '_or', value: unknown, context: ParseContext): Filter {
  if (!Array.isArray(value) || value.length === 0) throw invalidQuery(`"${key}" inside "_json" takes a list of conditions.`);
  const filters = value.map((member: unknown) => {
    countNode(context);
    if (!isPlainObject(member)) throw invalidQuery(`"${key}" takes a list of objects.`);
    return parseLevel({ ...place, level: place.level + 1 }, member, context);
  });
  return { kind: key === '_and' ? 'and' : 'or', filters };
}

function extend(path: string, key: string): string {
  return formatJsonPath(parseJsonPath(path === '' ? key : key.startsWith('[') ? `${path}${key}` : `${path}.${key}`));
}

function parsePlace({ field, path }: Place, key: string, value: unknown, context: ParseContext): Filter {
  countNode(context);
  if (path === '' || !isOperator(key) || operators[key].group === 'validation' || operators[key].group === 'spatial') {
    throw invalidQuery(`"${key}" is not known inside "_json".`);
  }
  return { kind: 'json', field, path, ...parsePlainCondition(key, value, context) };
}

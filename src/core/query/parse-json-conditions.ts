// `_json`: conditions on places inside a JSON value, `{specs: {_json: {"size.width": {_gt: 3}}}}`. Nested keys extend the path.

import { invalidQuery } from '../errors/service-error.js';
import { formatJsonPath, parseJsonPath } from './json-path.js';
import { isOperator, operators } from './operators.js';
import { countNode, type ParseContext } from './parse-context.js';
import { parseCondition } from './parse-operand.js';
import type { FieldRef, Filter } from './query.js';
import { isStructure, type Structure } from './structure.js';

export function parseJsonConditions(field: FieldRef, value: unknown, context: ParseContext): Filter {
  if (!isStructure(value)) throw invalidQuery('"_json" takes an object of paths.');
  const filters: Filter[] = [];
  collect(field, '', value, filters, context);
  const [only] = filters;
  if (only === undefined) throw invalidQuery('"_json" holds no condition.');
  return filters.length === 1 ? only : { kind: 'and', filters };
}

/** The grammar of paths bounds how deep this goes. */
function collect(field: FieldRef, path: string, structure: Structure, into: Filter[], context: ParseContext): void {
  for (const key of Object.keys(structure)) {
    const value = structure[key];
    if (key.startsWith('_')) into.push(parsePlace(field, path, key, value, context));
    else if (isStructure(value)) collect(field, extend(path, key), value, into, context);
    else into.push({ kind: 'json', field, path: extend(path, key), ...parseCondition('_eq', value, context) });
  }
}

function extend(path: string, key: string): string {
  return formatJsonPath(parseJsonPath(path === '' ? key : `${path}.${key}`));
}

function parsePlace(field: FieldRef, path: string, key: string, value: unknown, context: ParseContext): Filter {
  countNode(context);
  if (path === '' || !isOperator(key) || key === '_regex' || key === '_submitted' || operators[key].operand === 'geometry') {
    throw invalidQuery(`"${key}" is not known inside "_json".`);
  }
  return { kind: 'json', field, path, ...parseCondition(key, value, context) };
}

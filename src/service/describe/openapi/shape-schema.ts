// The shapes of operations as JSON Schema.

import { unreachable } from '../../../core/errors/service-error.js';
import type { Members, Shape } from '../../operations/shape.js';
import type { Json } from './json.js';

export function schemaOf({ facts }: Shape<unknown>): Json {
  switch (facts.kind) {
    case 'text':
      return { type: 'string', ...(facts.format === null ? {} : { format: facts.format }) };
    case 'integer':
      return { type: 'integer', minimum: facts.min, maximum: facts.max };
    case 'number':
      return {
        type: 'number',
        ...(facts.min > -Number.MAX_VALUE ? { minimum: facts.min } : {}),
        ...(facts.max < Number.MAX_VALUE ? { maximum: facts.max } : {}),
      };
    case 'words':
      return { type: ['string', 'array'], items: { type: 'string' } };
    case 'boolean':
      return { type: 'boolean' };
    case 'key':
    case 'item-key':
      return { type: ['string', 'integer'] };
    case 'choice':
      return { enum: facts.choices };
    case 'list':
      return listSchema(schemaOf(facts.of), facts.lone);
    case 'one-or-many':
      return listSchema(schemaOf(facts.of), true);
    case 'object':
      return objectSchema(facts.members);
    case 'document':
      return Object.keys(facts.members).length === 0 ? { type: 'object' } : objectSchema(facts.members);
    case 'query':
      return { type: 'object' };
    case 'upload':
      return { type: 'string', contentMediaType: 'application/octet-stream' };
    case 'content':
    case 'json':
    case 'nothing':
      return {};
    default:
      return unreachable(facts);
  }
}

function listSchema(items: Json, lone: boolean): Json {
  const array = { type: 'array', items };
  return lone ? { oneOf: [items, array] } : array;
}

export function objectSchema(members: Members): Json {
  const required = Object.entries(members).flatMap(([name, { absent }]) => (absent === null ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, shape]) => [name, memberSchema(shape)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** An absent member may also be sent, and is answered, as null. */
function memberSchema(shape: Shape<unknown>): Json {
  const schema = schemaOf(shape);
  if (shape.absent?.value !== null) return schema;
  if ('enum' in schema) return { enum: [...(schema['enum'] as readonly unknown[]), null] };
  return 'type' in schema ? { ...schema, type: [schema['type'], 'null'].flat() } : schema;
}

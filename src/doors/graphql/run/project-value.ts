// Takes from a value what a selection asks for.

import { GraphQLString } from 'graphql';
import type { Projection } from '../compile/compile-projection.js';

export function projectValue(projection: Projection, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (projection.kind) {
    case 'leaf':
      // Operations answer any JSON value where clients expect text, such as the default of a column.
      return projection.type.serialize(typeof value === 'object' && projection.type === GraphQLString ? JSON.stringify(value) : value);
    case 'list':
      return Array.isArray(value) ? value.map((entry) => projectValue(projection.of, entry)) : null;
    case 'object':
      return projectObject(projection.fields, value);
  }
}

function projectObject(fields: Extract<Projection, { kind: 'object' }>['fields'], value: unknown): unknown {
  if (typeof value !== 'object') throw new Error('an object type cannot be answered from a plain value');
  const entries = fields.map((field): readonly [string, unknown] => [
    field.as,
    field.kind === 'typename' ? field.name : projectValue(field.projection, (value as Readonly<Record<string, unknown>>)[field.name]),
  ]);
  return Object.fromEntries(entries);
}

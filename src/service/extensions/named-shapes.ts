// Gives names to the objects in the shapes of an endpoint: GraphQL draws those with a name as types, and others as JSON.

import type { Members, Shape, ShapeFacts } from '../operations/shape.js';

export const nameMembers = <M extends Members>(members: M, name: string): M =>
  Object.fromEntries(Object.entries(members).map(([member, of]) => [member, nameShape(of, `${name}_${member}`)])) as M;

export function nameShape<T>(shape: Shape<T>, name: string): Shape<T> {
  const facts = nameFacts(shape.facts, name);
  return facts === shape.facts ? shape : { ...shape, facts };
}

function nameFacts(facts: ShapeFacts, name: string): ShapeFacts {
  switch (facts.kind) {
    case 'object':
      return { ...facts, name, members: nameMembers(facts.members, name) };
    case 'list':
      return { ...facts, of: nameShape(facts.of, name) };
    default:
      return facts;
  }
}

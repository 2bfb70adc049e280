import { expect, it } from 'vitest';
import { systemDefinitions } from '../definitions/system-definitions.js';
import { demoDefinitions } from './demo/demo-definitions.js';
import { orderDefinitions } from './order-definitions.js';

it.each([
  ['the system', systemDefinitions],
  ['the demo', demoDefinitions],
])('puts referenced tables first, or lists the foreign key as later: %s', (_, definitions) => {
  const present = new Set<string>();
  for (const { definition, later } of orderDefinitions(definitions)) {
    present.add(definition.collection);
    const early = definition.relations.filter((relation) => relation.onDelete !== null && !later.includes(relation));
    expect(early.filter((relation) => !present.has(relation.related))).toEqual([]);
  }
  expect(present.size).toBe(definitions.length);
});

it('postpones only foreign keys between tables that refer to each other', () => {
  const postponed = orderDefinitions(systemDefinitions).flatMap(({ definition, later }) =>
    later.map((relation) => `${definition.collection}.${relation.field} -> ${relation.related}`),
  );
  expect(postponed).toEqual([
    'service_files.uploaded_by -> service_users',
    'service_files.modified_by -> service_users',
    'service_operations.flow -> service_flows',
  ]);
});

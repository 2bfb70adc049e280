import { expect, it } from 'vitest';
import { demoDefinitions } from './demo/demo-definitions.js';
import { orderDefinitions } from './order-definitions.js';
import { systemDefinitions } from './system-definitions.js';

it.each([
  ['the system', systemDefinitions],
  ['the demo', demoDefinitions],
])('puts what is pointed at before what points, or says which key comes later: %s', (_, definitions) => {
  const present = new Set<string>();
  for (const { definition, later } of orderDefinitions(definitions)) {
    present.add(definition.collection);
    const early = definition.relations.filter((relation) => relation.onDelete !== null && !later.includes(relation));
    expect(early.filter((relation) => !present.has(relation.related))).toEqual([]);
  }
  expect(present.size).toBe(definitions.length);
});

it('waits only with keys of tables that point at each other', () => {
  const waiting = orderDefinitions(systemDefinitions).flatMap(({ definition, later }) =>
    later.map((relation) => `${definition.collection}.${relation.field} -> ${relation.related}`),
  );
  expect(waiting).toEqual([
    'service_files.uploaded_by -> service_users',
    'service_files.modified_by -> service_users',
    'service_operations.flow -> service_flows',
  ]);
});

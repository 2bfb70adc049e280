import { expect, it } from 'vitest';
import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { define, pointsAt, uuid, uuidKey } from '../definitions/define.js';
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
  const key = [uuidKey(), uuid('other')];
  const one = define('one', { note: '', fields: key, relations: [pointsAt('other', 'two', 'SET NULL')] });
  const two = define('two', { note: '', fields: key, relations: [pointsAt('other', 'one', 'SET NULL')] });
  const postponed = (definitions: readonly SystemDefinition[]) =>
    orderDefinitions(definitions).flatMap(({ definition, later }) =>
      later.map((relation) => `${definition.collection}.${relation.field} -> ${relation.related}`),
    );
  expect(postponed([one, two])).toEqual(['two.other -> one']);
  expect(postponed(systemDefinitions)).toEqual([]);
});

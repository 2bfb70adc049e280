import { describe, expect, it } from 'vitest';
import { column, table } from '../../../../../test/fixtures/raw-facts.js';
import { buildSchema } from '../../../../core/schema/build/build-schema.js';
import { ownHome } from '../../../../core/schema/system-home.js';
import { listAliases, spell } from './graphql-names.js';

describe('names in GraphQL', () => {
  it.each([
    ['order details', 'order_details'],
    ['inventory.items', 'inventory__items'],
    ['2nd', '_2nd'],
    ['__typename', '_typename'],
    ['Größe (cm)', 'Grosse_cm'],
    ['🎉', 'u1f389'],
    ['表 名', 'u8868_u540d'],
    ["it's", 'it_s'],
    [' ', '_'],
    ['...', '_'],
    ['__proto__', '_proto__'],
  ])('spells %j as %s', (name, alias) => {
    expect(spell(name)).toBe(alias);
  });

  it('depend on the names alone, not on their order, and are all listed', () => {
    const names = ['a b', 'a-b', 'a_b', 'id'];
    const aliasesOf = (order: readonly string[]): unknown =>
      listAliases(
        buildSchema(
          1,
          {
            tables: [
              table(
                'my table',
                order.map((name) => column(name)),
              ),
            ],
          },
          { collections: [], fields: [], relations: [] },
          ownHome([]),
        ),
      );
    const aliases = [
      { collection: 'my table', field: null, name: 'my_table' },
      { collection: 'my table', field: 'a b', name: 'a_b_' },
      { collection: 'my table', field: 'a-b', name: 'a_b__' },
    ];
    for (const order of [names, names.toReversed()]) {
      const listed = aliasesOf(order);
      expect(listed).toHaveLength(aliases.length);
      expect(listed).toEqual(expect.arrayContaining(aliases));
    }
  });
});

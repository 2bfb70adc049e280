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
    const aliases = { 'my table': 'my_table', 'my table.a b': 'a_b_', 'my table.a-b': 'a_b__' };
    expect(aliasesOf(names)).toEqual(aliases);
    expect(aliasesOf(names.toReversed())).toEqual(aliases);
  });
});

// Things of every type with their owners and notes: as facts for a database, and as items in memory.

import type { Item } from '../../src/core/access/match-filter.js';
import type { RawColumn, RawTable } from '../../src/core/schema/raw.js';
import type { Metadata } from '../../src/core/schema/schema.js';
import type { ColumnType } from '../../src/core/schema/types/field-type.js';
import { column, foreignKey, table } from '../fixtures/raw-facts.js';

const key = column('id', { type: 'integer', nullable: false, primaryKey: true });
const typed = (name: string, type: ColumnType, facts: Partial<RawColumn> = {}): RawColumn => column(name, { type, ...facts });

/** The fields of a thing that hold values, and the type each is compared by. */
export const thingTypes: Readonly<Record<string, ColumnType>> = {
  title: 'string',
  body: 'text',
  whole: 'integer',
  big: 'bigInteger',
  price: 'decimal',
  weight: 'float',
  open: 'boolean',
  day: 'date',
  clock: 'time',
  moment: 'dateTime',
  stamp: 'timestamp',
  code: 'uuid',
  tags: 'csv',
  specs: 'json',
};

const indexed = { indexed: true };
const facts: Partial<Record<string, Partial<RawColumn>>> = {
  title: indexed,
  whole: indexed,
  code: indexed,
  price: { precision: 30, scale: 4 },
  tags: { type: 'text' },
};
const thingColumns = Object.entries(thingTypes).map(([name, type]) => typed(name, type, facts[name]));

export const filterTables: readonly RawTable[] = [
  table('owners', [key, 'name', typed('age', 'integer')]),
  table('things', [key, ...thingColumns, typed('owner', 'integer', indexed)], { foreignKeys: [foreignKey('owner', 'owners')] }),
  table('notes', [key, 'text', typed('stars', 'integer'), typed('thing', 'integer', indexed)], {
    foreignKeys: [foreignKey('thing', 'things')],
  }),
];

export const filterMetadata: Metadata = {
  collections: [],
  fields: [
    { collection: 'things', field: 'tags', special: 'cast-csv' },
    { collection: 'things', field: 'notes', special: 'o2m' },
    { collection: 'owners', field: 'things', special: 'o2m' },
  ],
  relations: [
    { many_collection: 'notes', many_field: 'thing', one_collection: 'things', one_field: 'notes' },
    { many_collection: 'things', many_field: 'owner', one_collection: 'owners', one_field: 'things' },
  ],
};

/** Values of each type that are easily confused. */
export const pools = {
  string: ['a', 'A', 'ab', 'aB%c', 'a_c', 'a\\c', 'été', 'Été', '[a]', 'a*c?', '10', ' a', 'x|y', "it's", '"q"', '日本'],
  text: ['long text', 'Long Text', 'a', '%', '_', 'tail a'],
  integer: [0, 1, -1, 5, 42, 2147483647, -2147483648],
  bigInteger: ['0', '1', '9007199254740993', '9007199254740992', '-9223372036854775808', '9223372036854775807'],
  decimal: ['0', '0.0001', '-0.0001', '12.5', '12.5001', '999999999.25', '-3'],
  float: [0, 0.1, 0.30000000000000004, 0.3, -2.5, 1e300, 1e-300],
  boolean: [true, false],
  date: ['1999-12-31', '2000-02-29', '2024-01-01', '2024-12-30'],
  time: ['00:00:00', '08:30:00', '23:59:59'],
  dateTime: ['1999-12-31T23:59:59.000', '2024-01-01T00:00:00.000', '2024-01-01T00:00:00.001', '2024-07-01T12:30:15.000'],
  timestamp: ['1999-12-31T23:59:59.000Z', '2024-01-01T00:00:00.000Z', '2024-01-01T00:00:00.001Z', '2024-07-01T12:30:15.000Z'],
  uuid: ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'a0000000-0000-4000-8000-00000000000a'],
  csv: ['a', 'a,b', 'b', 'A,c'],
  json: [{ colour: 'red', size: { width: 3 } }, { colour: 'green', size: { width: 10 }, on: true }, [1, 2, 3], [], { colour: null }],
} as const;

export type PooledType = keyof typeof pools;

const names = Object.keys(thingTypes);

/** Every value of every pool is used somewhere, and so is null. */
export const things: readonly Item[] = Array.from({ length: 24 }, (_, index) => {
  const values = names.map((name, place) => {
    const pool: readonly unknown[] = pools[thingTypes[name] as PooledType];
    const at = (index + place * 5) % (pool.length + 2);
    return [name, pool[at] ?? null];
  });
  return { id: index + 1, ...Object.fromEntries(values), owner: index % 5 === 4 ? null : (index % 3) + 1 };
});

export const owners: readonly Item[] = [
  { id: 1, name: 'Ann', age: 30 },
  { id: 2, name: 'bob', age: null },
  { id: 3, name: null, age: 50 },
];

export const notes: readonly Item[] = Array.from({ length: 30 }, (_, index) => ({
  id: index + 1,
  text: ['fine', 'Fine', null, 'so'][index % 4] ?? null,
  stars: index % 7 === 6 ? null : index % 6,
  thing: index % 10 === 9 ? null : ((index * index) % 20) + 1,
}));

/** The things with what they are related to inside them. */
export function linkedThings(): readonly Item[] {
  const linked: Record<string, unknown>[] = things.map((thing) => ({
    ...thing,
    notes: notes.filter((note) => note['thing'] === thing['id']),
  }));
  const withThings: readonly Item[] = owners.map((owner) => ({
    ...owner,
    things: linked.filter((thing) => thing['owner'] === owner['id']),
  }));
  for (const thing of linked) {
    const owner = withThings.find((candidate) => candidate['id'] === thing['owner']) ?? null;
    Object.assign(thing, { owner });
  }
  return linked;
}

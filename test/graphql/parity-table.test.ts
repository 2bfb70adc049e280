// docs/graphql-parity.md promises fields; every one of them is there, and every operation is on the page.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { graphqlTable } from '../../src/doors/graphql/operations/graphql-table.js';
import { startService, type TestService } from '../harness/start-service.js';

const table = readFileSync(new URL('../../docs/graphql-parity.md', import.meta.url), 'utf8');
const promised = table.split('\n').flatMap((line) =>
  [...(line.split('|')[2] ?? '').matchAll(/`([a-zC_]+)`( \(s\))?/g)].map(([, name = '', system]) => ({
    name,
    system: system !== undefined,
  })),
);

let service: TestService;
beforeAll(async () => {
  const [vendor] = inject('vendors');
  if (vendor === undefined) throw new Error('no vendor');
  service = await startService(vendor, {
    area: 'parity_table',
    fixture: 'create table books (id integer primary key, title varchar(20));',
  });
});
afterAll(() => service.stop());

it('names fields that exist', async () => {
  const ask = async (path: '/graphql' | '/graphql/system'): Promise<ReadonlySet<string>> => {
    const { body } = await service.api.graphql('{ __schema { queryType { fields { name } } mutationType { fields { name } } } }', {}, path);
    return new Set(
      [...body.data.__schema.queryType.fields, ...body.data.__schema.mutationType.fields].map((field: { name: string }) => field.name),
    );
  };
  const [items, system] = [await ask('/graphql'), await ask('/graphql/system')];
  const missing = promised.filter(
    ({ name, system: inSystem }) => !(inSystem ? system : items).has(name.replace(/(^|_)C(?=_|$)/, '$1books')),
  );
  expect(promised.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

it('leaves out no operation', () => {
  const names = new Set(promised.map(({ name }) => name));
  expect(graphqlTable.map(({ field }) => field).filter((field) => !names.has(field))).toEqual([]);
});

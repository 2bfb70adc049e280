import { expect, it } from 'vitest';
import { graphqlTable } from '../../doors/graphql/operations/graphql-table.js';
import { restTable } from '../../doors/rest/operations/rest-table.js';
import { catalogue } from './catalogue.js';

interface Row {
  readonly operation: { readonly id: string };
  readonly dryRun?: Row;
}

const idsOf = (rows: readonly Row[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ operation, dryRun }) => [operation.id, ...(dryRun === undefined ? [] : [dryRun.operation.id])]));

it('names every operation once', () => {
  const ids = catalogue.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

it('is offered as a whole by REST, and by GraphQL except for what takes or answers bytes, sends browsers around, or is for a tool', () => {
  const movesBytes = ({ input, output }: (typeof catalogue)[number]): boolean =>
    output.facts.kind === 'content' || Object.values(input).some(({ facts }) => facts.kind === 'upload');
  expect([...idsOf(restTable)].toSorted()).toEqual(catalogue.map(({ id }) => id).toSorted());
  expect([...idsOf(graphqlTable)].toSorted()).toEqual(
    catalogue
      .filter((operation) => !movesBytes(operation) && operation.browser !== true && operation.restOnly !== true)
      .map(({ id }) => id)
      .toSorted(),
  );
});

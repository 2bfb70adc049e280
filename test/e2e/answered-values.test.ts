// What is answered is found: for every value of every column of every type, filters, order, groups and rules agree with the answers.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Answer } from '../harness/api.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { makeUser } from '../harness/make-user.js';
import { startService, type TestService } from '../harness/start-service.js';
import { describeCollections, type Item, inTurns, itemsPath, type SweepTarget } from '../harness/sweep-targets.js';

/** Values that can be told, but neither written nor compared (docs/types.md). */
const announced: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);

/** Operators that the type does not take at all are refused in these words; a value that they do not take is not. */
const refused = /cannot be used on field/;

/** Values that the column itself takes for one (case, blanks at the end, zeros) are found together. */
const alike = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(one, other) || (typeof one === 'string' && typeof other === 'string' && plain(one) === plain(other));
const plain = (text: string): string => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').trimEnd();

describeEachVendor('values that were answered', (vendor) => {
  const fixture = readFileSync(new URL(`../fixtures/types.${vendor.name}.sql`, import.meta.url), 'utf8');
  let service: TestService;
  let targets: readonly SweepTarget[];
  beforeAll(async () => {
    service = await startService(vendor, { area: 'answered', fixture });
    targets = await describeCollections(service.api, null);
  });
  afterAll(() => service.stop());

  const search = (collection: string, query: object): Promise<Answer> => service.api.search(itemsPath(collection), { query });

  /** The differing values of a field, with the items that have each. */
  const heldBy = ({ items }: SweepTarget, name: string): readonly { readonly value: unknown; readonly having: readonly Item[] }[] => {
    const values = items
      .map((item) => item[name])
      .filter((value) => value !== null && ![value].flat().some((entry) => announced.has(entry)));
    const distinct = values.filter((value, index) => values.findIndex((other) => isDeepStrictEqual(value, other)) === index);
    return distinct.map((value) => ({ value, having: items.filter((item) => isDeepStrictEqual(item[name], value)) }));
  };

  const holds = (items: readonly Item[], wanted: Item): boolean => items.some((item) => isDeepStrictEqual(item, wanted));

  async function checkFilters(target: SweepTarget, name: string): Promise<readonly string[]> {
    const failures: string[] = [];
    const known = target.items.filter((item) => item[name] !== null);
    for (const { value, having } of heldBy(target, name)) {
      const say = (what: string): number => failures.push(`${target.collection}.${name} ${JSON.stringify(value)}: ${what}`);
      const found: Record<string, readonly Item[]> = {};
      for (const operator of ['_eq', '_in', '_neq', '_nin']) {
        const operand = operator === '_in' || operator === '_nin' ? [value] : value;
        const { status, text, body } = await search(target.collection, { filter: { [name]: { [operator]: operand } }, limit: -1 });
        if (status === 200) found[operator] = body.data;
        else if (status !== 400 || !refused.test(text)) say(`${operator} answers ${status} ${text.slice(0, 200)}`);
      }
      for (const operator of ['_eq', '_in']) {
        const items = found[operator];
        if (items !== undefined && !having.every((item) => holds(items, item))) say(`${operator} does not find it`);
        if (items?.some((item) => !alike(item[name], value))) say(`${operator} finds ${JSON.stringify(items.map((item) => item[name]))}`);
      }
      for (const [operator, negates] of [
        ['_neq', '_eq'],
        ['_nin', '_in'],
      ] as const) {
        const [items, others] = [found[operator], found[negates]];
        if (items === undefined || others === undefined) continue;
        if (having.some((item) => holds(items, item))) say(`${operator} finds it`);
        if (items.length + others.length !== known.length) say(`${negates} and ${operator} are not all items`);
      }
    }
    return failures;
  }

  it('are found by _eq and _in, and by neither _neq nor _nin', async () => {
    const tasks = targets.flatMap((target) =>
      target.fields.map(
        ({ name }) =>
          () =>
            checkFilters(target, name),
      ),
    );
    expect(await inTurns(tasks)).toEqual([]);
  }, 600_000);

  async function checkOrder(target: SweepTarget, name: string): Promise<readonly string[]> {
    const failures: string[] = [];
    const [up, down, groups] = [
      await search(target.collection, { sort: [name], limit: -1, fields: [name] }),
      await search(target.collection, { sort: [`-${name}`], limit: -1, fields: [name] }),
      await search(target.collection, { groupBy: [name], aggregate: { count: '*' }, limit: -1 }),
    ];
    const say = (what: string): number => failures.push(`${target.collection}.${name}: ${what}`);
    if (up.status === 200) {
      const valuesOf = (answer: Answer): readonly unknown[] => answer.body.data.map((item: Item) => item[name]);
      const runs = valuesOf(up).filter((value, index, all) => index === 0 || !isDeepStrictEqual(value, all[index - 1]));
      const apart = runs.filter((value, index) => runs.findIndex((other) => isDeepStrictEqual(value, other)) !== index);
      if (apart.some((value) => !runs.some((other) => other !== value && alike(other, value))))
        say(`sorts ${JSON.stringify(valuesOf(up))}`);
      if (valuesOf(down).length !== target.items.length) say('loses items when sorted');
    } else if (up.status !== 400) say(`sort answers ${up.status}`);
    if (groups.status === 200) {
      const keys: readonly unknown[] = groups.body.data.map((group: Item) => group[name]);
      if (keys.some((key, index) => keys.findIndex((other) => isDeepStrictEqual(other, key)) !== index))
        say(`groups ${JSON.stringify(groups.body.data)}`);
    } else if (groups.status !== 400) say(`group answers ${groups.status}`);
    return failures;
  }

  it('lie beside each other when sorted, and make one group', async () => {
    const tasks = targets.flatMap((target) =>
      target.fields.map(
        ({ name }) =>
          () =>
            checkOrder(target, name),
      ),
    );
    expect(await inTurns(tasks)).toEqual([]);
  }, 600_000);

  it('are found by a rule', async () => {
    const failures: string[] = [];
    for (const target of targets) {
      const permissions = { id: { _null: true } };
      const { token, role } = await makeUser(service.api, `reader-${target.collection}`, [
        { collection: target.collection, action: 'read', permissions: target.key[0] === 'id' ? permissions : null },
      ]);
      const [{ policy }] = (await service.api.get(`/access?filter[role][_eq]=${role}`)).body.data;
      const [{ id }] = (await service.api.get(`/permissions?filter[policy][_eq]=${policy}`)).body.data;
      for (const { name } of target.fields) {
        const [held] = heldBy(target, name);
        if (held === undefined) continue;
        const rule = await service.api.patch(`/permissions/${id}`, { permissions: { [name]: { _eq: held.value } } });
        if (rule.status !== 200) continue;
        const filter = { [name]: { _eq: held.value } };
        const fields = target.fields.map((field) => field.name);
        const asAdmin = await search(target.collection, { filter, fields, limit: -1 });
        const asReader = await service.as(token).search(itemsPath(target.collection), { query: { fields, limit: -1 } });
        if (asAdmin.status === 200 && !isDeepStrictEqual(asReader.body.data, asAdmin.body.data))
          failures.push(`${target.collection}.${name}: a rule on ${JSON.stringify(held.value)} answers ${asReader.text.slice(0, 200)}`);
      }
    }
    expect(failures).toEqual([]);
  }, 600_000);
});

// What a rule comes to, while it is typed: how many items it matches, three that match and three that do not.

import { useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import { isEqual } from '../draft/draft.js';
import type { Item } from '../draft/item.js';
import type { ApiFilter } from '../filter/filter-tree.js';
import { useSettled } from '../primitives/use-settled.js';
import { keyText } from '../schema/item-key.js';
import type { Collection } from '../schema/model.js';
import { plainText, renderTemplate, templateOf, templatePaths } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { type Person, personName, useAccessText } from './access-data.js';

interface RuleProofProps {
  readonly collection: Collection;
  readonly rule: ApiFilter;
  readonly person: Person | null;
}

interface Proof {
  readonly inside: number;
  readonly total: number;
  readonly matching: readonly Item[];
  readonly others: readonly Item[];
}

const sampleSize = 3;
/** As many items are looked at to find some that do not match. */
const windowSize = 100;

export function RuleProof({ collection, rule, person }: RuleProofProps) {
  const access = useAccessText();
  const { number } = useLanguage();
  const settled = useSettled(rule);
  const asked = withCaller(settled, person);
  const { data, error, isFetching } = useQuery({
    queryKey: ['proof', collection.name, asked],
    queryFn: ({ signal }) => prove(collection, asked, signal),
    placeholderData: (previous) => previous,
    refetchOnWindowFocus: false,
  });
  if (error !== null)
    return (
      <p className="refusal" role="alert">
        {access.proofFailed(error.message)}
      </p>
    );
  return (
    <section className="proof" aria-label={access.proof} aria-busy={isFetching || !isEqual(settled, rule)}>
      <p role="status" className="proof-count">
        {data === undefined ? access.counting : countText(data)}
        {person !== null && mentionsCaller(rule) && <span className="hint"> {access.asPerson(personName(person))}</span>}
      </p>
      {data !== undefined && (
        <div className="proof-samples">
          <Samples collection={collection} isInside items={data.matching} />
          <Samples collection={collection} isInside={false} items={data.others} isEmpty={data.inside === data.total} />
        </div>
      )}
    </section>
  );

  function countText({ inside, total }: Proof): string {
    return inside === total
      ? access.matchesAll(number.format(total), collection.title)
      : access.matches(number.format(inside), number.format(total), collection.title);
  }
}

interface SamplesProps {
  readonly collection: Collection;
  readonly isInside: boolean;
  readonly items: readonly Item[];
  readonly isEmpty?: boolean;
}

function Samples({ collection, isInside, items, isEmpty = true }: SamplesProps) {
  const access = useAccessText();
  const template = templateOf(collection);
  const nothing = isInside ? access.noneInside : isEmpty ? access.noneOutside : access.outsideNotFound;
  return (
    <div className={isInside ? 'samples inside' : 'samples outside'}>
      <h3>{isInside ? access.inside : access.outside}</h3>
      {items.length === 0 ? (
        <p className="hint">{nothing}</p>
      ) : (
        <ul>
          {items.map((item) => (
            <li key={keyText(collection, item)} className="cut">
              <span className="hint">{keyText(collection, item)}</span> {renderTemplate(template, item)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

async function prove(collection: Collection, rule: ApiFilter, signal: AbortSignal): Promise<Proof> {
  const path = itemsPath(collection);
  const fields = [...new Set([...collection.keys, ...templatePaths(templateOf(collection))])];
  const count = async (filter: ApiFilter | undefined): Promise<number> => {
    const query = { aggregate: { count: '*' }, ...(filter === undefined ? {} : { filter }) };
    const { data } = await search<readonly { readonly count: number | string }[]>(path, query, signal);
    return Number(data[0]?.count ?? 0);
  };
  const [inside, total, { data: matching }] = await Promise.all([
    count(rule),
    count(undefined),
    search<readonly Item[]>(path, { filter: rule, fields, limit: sampleSize }, signal),
  ]);
  const others = inside < total && collection.key !== null ? await findOthers(path, collection.key, rule, fields, signal) : [];
  return { inside, total, matching, others };
}

/** Looks at the first items and at the last: no operator of the API negates a whole rule. */
async function findOthers(
  path: string,
  key: string,
  rule: ApiFilter,
  fields: readonly string[],
  signal: AbortSignal,
): Promise<readonly Item[]> {
  for (const sort of [key, `-${key}`]) {
    const { data: some } = await search<readonly Item[]>(path, { fields, sort: [sort], limit: windowSize }, signal);
    const filter = { _and: [rule, { [key]: { _in: some.map((item) => item[key]) } }] };
    const { data: matching } = await search<readonly Item[]>(path, { fields: [key], filter, limit: windowSize }, signal);
    const found = new Set(matching.map((item) => plainText(item[key])));
    const others = some.filter((item) => !found.has(plainText(item[key])));
    if (others.length > 0) return others.slice(0, sampleSize);
  }
  return [];
}

/**
 * The rule with `$CURRENT_USER` replaced by a person, because the administrator who writes a rule is not the one it applies to. Other dynamic
 * values are left to the service.
 */
export function withCaller(rule: ApiFilter, person: Person | null): ApiFilter {
  return person === null ? rule : (replace(rule, person.id) as ApiFilter);
}

function replace(value: unknown, user: string): unknown {
  if (value === '$CURRENT_USER') return user;
  if (Array.isArray(value)) return value.map((each) => replace(each, user));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replace(each, user)]));
}

export const mentionsCaller = (rule: ApiFilter): boolean => JSON.stringify(rule).includes('"$CURRENT_USER"');

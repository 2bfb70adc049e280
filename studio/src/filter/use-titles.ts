// Titles of the items that a filter names by their keys.

import { useQueries, useQuery } from '@tanstack/react-query';
import { search } from '../api/client.js';
import type { Item } from '../draft/item.js';
import type { Collection } from '../schema/model.js';
import { plainText, renderTemplate, templateOf, templatePaths } from '../schema/templates.js';
import { itemsPath, useStudio } from '../studio-context.js';
import { conditionsIn, type FilterGroup, operandOf } from './filter-tree.js';
import { subjectOf } from './operators.js';

/** The title of an item by its collection and key; the key itself until it is known. */
export type TitleOf = (collection: string, key: unknown) => string;

/** One request for each collection that the filter refers to. */
export function useTitles(collection: Collection, filter: FilterGroup): TitleOf {
  const { schema } = useStudio().boot;
  const wanted = new Map<string, Set<string>>();
  for (const { path, operator, value } of conditionsIn(filter)) {
    const { field, part } = subjectOf(schema, collection, path);
    if (field?.relation?.kind !== 'm2o' || part !== null || operandOf(operator) === 'none') continue;
    const keys = wanted.get(field.relation.related) ?? new Set();
    for (const each of Array.isArray(value) ? value : [value]) if (isKey(each)) keys.add(plainText(each));
    wanted.set(field.relation.related, keys);
  }
  const asked = [...wanted].flatMap(([name, keys]) => {
    const related = schema.get(name);
    return related === undefined || related.key === null || keys.size === 0 ? [] : [titlesQuery(related, related.key, [...keys].sort())];
  });
  const found = useQueries({ queries: asked });
  const titles = new Map(found.flatMap(({ data }) => data ?? []));
  return (name, key) => titles.get(`${name}/${plainText(key)}`) ?? plainText(key);
}

export function useTitle(related: Collection, key: unknown): string {
  const { data } = useQuery({ ...titlesQuery(related, related.key ?? '', [plainText(key)]), enabled: related.key !== null && isKey(key) });
  return data?.[0]?.[1] ?? plainText(key);
}

const isKey = (value: unknown): boolean => plainText(value) !== '' && !plainText(value).startsWith('$');

export const titlesQuery = (related: Collection, key: string, keys: readonly string[]) => ({
  queryKey: ['titles', related.name, keys],
  queryFn: async (): Promise<readonly (readonly [string, string])[]> => {
    const template = templateOf(related);
    const query = { filter: { [key]: { _in: keys } }, fields: [...new Set([key, ...templatePaths(template)])], limit: keys.length };
    const { data } = await search<readonly Item[]>(itemsPath(related), query);
    return data.map((item) => [`${related.name}/${plainText(item[key])}`, renderTemplate(template, item) || plainText(item[key])]);
  },
  staleTime: 60_000,
});

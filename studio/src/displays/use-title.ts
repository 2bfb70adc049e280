// The title of an item of which only the key is known.

import { useQuery } from '@tanstack/react-query';
import { request } from '../api/client.js';
import type { Item } from '../draft/item.js';
import { escapeName } from '../schema/field-path.js';
import type { Collection } from '../schema/model.js';
import { plainText, renderTemplate, type TemplatePart, templatePaths } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';

/** Empty until it is read, and for a key of null. */
export function useTitle(related: Collection | undefined, relatedKey: string, template: readonly TemplatePart[], key: unknown): string {
  const name = plainText(key);
  const fields = [...new Set([escapeName(relatedKey), ...templatePaths(template)])].join(',');
  const { data } = useQuery({
    queryKey: ['title', related?.name, name, fields],
    queryFn: async () => {
      if (related === undefined) return null;
      return (await request<Item>('GET', `${itemsPath(related)}/${encodeURIComponent(name)}`, { query: { fields } })).data;
    },
    enabled: name !== '' && related !== undefined,
  });
  return data === undefined || data === null ? '' : renderTemplate(template, data);
}

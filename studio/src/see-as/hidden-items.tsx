// Items that the administrator sees and the other person does not, each with the reason.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Seen } from '../api/boot.js';
import { request } from '../api/client.js';
import type { Item } from '../draft/item.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import type { Collection } from '../schema/model.js';
import { plainText, renderTemplate, templateOf, templatePaths } from '../schema/templates.js';
import { itemsPath } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { useSeeAsText } from './explain.js';
import { Why } from './why.js';

interface HiddenItemsProps {
  readonly seen: Seen;
  readonly collection: Collection;
  readonly onClose: () => void;
}

const windowSize = 100;

export function HiddenItems({ seen, collection, onClose }: HiddenItemsProps) {
  const text = useSeeAsText();
  const { number } = useLanguage();
  const [asked, setAsked] = useState<string | null>(null);
  const { key } = collection;
  const { data, error } = useQuery({
    queryKey: ['hidden', seen.target, collection.name],
    queryFn: () => findHidden(collection, key ?? ''),
    enabled: key !== null,
  });
  return (
    <SideDrawer title={text.hiddenItemsOf(collection.title, seen.name)} onClose={onClose}>
      <p className="hint">{text.amongFirst(number.format(windowSize))}</p>
      {error !== null && <p className="refusal">{error.message}</p>}
      {data?.length === 0 && <p>{text.nothingHidden}</p>}
      <ul className="hidden-list">
        {data?.map((item) => {
          const id = plainText(item[key ?? '']);
          const title = renderTemplate(templateOf(collection), item) || id;
          return (
            <li key={id}>
              <div className="hidden-row">
                <span className="hint">{id}</span>
                <span className="cut">{title}</span>
                {asked !== id && (
                  <button type="button" className="button small" aria-label={text.whyNotItem(title)} onClick={() => setAsked(id)}>
                    {text.whyNot}
                  </button>
                )}
              </div>
              {asked === id && <Why collection={collection} question={{ as: seen.target, collection: collection.name, item: id }} />}
            </li>
          );
        })}
      </ul>
    </SideDrawer>
  );
}

/** The first items that the administrator sees, without those that the viewed person sees. */
async function findHidden(collection: Collection, key: string): Promise<readonly Item[]> {
  const path = itemsPath(collection);
  const fields = [...new Set([key, ...templatePaths(templateOf(collection))])];
  const own = await request<readonly Item[]>('SEARCH', path, { body: { query: { fields, sort: [key], limit: windowSize } }, asSelf: true });
  const filter = { [key]: { _in: own.data.map((item) => item[key]) } };
  const theirs = await request<readonly Item[]>('SEARCH', path, { body: { query: { fields: [key], filter, limit: windowSize } } }).catch(
    () => ({ data: [] as readonly Item[] }),
  );
  const visible = new Set(theirs.data.map((item) => plainText(item[key])));
  return own.data.filter((item) => !visible.has(plainText(item[key])));
}

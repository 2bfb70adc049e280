// The fields of an item's form that are hidden from the viewed person, each with the reason.

import { useState } from 'react';
import type { Seen } from '../api/boot.js';
import type { Collection } from '../schema/model.js';
import { useSeeAsText } from './explain.js';
import { Why } from './why.js';
import './see-as.css';

interface HiddenFieldsProps {
  readonly seen: Seen;
  readonly collection: Collection;
  readonly itemKey: string | null;
}

export function HiddenFields({ seen, collection, itemKey }: HiddenFieldsProps) {
  const text = useSeeAsText();
  const [asked, setAsked] = useState<string | null>(null);
  const whole = seen.whole.get(collection.name);
  const hidden = (whole?.fields ?? []).filter(({ name, special }) => !collection.fieldsByName.has(name) && !special.includes('no-data'));
  if (hidden.length === 0) return null;
  return (
    <section className="hidden-fields" aria-label={text.hiddenFields(seen.name)}>
      <h2>{text.hiddenFields(seen.name)}</h2>
      <ul className="hidden-list">
        {hidden.map(({ name, title }) => (
          <li key={name}>
            <div className="hidden-row">
              <span className="ghost">{title}</span>
              {asked !== name && (
                <button type="button" className="button small" aria-label={text.whyNotField(title)} onClick={() => setAsked(name)}>
                  {text.whyNot}
                </button>
              )}
            </div>
            {asked === name && (
              <Why
                collection={collection}
                question={{ as: seen.target, collection: collection.name, field: name, ...(itemKey === null ? {} : { item: itemKey }) }}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

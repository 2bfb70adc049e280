// Says with whose rights Studio reads, offers what is hidden from that person, and the way back.

import { useState } from 'react';
import { useRoute } from 'wouter';
import type { Seen } from '../api/boot.js';
import { Icon } from '../primitives/icon.js';
import { useSeeAsText } from './explain.js';
import { HiddenItems } from './hidden-items.js';
import { useSeeAs } from './use-see-as.js';
import './see-as.css';

export function SeeAsBar({ seen }: { readonly seen: Seen }) {
  const text = useSeeAsText();
  const seeAs = useSeeAs();
  const [isOpen, setOpen] = useState(false);
  const [inList, parameters] = useRoute('/c/:collection');
  const name = inList ? decodeURIComponent(parameters.collection) : null;
  const collection = name === null ? undefined : seen.whole.get(name);
  return (
    <section className="see-as-bar" aria-label={text.seenAs(seen.name)}>
      <Icon name="eye" />
      <p>
        <strong>{text.seenAs(seen.name)}</strong> <span className="wide-label">{text.onlyReading}</span>
      </p>
      {collection !== undefined && (
        <button type="button" className="button small" onClick={() => setOpen(true)}>
          {text.hiddenItems}
        </button>
      )}
      <button type="button" className="button small" onClick={() => seeAs(null)}>
        {text.stop}
      </button>
      {isOpen && collection !== undefined && <HiddenItems seen={seen} collection={collection} onClose={() => setOpen(false)} />}
    </section>
  );
}

// Who else has this item open, beside its title: initials, and their names where there is room. Received over the connection that follows the item.

import { useEffect, useState } from 'react';
import { nobody, type Present, type PresentUser, visit } from '../live/live-socket.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';

/** More are counted. */
const mostInitials = 3;

export function AlsoOpen({ collection: { name, isSystem }, itemKey }: { readonly collection: Collection; readonly itemKey: string }) {
  const { isLive, seen } = useStudio().boot;
  const [present, setPresent] = useState<Present>(nobody);
  // While an administrator sees as another person, neither is reported as present.
  const isVisited = isLive && seen === null && !isSystem;
  useEffect(() => {
    setPresent(nobody);
    if (isVisited) return visit({ collection: name, item: itemKey }, setPresent);
  }, [isVisited, name, itemKey]);
  return (
    <span className="also-open" role="status">
      {present.users.length + present.others > 0 && <People present={present} />}
    </span>
  );
}

function People({ present: { users, others } }: { readonly present: Present }) {
  const { text, tag } = useLanguage();
  const names = users.map((user) => nameOf(user) ?? text.someone);
  const all = [...names, ...(others > 0 ? [text.otherPeople(others, names.length > 0)] : [])];
  const sentence = text.alsoOpenBy(new Intl.ListFormat(tag).format(all));
  const shown = names.length > mostInitials ? names.slice(0, mostInitials - 1) : names;
  const uncounted = names.length - shown.length + others;
  return (
    <span className="also-open-people" title={sentence}>
      <span className="also-open-initials" aria-hidden="true">
        {shown.map((name, index) => (
          <span key={users[index]?.id}>{[...name][0]?.toUpperCase()}</span>
        ))}
        {uncounted > 0 && <span>+{uncounted}</span>}
      </span>
      <span className="also-open-names">{sentence}</span>
    </span>
  );
}

const nameOf = ({ first_name: first, last_name: last, email }: PresentUser): string | null =>
  [first, last].filter((part) => typeof part === 'string' && part !== '').join(' ') || (email ?? null);

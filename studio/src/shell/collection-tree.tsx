// The collections as a tree: folders and groups by `meta.group`, in their order, with a field to find one by name.

import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../primitives/icon.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

const none: readonly Collection[] = [];

export function CollectionTree() {
  const text = useText();
  const { schema } = useStudio().boot;
  const [searchText, setSearchText] = useState('');
  const shown = useMemo(() => [...schema.values()].filter((each) => !each.hidden && !each.isSystem), [schema]);
  const found = useMemo(() => {
    const lower = searchText.trim().toLowerCase();
    return lower === '' ? null : shown.filter((each) => !each.isFolder && `${each.title} ${each.name}`.toLowerCase().includes(lower));
  }, [shown, searchText]);
  const tree = useMemo(() => <Level all={shown} group={null} />, [shown]);
  if (shown.length === 0) return <p className="tree hint">{text.noCollections}</p>;
  return (
    <>
      <div className="side-search">
        <input
          className="input"
          type="search"
          placeholder={text.filterCollections}
          aria-label={text.filterCollections}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      </div>
      <div className="tree">
        {/* Drawn once and hidden while found ones are shown: with hundreds of collections, drawing them anew is felt in typing. */}
        <div hidden={found !== null}>{tree}</div>
        {found !== null && <Entries list={found} all={none} />}
        {found?.length === 0 && <p className="hint">{text.noMatch}</p>}
      </div>
    </>
  );
}

function Level({ all, group }: { readonly all: readonly Collection[]; readonly group: string | null }) {
  const names = useMemo(() => new Set(all.map((each) => each.name)), [all]);
  // A collection whose group is not visible is shown at the top.
  const isIn = ({ group: own }: Collection): boolean => (own !== null && (own === group || names.has(own)) ? own : null) === group;
  const list = all.filter(isIn);
  return <Entries list={list} all={all} />;
}

function Entries({ list, all }: { readonly list: readonly Collection[]; readonly all: readonly Collection[] }) {
  const ordered = useMemo(() => list.toSorted((left, right) => left.sort - right.sort || left.title.localeCompare(right.title)), [list]);
  const groups = useMemo(() => new Set(all.map((each) => each.group)), [all]);
  return (
    <ul>
      {ordered.map((collection) => (
        <li key={collection.name}>
          {collection.isFolder ? (
            <div className="folder">
              <Icon name="folder" />
              <span>{collection.title}</span>
            </div>
          ) : (
            <Entry collection={collection} />
          )}
          {groups.has(collection.name) && <Level all={all.filter((each) => each !== collection)} group={collection.name} />}
        </li>
      ))}
    </ul>
  );
}

function Entry({ collection }: { readonly collection: Collection }) {
  const href = `/c/${encodeURIComponent(collection.name)}`;
  const [place] = useLocation();
  // The router tells the place with its blanks and letters of other scripts decoded.
  const isHere = `${place}/`.startsWith(`${decodeURI(href)}/`);
  return (
    <Link href={href} aria-current={isHere ? 'page' : undefined} title={collection.note ?? undefined}>
      <Icon name="table" />
      <span>{collection.title}</span>
    </Link>
  );
}

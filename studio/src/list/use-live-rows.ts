// A list that follows changes of others. Visible rows change in place. Added and removed rows are shown at once while nobody works in the
// list; otherwise the list shows a notice and waits until it is asked to show them, so that nothing moves under the pointer.

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { follow } from '../live/live-socket.js';
import type { Collection } from '../schema/model.js';
import { useStudio } from '../studio-context.js';
import type { Row, Rows } from './rows.js';

/** Changes of others that the list does not show yet. */
export interface PendingChanges {
  readonly came: number;
  readonly went: number;
  /** Something changed, and it is not known what. */
  readonly isStale: boolean;
  readonly show: () => void;
}

interface LiveList {
  readonly collection: Collection;
  readonly rows: Rows;
  /** The query of the rows, as text. */
  readonly query: string;
  /** There are edits or a selection. */
  readonly isBusy: boolean;
}

interface Known {
  readonly came: ReadonlySet<string>;
  readonly went: ReadonlySet<string>;
  readonly isStale: boolean;
}

const nothing: Known = { came: new Set(), went: new Set(), isStale: false };

/** Changes in quick succession are shown together. */
const gatherMs = 300;
/** As many new items as are told at once where the list is long. */
const mostNew = 100;

export function useLiveRows({ collection, rows, query, isBusy }: LiveList): PendingChanges {
  const { isLive } = useStudio().boot;
  const cache = useQueryClient();
  const [known, setKnown] = useState(nothing);
  const { name, key, isSystem } = collection;
  const isFollowed = isLive && !isSystem && key !== null;
  const countAgain = useCallback(() => void cache.invalidateQueries({ queryKey: ['count', name] }), [cache, name]);
  const show = useCallback(() => {
    setKnown(nothing);
    rows.refresh();
    countAgain();
  }, [rows, countAgain]);
  const leave = useCallback(
    (gone: readonly string[]) => {
      const inSight = gone.filter((each) => rows.indexOf(each) !== null);
      setKnown((before) => withGone(before, gone, inSight));
      // What is not in sight only makes the list shorter.
      if (inSight.length === 0) countAgain();
    },
    [rows, countAgain],
  );
  useEffect(() => {
    setKnown(nothing);
    if (!isFollowed || key === null) return;
    const { filter, search } = JSON.parse(query) as ListQuery;
    // Of a long list the service reports what is on the page that is asked for: new items have the last keys, which are cheap to find.
    const newest = { filter, search, fields: [key], sort: [`-${key}`], limit: mostNew };
    return follow({ collection: name, query: newest }, ({ event, data, isReset }) => {
      if (event === 'init' && isReset) setKnown((before) => ({ ...before, isStale: true }));
      if (event === 'create')
        setKnown((before) =>
          withCame(
            before,
            (data as readonly Row[]).map((row) => String(row[key])),
          ),
        );
      if (event !== 'delete') return;
      leave((data as readonly unknown[]).map(String));
    });
  }, [isFollowed, name, key, query, leave]);
  useEffect(
    () => (isFollowed && key !== null ? followSight({ collection: name, key, rows, query, leave }) : undefined),
    [isFollowed, name, key, rows, query, leave],
  );
  const pending = pendingFor(known, rows);
  const hasPending = pending.came + pending.went > 0 || pending.isStale;
  const mayMove = useRef(false);
  mayMove.current = pending.isStale || (!isBusy && rows.scrollTop === 0);
  useEffect(() => {
    if (!hasPending) return;
    const timer = setTimeout(() => mayMove.current && !isAtWork() && show(), gatherMs);
    return () => clearTimeout(timer);
  }, [hasPending, show]);
  return { ...pending, show };
}

interface ListQuery {
  readonly fields: readonly string[];
  readonly filter?: unknown;
  readonly search?: string;
}

/** A row that was removed and added again, or the reverse, is not reported. */
function withCame({ came, went, isStale }: Known, keys: readonly string[]): Known {
  const fresh = keys.filter((key) => !went.has(key));
  return { came: new Set([...came, ...fresh]), went: without(went, keys), isStale };
}

const withGone = ({ came, went, isStale }: Known, keys: readonly string[], inSight: readonly string[]): Known => ({
  came: without(came, keys),
  went: new Set([...went, ...inSight]),
  isStale,
});

function without(set: ReadonlySet<string>, keys: readonly string[]): ReadonlySet<string> {
  const left = new Set(set);
  for (const key of keys) left.delete(key);
  return left;
}

/** Leaves out the person's own changes, which the list shows already. */
function pendingFor({ came, went, isStale }: Known, rows: Rows): Omit<PendingChanges, 'show'> {
  if (came.size + went.size === 0) return { came: 0, went: 0, isStale };
  const loaded = rows.loadedKeys();
  return {
    came: [...came].filter((key) => !loaded.has(key)).length,
    went: [...went].filter((key) => loaded.has(key) && !rows.isOwn(key)).length,
    isStale,
  };
}

/** Whether the focus is in the list or in something over it. */
const isAtWork = (): boolean => document.activeElement?.closest('.grid-body, [role=dialog], .bulk-bar') != null;

interface Sight {
  readonly collection: string;
  readonly key: string;
  readonly rows: Rows;
  readonly query: string;
  /** Called with the keys of rows that are gone. */
  readonly leave: (gone: readonly string[]) => void;
}

/** Follows the rows in sight by their keys, however long the list is; others are read again when they come into sight. */
function followSight({ collection, key, rows, query, leave }: Sight): () => void {
  const { fields, filter, search } = JSON.parse(query) as ListQuery;
  let followed = '';
  let stop: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const apply = () => {
    timer = null;
    const keys = rows.rowsInSight().map((row) => row[key]);
    const wanted = JSON.stringify(keys);
    if (wanted === followed) return;
    followed = wanted;
    stop?.();
    stop = null;
    if (keys.length === 0) return;
    const both = { _and: [...(filter === undefined ? [] : [filter]), { [key]: { _in: keys } }] };
    stop = follow({ collection, query: { fields, filter: both, search, limit: 0 } }, ({ event, data }) => {
      if (event === 'update') rows.replace(data as readonly Row[]);
      if (event === 'delete') leave((data as readonly unknown[]).map(String));
    });
  };
  const soon = () => {
    timer ??= setTimeout(apply, gatherMs);
  };
  const unsubscribe = rows.subscribe(soon);
  soon();
  return () => {
    unsubscribe();
    stop?.();
    if (timer !== null) clearTimeout(timer);
  };
}

// Changes of structure that wait on the desk, in their order. They last as long as the tab, so that a reload loses none.

import { useSyncExternalStore } from 'react';
import { request } from '../../api/client.js';

/** As `POST /schema/changes` takes it. */
export interface Change {
  readonly change: string;
  readonly collection?: string;
  readonly field?: string;
  /** Of an index. */
  readonly name?: string;
  readonly data?: unknown;
}

export interface Card {
  readonly id: number;
  readonly title: string;
  readonly change: Change;
}

export interface Affected {
  readonly collection: string;
  readonly field: string | null;
  readonly effect: 'deleted' | 'converted' | 'truncated' | 'null';
  readonly count: number;
}

export type Break =
  | { readonly kind: 'relation'; readonly collection: string; readonly field: string }
  | { readonly kind: 'permission'; readonly id: number; readonly policy: string; readonly collection: string; readonly action: string }
  | { readonly kind: 'view'; readonly name: string };

export interface Preview {
  readonly statements: readonly string[];
  readonly values: readonly Affected[];
  readonly breaks: readonly Break[];
}

const place = 'tain.change-desk';

let cards: readonly Card[] = readCards();
const listeners = new Set<() => void>();

function readCards(): readonly Card[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(stored) ? (stored as readonly Card[]) : [];
  } catch {
    return [];
  }
}

function setCards(next: readonly Card[]): void {
  cards = next;
  sessionStorage.setItem(place, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function addCards(added: readonly Omit<Card, 'id'>[]): void {
  const last = Math.max(0, ...cards.map(({ id }) => id));
  setCards([...cards, ...added.map((card, index) => ({ ...card, id: last + 1 + index }))]);
}

export const removeCard = (id: number): void => setCards(cards.filter((card) => card.id !== id));
export const clearDesk = (): void => setCards([]);

export const useCards = (): readonly Card[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => cards,
  );

export interface RawPreview {
  readonly statements: readonly string[];
  readonly affected: { readonly values: readonly Affected[] };
  readonly breaks: readonly Break[];
}

/** What all of these changes together would do. */
export async function previewAll(changes: readonly Change[]): Promise<Preview> {
  const { data } = await request<RawPreview>('POST', '/schema/changes', { body: changes, prefer: 'dry-run' });
  return readPreview(data);
}

export const readPreview = ({ statements, affected, breaks }: RawPreview): Preview => ({ statements, values: affected.values, breaks });

/** The parts of `all` that `before` does not contain, counting repeated parts. */
export function without(all: Preview, before: Preview): Preview {
  const rest = <T>(list: readonly T[], known: readonly T[]): readonly T[] => {
    const left = known.map((each) => JSON.stringify(each));
    return list.filter((each) => {
      const at = left.indexOf(JSON.stringify(each));
      if (at === -1) return true;
      left.splice(at, 1);
      return false;
    });
  };
  return {
    statements: rest(all.statements, before.statements),
    values: rest(all.values, before.values),
    breaks: rest(all.breaks, before.breaks),
  };
}

export const applyCards = (list: readonly Card[]): Promise<unknown> =>
  request('POST', '/schema/changes', { body: list.map(({ change }) => change) });

// What waits on the desk, as the screens of the model show it in its place. Pure.

import type { Card } from './desk.js';

export type WaitingChange = 'changed' | 'deleted';

interface WaitingField {
  readonly name: string;
  /** Null: it has none, such as a list. */
  readonly type: string | null;
  /** The collection that it will refer to. */
  readonly related: string | null;
}

interface Waiting {
  readonly added: readonly WaitingField[];
  /** By name. */
  readonly fields: ReadonlyMap<string, WaitingChange>;
  readonly collection: WaitingChange | null;
}

const nothing: Waiting = { added: [], fields: new Map(), collection: null };

/** What the cards do to a collection that exists. */
export function waitingFor(cards: readonly Card[], collection: string): Waiting {
  return cards.reduce((waiting, card) => withCard(waiting, card, collection), nothing);
}

function withCard(waiting: Waiting, { change }: Card, collection: string): Waiting {
  const data = (change.data ?? {}) as Readonly<Record<string, unknown>>;
  const owner = change.collection ?? data['collection'];
  if (owner !== collection) return waiting;
  const name = String(change.field ?? data['field'] ?? '');
  const isAdded = waiting.added.some((field) => field.name === name);
  const mark = (how: WaitingChange): Waiting => ({ ...waiting, fields: new Map(waiting.fields).set(name, how) });
  switch (change.change) {
    case 'create_field': {
      const type = data['type'] === 'alias' ? null : String(data['type'] ?? '');
      return { ...waiting, added: [...waiting.added, { name, type, related: null }] };
    }
    case 'create_relation': {
      const related = typeof data['related_collection'] === 'string' ? data['related_collection'] : null;
      if (!isAdded) return mark('changed');
      return { ...waiting, added: waiting.added.map((field) => (field.name === name ? { ...field, related } : field)) };
    }
    case 'update_field':
      return isAdded ? waiting : mark('changed');
    case 'delete_field':
      return isAdded ? { ...waiting, added: waiting.added.filter((field) => field.name !== name) } : mark('deleted');
    case 'update_collection':
      return { ...waiting, collection: 'changed' };
    case 'delete_collection':
      return { ...waiting, collection: 'deleted' };
    default:
      return waiting;
  }
}

/** Collections that the cards create, with the number of their fields. */
export const waitingCollections = (cards: readonly Card[]): readonly { readonly name: string; readonly fields: number }[] =>
  cards.flatMap(({ change }) => {
    if (change.change !== 'create_collection') return [];
    const { collection, fields } = change.data as { readonly collection: string; readonly fields?: readonly unknown[] };
    return [{ name: collection, fields: fields?.length ?? 0 }];
  });

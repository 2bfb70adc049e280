// Changes of indexes as cards for the desk. Pure.

import type { ModelMessages } from '../text/english/model.js';
import type { Card } from './desk/desk.js';

export interface NewIndex {
  readonly fields: readonly string[];
  readonly unique?: boolean;
  readonly name?: string;
}

type NewCard = Omit<Card, 'id'>;

export const createIndexCard = (text: ModelMessages, collection: string, index: NewIndex): NewCard => ({
  title: text.titles.createIndex(collection, index.fields.join(', ')),
  change: { change: 'create_index', collection, data: index },
});

export const deleteIndexCard = (text: ModelMessages, collection: string, name: string): NewCard => ({
  title: text.titles.deleteIndex(name),
  change: { change: 'delete_index', collection, name },
});

// What the key may see of the structure: collections by search, and the fields of one, in short pages.

import { type Action, actions } from '../../../core/access/permission.js';
import { type Caller, findCollection, findField, grantOf, visibleFields } from '../../../core/access/view.js';
import type { Collection, Field } from '../../../core/schema/schema.js';
import { collectionsFor } from '../../../service/operations/open-rule.js';
import { described, integer, text, withDefault } from '../../../service/operations/shape.js';
import { pageOf } from './bounded-answer.js';
import { isWriter, tool, userCollection } from './tool.js';

/** The bytes of a page: eight kilobytes with what stands around the entries. */
const mostBytes = 7_500;
const longestNote = 200;
const mostChoices = 20;
const mostHits = 10;

export const schema = tool({
  name: 'schema',
  title: 'Collections and fields',
  description:
    'Begin here. Without arguments: the collections that the key may use and what it may do with them. With "search": those whose name, note or fields contain a text. With "collection": its fields, with types, relations and what may be written.',
  effect: 'reads',
  input: {
    collection: described(withDefault(text(), undefined), 'The fields of this one.'),
    search: withDefault(text({ maxLength: 100 }), ''),
    page: withDefault(integer(1, 10_000), 1),
  },
  isOpen: () => true,
  run: async ({ work: { caller } }, { collection, search, page }) => {
    const wanted = search.toLowerCase();
    const entries = collection === undefined ? describeCollections(caller, wanted) : describeFields(caller, collection, wanted);
    const { data, pages } = pageOf(entries, page, mostBytes);
    return JSON.stringify({ ...(collection === undefined ? {} : { collection }), page, pages, entries: entries.length, data });
  },
});

/** What the key leaves of the actions; permissions decide further. */
const actionsOf = (caller: Caller): readonly Action[] => (isWriter(caller) ? actions : ['read']);

function describeCollections(caller: Caller, wanted: string): readonly unknown[] {
  const { view } = caller;
  const usable = new Map(actionsOf(caller).map((action) => [action, new Set(collectionsFor(view, action))] as const));
  return [...view.schema.collections.values()].flatMap((collection) => {
    const may = actions.filter((action) => usable.get(action)?.has(collection.name));
    if (may.length === 0) return [];
    const { name, note, singleton, primaryKey } = collection;
    const hits =
      wanted === '' ? [] : fieldsOf(caller, collection).flatMap((field) => (field.name.toLowerCase().includes(wanted) ? [field.name] : []));
    if (!`${name} ${note ?? ''}`.toLowerCase().includes(wanted) && hits.length === 0) return [];
    return {
      name,
      may,
      key: primaryKey,
      ...(singleton ? { singleton } : {}),
      ...shortNote(note),
      ...(hits.length > 0 ? { fields: hits.slice(0, mostHits) } : {}),
    };
  });
}

const ofFields: ReadonlySet<Action> = new Set(['read', 'create', 'update']);

/** Fields that the caller may read or write. */
const fieldsOf = ({ view }: Caller, collection: Collection): readonly Field[] => [
  ...new Set((['read', 'create', 'update'] as const).flatMap((action) => visibleFields(view, collection, action))),
];

function describeFields(caller: Caller, name: string, wanted: string): readonly unknown[] {
  const action = actionsOf(caller).find((each) => grantOf(caller.view, name, each) !== null) ?? 'read';
  const collection = userCollection(caller, name, action);
  return fieldsOf(caller, collection).flatMap((field) =>
    field.name.toLowerCase().includes(wanted) && field.kind !== 'presentation' ? describeField(caller, collection, field) : [],
  );
}

function describeField(caller: Caller, collection: Collection, field: Field) {
  const may = actionsOf(caller).filter((action) => ofFields.has(action) && findField(caller.view, collection, field.name, action) !== null);
  return { name: field.name, type: field.type, may, ...columnFacts(field), ...relationFacts(caller, field), ...shortNote(field.note) };
}

function columnFacts(field: Field) {
  if (field.kind !== 'column') return {};
  const { nullable, choices } = field.column;
  const allowed = choices === undefined ? {} : { choices: choices.slice(0, mostChoices) };
  return { ...(nullable ? { nullable } : {}), ...allowed };
}

/** A collection that the caller may not read is not named. */
function relationFacts({ view }: Caller, field: Field) {
  if (field.kind === 'presentation' || field.relation === null) return {};
  const related = field.relation.kind === 'm2a' ? field.relation.allowed : [field.relation.related];
  const known = related.filter((name) => findCollection(view, name, 'read') !== null);
  return known.length === 0 ? {} : { relation: field.relation.kind, related: known };
}

const shortNote = (note: string | null) => (note === null || note === '' ? {} : { note: note.slice(0, longestNote) });

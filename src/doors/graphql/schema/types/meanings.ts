// The link between drawing a schema and compiling a document: drawing attaches to each field and type what it stands for in the database,
// and compiling reads it from there. Compiling knows nothing else about collections.

import type { GraphQLField, GraphQLInputField, GraphQLNamedType } from 'graphql';

/** A field of a collection's object type. */
export type FieldMeaning =
  | { readonly kind: 'value'; readonly field: string; readonly cast?: 'string' | 'number' }
  | { readonly kind: 'relation'; readonly field: string }
  | { readonly kind: 'any'; readonly field: string }
  | { readonly kind: 'functions'; readonly field: string }
  /** A field of an object of functions. */
  | { readonly kind: 'function'; readonly fn: string };

/** A field of a filter's input type; `_and`, `_or`, `_some` and `_none` have no meaning attached. */
export type FilterMeaning =
  | { readonly kind: 'conditions'; readonly field: string }
  /**
   * `keys`: the fields of the related item that a to-one relation refers to; empty for lists. `scope`: the collection that a condition on a
   * many-to-any is about.
   */
  | { readonly kind: 'related'; readonly field: string; readonly scope: string | null; readonly keys: readonly string[] }
  | { readonly kind: 'functions'; readonly field: string };

/** A field of a write's input. */
export type InputMeaning =
  | { readonly kind: 'value'; readonly field: string }
  | { readonly kind: 'item'; readonly field: string }
  | { readonly kind: 'list'; readonly field: string }
  /** Keys in place of items of a list: `books_keys: [3, 4]`. */
  | { readonly kind: 'keys'; readonly field: string }
  /** The key of a to-one relation: `author_key: 3`. */
  | { readonly kind: 'key'; readonly field: string }
  /** The detailed form: `books_changes: {create, update, delete}`. */
  | { readonly kind: 'changes'; readonly field: string }
  /** A new item of one collection of a many-to-any: `item__pages: {…}`. */
  | { readonly kind: 'any'; readonly field: string; readonly collectionField: string; readonly collection: string };

/** A field of an aggregate's type. */
export type AggregateMeaning =
  | { readonly kind: 'group' }
  | { readonly kind: 'count-all' }
  | { readonly kind: 'aggregate'; readonly fn: string }
  | { readonly kind: 'aggregate-of'; readonly field: string; readonly isNumber: boolean };

export type RootMeaning =
  | { readonly kind: ReadKind; readonly collection: string }
  | { readonly kind: WriteKind; readonly collection: string; readonly reads: boolean }
  /** `takesItem`: its argument `data` is an item. */
  | { readonly kind: 'operation'; readonly name: string; readonly takesItem: boolean }
  /** The events of a subscription. */
  | { readonly kind: 'events'; readonly collection: string }
  | { readonly kind: 'nothing' };

export type ReadKind = 'items' | 'item' | 'singleton' | 'aggregated' | 'version';

export type WriteKind =
  | 'create-one'
  | 'create-many'
  | 'update-one'
  | 'update-many'
  | 'update-batch'
  | 'update-singleton'
  | 'delete-one'
  | 'delete-many';

interface Means<Meaning> {
  readonly extensions: { readonly meaning: Meaning };
}

type OutputMeaning = FieldMeaning | AggregateMeaning | RootMeaning;

export const means = <Meaning extends OutputMeaning | FilterMeaning | InputMeaning>(meaning: Meaning): Means<Meaning> => ({
  extensions: { meaning },
});

export const fieldMeaning = (field: GraphQLField<unknown, unknown>): FieldMeaning => read(field);
export const rootMeaning = (field: GraphQLField<unknown, unknown>): RootMeaning => read(field);
export const aggregateMeaning = (field: GraphQLField<unknown, unknown>): AggregateMeaning => read(field);
export const filterMeaning = (field: GraphQLInputField): FilterMeaning | null => (isMeant(field) ? read(field) : null);
export const inputMeaning = (field: GraphQLInputField): InputMeaning => read(field);

const isMeant = (field: GraphQLInputField): boolean => 'meaning' in field.extensions;

function read<Meaning>(field: { readonly name: string; readonly extensions: Readonly<Record<string, unknown>> }): Meaning {
  const { meaning } = field.extensions;
  if (meaning === undefined) throw new Error(`the field ${field.name} of the schema has no meaning`);
  return meaning as Meaning;
}

/** Whether the type describes the items of a collection. */
export const isItemType = (type: GraphQLNamedType): boolean => 'collection' in type.extensions;

/** The collection whose items an object type describes. */
export function collectionOfType(type: GraphQLNamedType): string {
  const { collection } = type.extensions;
  if (typeof collection !== 'string') throw new Error(`the type ${type.name} describes no collection`);
  return collection;
}

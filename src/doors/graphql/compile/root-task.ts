// What a root field does: everything that running it needs, without the document and its variables. Names in a task are plain text;
// the engine looks them up in the view of the caller it runs for, so a task grants nothing by itself.

import type { DocumentNode, FieldNode, GraphQLSchema } from 'graphql';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { WriteKind } from '../schema/types/meanings.js';
import type { AggregateShape } from './compile-aggregate.js';
import type { ArgumentValues } from './compile-arguments.js';
import type { Variables } from './compile-context.js';
import type { Projection } from './compile-projection.js';

export type RootTask =
  /** The arguments or the selection are wrong: running the task throws the error, which is this field's own failure. */
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'constant'; readonly text: string }
  /** A document of one field, for graphql-js; `variables` as the client sent them. */
  | { readonly kind: 'introspection'; readonly schema: GraphQLSchema; readonly document: DocumentNode; readonly variables: Variables }
  | { readonly kind: 'items'; readonly collection: string; readonly parsed: ParsedQuery }
  /** `version`: the changes of this version are applied to the item. */
  | { readonly kind: 'singleton'; readonly collection: string; readonly parsed: ParsedQuery; readonly version: string | null }
  | {
      readonly kind: 'item';
      readonly collection: string;
      readonly id: unknown;
      readonly parsed: ParsedQuery;
      readonly version: string | null;
    }
  | { readonly kind: 'aggregated'; readonly collection: string; readonly parsed: ParsedQuery; readonly shape: AggregateShape }
  /** Every field of an item as a version has it, relations as raw JSON. `id` is undefined for a singleton. */
  | {
      readonly kind: 'version';
      readonly collection: string;
      readonly id: unknown;
      readonly version: string | null;
      readonly projection: Projection;
    }
  | EventsTask
  | WriteTask
  | {
      readonly kind: 'operation';
      readonly name: string;
      readonly args: ArgumentValues;
      readonly answer: OperationAnswer;
    };

/** A subscription: which items it follows, and what its events contain. Over HTTP it answers null. */
export interface EventsTask {
  readonly kind: 'events';
  readonly collection: string;
  /** Selects the items, with what is answered of each. */
  readonly parsed: ParsedQuery;
  readonly keys: readonly unknown[] | null;
  /** null: all. */
  readonly event: string | null;
  readonly since: string | null;
  /** The name of the type of its events. */
  readonly typename: string;
  /** In the order of the answer. */
  readonly members: readonly EventMember[];
}

export interface EventMember {
  readonly as: string;
  readonly kind: 'key' | 'event' | 'data' | 'cursor' | 'typename';
}

export interface WriteTask {
  readonly kind: 'write';
  readonly write: WriteKind;
  readonly collection: string;
  readonly keys: readonly unknown[];
  readonly payloads: readonly unknown[];
  readonly answer: WriteAnswer;
}

/** What a write answers: the items it wrote, the keys it deleted, or `true` for a caller who may not read the items. */
export type WriteAnswer =
  | { readonly kind: 'items'; readonly parsed: ParsedQuery }
  | { readonly kind: 'keys'; readonly projection: Projection }
  | { readonly kind: 'done' };

/** What an operation answers: the value its function returns, or the items whose keys it returns. */
export type OperationAnswer =
  | { readonly kind: 'value'; readonly projection: Projection }
  | { readonly kind: 'item'; readonly parsed: ParsedQuery }
  | { readonly kind: 'items'; readonly parsed: ParsedQuery };

export interface RootField {
  /** Its name in the answer. */
  readonly key: string;
  readonly node: FieldNode;
  /** A failure makes the whole answer null. */
  readonly isNonNull: boolean;
  readonly task: RootTask;
}

// A root field after compiling: what to do, with everything it needs, and where it stands in the document and in the answer.

import type { FieldNode, GraphQLField } from 'graphql';
import type { ParsedQuery } from '../../../core/query/query.js';
import type { WriteKind } from '../schema/meanings.js';
import type { FieldNodes } from './collect-fields.js';
import type { AggregateShape } from './compile-aggregate.js';
import type { ArgumentValues } from './compile-arguments.js';

export type RootTask =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'introspection'; readonly nodes: FieldNodes }
  | { readonly kind: 'items'; readonly collection: string; readonly parsed: ParsedQuery }
  /** `version`: the changes of this version are laid over the item. */
  | { readonly kind: 'singleton'; readonly collection: string; readonly parsed: ParsedQuery; readonly version: string | null }
  | {
      readonly kind: 'item';
      readonly collection: string;
      readonly id: unknown;
      readonly parsed: ParsedQuery;
      readonly version: string | null;
    }
  | { readonly kind: 'aggregated'; readonly collection: string; readonly parsed: ParsedQuery; readonly shape: AggregateShape }
  | {
      readonly kind: 'version';
      readonly collection: string;
      readonly id: unknown;
      readonly version: string;
      readonly nodes: FieldNodes;
      readonly field: GraphQLField<unknown, unknown>;
    }
  /** `parsed` is null when nothing is read afterwards. */
  | {
      readonly kind: 'write';
      readonly write: WriteTask;
      readonly parsed: ParsedQuery | null;
      readonly nodes: FieldNodes;
      readonly field: GraphQLField<unknown, unknown>;
    }
  | {
      readonly kind: 'operation';
      readonly name: string;
      readonly args: ArgumentValues;
      readonly nodes: FieldNodes;
      readonly field: GraphQLField<unknown, unknown>;
    };

export interface WriteTask {
  readonly kind: WriteKind;
  readonly collection: string;
  readonly keys: readonly unknown[];
  readonly payloads: readonly unknown[];
}

export interface RootField {
  readonly key: string;
  readonly node: FieldNode;
  /** A failure makes the whole answer null. */
  readonly isNonNull: boolean;
  /** Made when its turn comes: what is wrong with its arguments is its own failure. */
  readonly compile: () => RootTask;
}

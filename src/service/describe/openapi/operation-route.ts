// An operation at an address of REST, as data: REST registers the route from it, and this stage describes it.

import type { Operation } from '../../operations/operation.js';
import type { Shape } from '../../operations/shape.js';

/** How the value is answered: as `{"data": …}` unless the route or the output says otherwise. */
export type RouteAnswer =
  /** 204 for null. */
  | { readonly kind: 'data' }
  /** 204. */
  | { readonly kind: 'nothing' }
  /** 200 without a body. */
  | { readonly kind: 'empty' }
  /** 302 to where the outcome says. */
  | { readonly kind: 'redirect' }
  /** The value itself, as a document of this media type. */
  | { readonly kind: 'content'; readonly type: string }
  /** The value itself, as JSON; 204 without one. */
  | { readonly kind: 'value' };

export interface OperationRoute {
  readonly operation: Operation;
  /** QUERY, the successor of SEARCH, is registered with it. */
  readonly method: 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE';
  /** `/utils/sort/{collection}`. */
  readonly path: string;
  /** Members of the input that the URL carries under another name. */
  readonly names?: Readonly<Record<string, string>>;
  /** Members that the URL's query carries; of a GET all that the path does not. The body carries the others. */
  readonly query?: readonly string[];
  /** The member that is the whole body. */
  readonly body?: string;
  /** Members that a header of the request carries, by its name. */
  readonly headed?: Readonly<Record<string, string>>;
  /** Members whose value follows from the path. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly answer?: RouteAnswer;
  /** What runs instead, with these members besides, for the header `Prefer: dry-run`. */
  readonly dryRun?: { readonly operation: Operation; readonly fixed: Readonly<Record<string, unknown>> };
  /** False for a second address of a route; another id where one operation has several addresses. */
  readonly described?: false | { readonly id: string; readonly summary: string };
}

/** Where a route finds a member of the input. */
export interface Placement {
  readonly member: string;
  readonly shape: Shape<unknown>;
  readonly in: 'path' | 'query' | 'header' | 'body' | 'whole-body';
  readonly name: string;
}

export function placeMembers({
  operation,
  method,
  path,
  names = {},
  query = [],
  headed = {},
  body,
  fixed = {},
}: OperationRoute): readonly Placement[] {
  return Object.entries(operation.input)
    .filter(([member]) => !Object.hasOwn(fixed, member))
    .map(([member, shape]) => {
      const header = headed[member];
      if (header !== undefined) return { member, shape, name: header, in: 'header' };
      const name = names[member] ?? member;
      if (path.includes(`{${name}}`)) return { member, shape, name, in: 'path' };
      if (member === body) return { member, shape, name, in: 'whole-body' };
      return { member, shape, name, in: method === 'GET' || query.includes(member) ? 'query' : 'body' };
    });
}

export function answerOf({ answer, operation }: OperationRoute): RouteAnswer {
  return answer ?? { kind: operation.output.facts.kind === 'nothing' ? 'nothing' : 'data' };
}

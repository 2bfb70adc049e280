// An operation at an address of REST, as data: REST registers the route from it, and this stage describes it.

import type { Operation } from '../../operations/operation.js';
import type { Shape } from '../../operations/shape.js';

/** How the value is sent: as `{"data": …}` unless the route or the output says otherwise. */
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
  /** The bytes of a content, whole or in ranges. */
  | { readonly kind: 'bytes' }
  /** The value itself, as JSON; 204 without one. */
  | { readonly kind: 'value' };

export interface OperationRoute {
  readonly operation: Operation;
  /** QUERY, the successor of SEARCH, is registered with it. */
  readonly method: 'GET' | 'SEARCH' | 'POST' | 'PATCH' | 'DELETE';
  /** `/utils/sort/{collection}`. */
  readonly path: string;
  /** The names in the URL of members that have another name there. */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * Members in the query of the URL. A GET has all members there that are not in the path; other methods have the rest in the body. A document
   * is the whole query, by name.
   */
  readonly query?: readonly string[];
  /** The member that is the whole body. */
  readonly body?: string;
  /** Members in a header of the request, with the name of the header. */
  readonly headed?: Readonly<Record<string, string>>;
  /** Members with a constant value on this path. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  readonly answer?: RouteAnswer;
  /** The operation that runs instead, with these additional members, if the request has the header `Prefer: dry-run`. */
  readonly dryRun?: { readonly operation: Operation; readonly fixed: Readonly<Record<string, unknown>> };
  /** How OpenAPI lists the route: false for a second address of a route; another id where one operation has several addresses. */
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
  if (answer !== undefined) return answer;
  const { kind } = operation.output.facts;
  return { kind: kind === 'nothing' ? 'nothing' : kind === 'content' ? 'bytes' : 'data' };
}

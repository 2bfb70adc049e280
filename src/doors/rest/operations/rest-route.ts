// A row of REST's table: an operation, its address, and what HTTP adds to it.

import type { FastifyRequest } from 'fastify';
import type { Work } from '../../../core/engine/work/work.js';
import type { OperationRoute } from '../../../service/describe/openapi/operation-route.js';
import type { ServeDeps } from '../../http/answer/serve-operation.js';

export interface RestDeps extends ServeDeps {
  /** Bytes of the largest file of a form. */
  readonly uploadLimit: number;
  work(request: FastifyRequest): Work;
  /** Work of a caller without any rights, for requests that are answered before authentication. */
  publicWork(): Work;
}

export type InputValues = Readonly<Record<string, unknown>>;

export interface RestRoute extends OperationRoute {
  /** Reads members of the input that the route does not place elsewhere. Runs after the caller was found to be allowed. */
  readonly read?: (request: FastifyRequest, deps: RestDeps) => InputValues | Promise<InputValues>;
  /** False: parameters in the query are refused, except for a token. */
  readonly takesQuery?: false;
  /**
   * The body may be a form, or is one: JSON at the same address then is a write of items (file-routes.ts). `urlencoded`: it may be a form
   * without files; `returned`: it is such a form, and comes from another site (sign-on-routes.ts).
   * `whatever`: a form without files, or a text, as the sender of a webhook has it.
   */
  readonly form?: 'also' | 'or-json' | 'urlencoded' | 'returned' | 'whatever';
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Answers before body and token are read, without any rights: always, or if the request has no token. Load balancers need such an answer
   * while the database, and with it the accounts, cannot be reached.
   */
  readonly early?: 'always' | 'without-token';
}

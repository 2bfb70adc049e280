// What an application that embeds the service sees of it. The declarations that are published begin here, so they name no package that the
// build contains (decision 27).

import type { Siblings } from './compose/siblings.js';
import type { Config } from './config.js';
import type { Caller } from './core/access/view.js';
import type { Handler } from './doors/http/server/gate.js';
import type { UserAdministration } from './service/auth/account/user-administration.js';
import type { ClientFacts, HostCaller, NamedCaller } from './service/auth/auth-context.js';
import type { Extension } from './service/extensions/extension.js';
import type { KeyAdministration } from './service/operations/key-administration.js';
import type { OperationDeps } from './service/operations/operation-deps.js';
import type { Structure } from './service/structure/structure.js';
import type { DemoResult } from './service/system/demo/load-demo.js';
import type { Installed } from './service/system/install.js';
import type { Configuration } from './service/transfer/config/configuration.js';

export interface ReadyOptions {
  /** Called before each further attempt to reach the database; without it the first failure is final. */
  readonly onRetry?: ((error: unknown) => void) | null;
}

export interface Service {
  readonly config: Config;
  /** Opens the database, installs the system tables and builds the routes. Resolves when the service answers requests. */
  ready(options?: ReadyOptions): Promise<Pick<Installed, 'administrator' | 'setupCode'>>;
  /** Listens at once and resolves to the address. Until the service is ready it answers 503 to everything but /server/ping. */
  listen(): Promise<string>;
  /** Runs a request without a socket. */
  inject(request: InjectedRequest): Promise<InjectedAnswer>;
  /**
   * Runs an operation of the service by its id, the `operationId` of the OpenAPI description, as one of its users or as the public. Throws a
   * `ServiceError` with the code that a request would be answered with. `readAsset` resolves to `{ type, size, filename, etag, read }`, whose
   * `read(range)` opens a stream of the bytes.
   */
  readonly call: CallOperation;
  /** Serves requests in the server of another application: `app.use('/api', service.handler)` in Express. Answers 503 until ready. */
  readonly handler: Handler;
  /** Loads the bookshop of `tain demo` into the database. */
  loadDemo(): Promise<DemoResult>;
  /** Access to structure and users without a caller, for commands that run beside the database. */
  administer(): Promise<Administration>;
  /** The number of statements sent to the database so far. */
  statements(): number;
  /** Says for DRAIN_TIME that it is not ready, then stops accepting requests, waits for accepted ones and closes the database. */
  close(): Promise<void>;
}

export interface Administration {
  readonly structure: Structure;
  /** Who makes a snapshot. */
  readonly origin: OperationDeps['origin'];
  readonly users: UserAdministration;
  readonly keys: KeyAdministration;
  /** Structure, rights, flows and the like as documents. */
  readonly configuration: Configuration;
  caller(): Caller;
}

/** What an embedding application provides. */
export interface HostOptions {
  /** The path at which `handler` is mounted, if the host leaves it in the URL, as Fastify does and Express does not. */
  readonly basePath?: string;
  /** Names the caller of a request; without it the token of the request decides. */
  readonly caller?: HostCaller;
  /** Those that take part in this service, besides those that EXTENSIONS names. */
  readonly extensions?: readonly Extension[];
  /** Other processes that serve the same database; they are notified of changes at once. */
  readonly siblings?: Siblings | null;
}

export interface InjectedRequest {
  readonly method?: 'GET' | 'SEARCH' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly payload?: string | Buffer | object;
  readonly remoteAddress?: string;
}

export interface InjectedAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>;
  readonly body: string;
  readonly rawPayload: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows what it asked for.
  json<T = any>(): T;
}

/** `client`: where the request comes from on whose behalf the application calls; limits and records go by it. */
export type CallOperation = (
  id: string,
  input?: Readonly<Record<string, unknown>>,
  caller?: NamedCaller,
  client?: Partial<ClientFacts>,
) => Promise<unknown>;

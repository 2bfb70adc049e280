// What the author of an extension writes: one object. Everything that an extension may rely on is declared here, and nothing of HTTP, SQL or
// the engine is part of it.

import type { Key } from '../../core/engine/work/work.js';
import type { WriteAction } from '../../core/engine/write/hooks.js';
import type { Members, ObjectOf, Shape } from '../operations/shape.js';

export type Item = Readonly<Record<string, unknown>>;
/** The query of a SEARCH body: `fields`, `filter`, `sort`, `limit`, `deep` and the others. */
export type ItemQuery = Readonly<Record<string, unknown>>;

/** The items of a collection, with the rights of whoever is named by where it comes from. */
export interface Items {
  read(query?: ItemQuery): Promise<readonly Item[]>;
  /** null: there is no such item, or it is hidden. */
  readOne(key: Key, query?: ItemQuery): Promise<Item | null>;
  create(values: Item): Promise<Key>;
  createMany(values: readonly Item[]): Promise<readonly Key[]>;
  update(key: Key, values: Item): Promise<void>;
  updateMany(keys: readonly Key[], values: Item): Promise<void>;
  delete(key: Key): Promise<void>;
  deleteMany(keys: readonly Key[]): Promise<void>;
}

/** Whom the work is done for. */
export interface ExtensionCaller {
  /** null: the public, a guest, or the service itself. */
  readonly user: string | null;
  readonly role: string | null;
  readonly roles: readonly string[];
  readonly admin: boolean;
  readonly ip: string | null;
}

export interface Rights {
  items(collection: string): Items;
}

export interface Log {
  info(message: string, facts?: object): void;
  warn(message: string, facts?: object): void;
  error(message: string, facts?: object): void;
}

/** What every function of an extension is given. Items are those of the caller, in the transaction of what it takes part in. */
export interface Context extends Rights {
  readonly caller: ExtensionCaller;
  /** The same with all rights. What comes of it is the extension's to guard. */
  asService(): Rights;
  /** Ends the request with this answer: a code of the service, or one of the extension's own with the status 400. */
  refuse(code: string, message: string, field?: string): never;
  readonly log: Log;
  /** Fires when the time of the function is over; what it asks for after that is refused. */
  readonly signal: AbortSignal;
}

/** Outside of any transaction: operations of the service can be called, and a transaction opened. */
export interface OpenContext extends Context {
  /** Runs an operation of the service by its id, as the caller. */
  call(id: string, input?: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** All of `act` is stored or nothing is. It may run again if another transaction was in the way. */
  transaction<T>(act: (context: Context) => Promise<T>): Promise<T>;
}

export interface EventItem {
  /** null: a new item that has no key yet. */
  readonly key: Key | null;
  /** The columns that are written, in the form of answers; empty for a deletion. A `before` may change them. */
  readonly values: Record<string, unknown>;
}

/** One step of a write, with all its items. */
export interface WriteFacts {
  readonly action: WriteAction;
  readonly collection: string;
  readonly items: readonly EventItem[];
}

/** The same for `durable`, which may be called again with it. */
export interface DurableFacts extends WriteFacts {
  /** The same whenever it is called again: what another service takes as an Idempotency-Key. */
  readonly id: string;
  /** 1 for the first call. */
  readonly attempt: number;
}

type Moment<F extends WriteFacts, C extends Context> = (event: F, context: C) => void | Promise<void>;

export interface CollectionHooks {
  /** In the transaction, before the statement: may change the values of the items, or refuse. */
  readonly before?: Moment<WriteFacts, Context>;
  /** In the transaction, when all keys are known. */
  readonly after?: Moment<WriteFacts, Context>;
  /** After the commit. Nobody waits for it; it is lost if the process ends first. */
  readonly committed?: Moment<WriteFacts, OpenContext>;
  /** After the commit, at least once: stored with the write, called by any process, and again while it fails. */
  readonly durable?: Moment<DurableFacts, OpenContext>;
}

/** Who may call an endpoint: anybody, who is signed in, administrators, or who may do this with items of a collection. */
export type EndpointRule =
  | 'everybody'
  | 'users'
  | 'administrators'
  | { readonly collection: string; readonly action: 'create' | 'read' | 'update' | 'delete' };

export interface Endpoint<M extends Members = Members, T = unknown> {
  readonly summary?: string;
  /** Members in braces in the path, those of the query for GET, else those of the body. */
  readonly input?: M;
  readonly output: Shape<T>;
  /** All of the rules have to hold. */
  readonly open: EndpointRule | readonly EndpointRule[];
  /** False: `run` has no transaction around it and may take long. GET has none anyway, and only reads. */
  readonly transaction?: boolean;
  /** Assistants may use it as a tool, as their keys allow. */
  readonly agents?: boolean;
  /** The name in GraphQL after `x_<extension>_`, and in the id of the operation; by default that of the path. */
  readonly id?: string;
  run(input: ObjectOf<M>, context: Context | OpenContext): T | Promise<T>;
}

export interface Extension {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly version?: string;
  /** By collection; `*` for all of the user's collections. */
  readonly hooks?: Readonly<Record<string, CollectionHooks>>;
  /** By method and path below `/x/<name>`: `POST /quote`, `GET /orders/{id}`. */
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint has types of its own, which `endpoint` has checked.
  readonly endpoints?: Readonly<Record<string, Endpoint<any, any>>>;
}

/** Checks the types of an extension where it is written. */
export const defineExtension = (extension: Extension): Extension => extension;

/** The same for an endpoint: `input` and `output` type the parameters and the result of `run`. */
export const endpoint = <M extends Members, T>(definition: Endpoint<M, T>): Endpoint<M, T> => definition;

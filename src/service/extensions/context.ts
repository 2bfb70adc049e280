// What functions of an extension are given: items with the caller's rights or with all of them, by the engine, so that permissions, hooks, history
// and realtime are those of any other way in.

import { type Caller, serviceCaller } from '../../core/access/view.js';
import type { Reader } from '../../core/engine/read/reader.js';
import type { SchemaStore } from '../../core/engine/store/schema-store.js';
import { attemptPart } from '../../core/engine/work/rehearse.js';
import { isWorthRetrying } from '../../core/engine/work/retry.js';
import type { TransactionWork } from '../../core/engine/work/transaction.js';
import { translateError } from '../../core/engine/work/translate-error.js';
import type { Key, Work, WriteOrigin } from '../../core/engine/work/work.js';
import type { Writer } from '../../core/engine/write/writer.js';
import { type ErrorCode, errorStatus } from '../../core/errors/codes.js';
import { AuthoredError, forbidden, ServiceError } from '../../core/errors/service-error.js';
import { parseQueryObject } from '../../core/query/parse/parse-query-object.js';
import type { QueryLimits } from '../../core/query/query.js';
import { DatabaseError } from '../../core/vendor/database-error.js';
import type { Connection } from '../../core/vendor/driver.js';
import { deepest, depthOf } from '../automation/rights/scope.js';
import type { Context, ExtensionCaller, Item, ItemQuery, Items, Log, OpenContext, Rights } from './extension.js';
import { ExtensionFault } from './fault.js';
import type { Part } from './run-part.js';

export interface ContextDeps {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly limits: QueryLimits;
  readonly store: Pick<SchemaStore, 'current'>;
  readonly connection: Connection;
  /** The log of one extension. */
  readonly logOf: (extension: string) => Log;
  /** An operation of the service as this caller. */
  readonly call: (caller: Caller, id: string, input: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** How the function reaches the database. */
interface Site {
  read<T>(caller: Caller, act: (work: Work) => Promise<T>): Promise<T>;
  write<T>(caller: Caller, act: (work: TransactionWork) => Promise<T>): Promise<T>;
}

/** Takes part in the write of `work`. */
export function contextIn(deps: ContextDeps, part: Part, work: TransactionWork): Context {
  return contextOf(deps, part, work.caller, siteIn(part, work));
}

interface OpenOptions {
  /** It must not write. */
  readonly reads?: boolean;
  /** What its writes follow from. */
  readonly origin?: WriteOrigin;
}

/** Is part of nothing. */
export function openContext(deps: ContextDeps, part: Part, caller: Caller, options: OpenOptions = {}): OpenContext {
  const { reads = false, origin = firstOrigin } = options;
  const { writer, connection, call } = deps;
  const refuseRead = (): void => {
    if (reads) throw new ExtensionFault(part.extension, `does more than to read items in ${part.where}, which only reads`);
  };
  const write = <T>(by: Caller, act: (work: TransactionWork) => Promise<T>): Promise<T> => {
    refuseRead();
    return writer.transaction(by, (work) => act({ ...work, accountable: caller.accountability }), { origin });
  };
  const site: Site = {
    read: (by, act) => part.beside(() => act({ caller: by, connection, signal: null, afterCommit: null })),
    write: (by, act) => part.beside(() => write(by, act)),
  };
  return {
    ...contextOf(deps, part, caller, site),
    call: (id, input = {}) =>
      part.beside(async () => {
        refuseRead();
        return call(caller, id, input);
      }),
    transaction: (act) => part.beside(() => write(caller, (work) => act(contextIn(deps, part, work)))),
  };
}

const firstOrigin: WriteOrigin = { depth: 1, trail: [], isSilent: false };

function siteIn(part: Part, work: TransactionWork): Site {
  const depth = depthOf({ origin: work.origin ?? null }) + 1;
  const origin = { trail: [], isSilent: false, ...work.origin, depth };
  const take = <T>(caller: Caller, act: (inner: TransactionWork) => Promise<T>): Promise<T> =>
    part.inTurn(async () => {
      if (depth > deepest) throw new ExtensionFault(part.extension, `leads back to itself in ${part.where}`);
      return asPart({ ...work, caller, origin }, `extension_${depth}`, act);
    });
  return { read: take, write: take };
}

/** A function may catch what failed and go on, and the write with it: on PostgreSQL that takes a savepoint, around reads as well. */
const asPart = <T>(work: TransactionWork, name: string, act: (inner: TransactionWork) => Promise<T>): Promise<T> =>
  attemptPart(work, name, act).catch((error: unknown) => {
    throw error instanceof DatabaseError && !isWorthRetrying(error) ? translateError(work.caller.view.schema, error) : error;
  });

function contextOf(deps: ContextDeps, part: Part, caller: Caller, site: Site): Context {
  const rights = (by: Caller): Rights => ({ items: (collection) => itemsOf(deps, site, by, collection) });
  return {
    ...rights(caller),
    caller: callerOf(caller),
    asService: () => rights(serviceCaller(deps.store.current())),
    refuse,
    log: deps.logOf(part.extension),
    signal: part.signal,
  };
}

function callerOf({ accountability: { user, role, roles, admin, ip } }: Caller): ExtensionCaller {
  return { user, role, roles, admin, ip };
}

function refuse(code: string, message: string, field?: string): never {
  const status = Object.hasOwn(errorStatus, code) ? errorStatus[code as ErrorCode] : 400;
  const isRefusal = /^[A-Z][A-Z0-9_]{0,59}$/.test(code) && status < 500;
  if (!isRefusal) throw new Error(`"${code}" is no code to refuse with: capitals, digits and underscores, and none of a failure`);
  throw new AuthoredError(code, status, message, field === undefined ? {} : { field });
}

function itemsOf({ reader, writer, limits }: ContextDeps, site: Site, caller: Caller, collection: string): Items {
  const read = (query: ItemQuery): Promise<readonly Item[]> =>
    site.read(caller, async (work) => {
      const { items } = await reader.items(work, collection, parseQueryObject(query, limits));
      return JSON.parse(`[${items}]`) as readonly Item[];
    });
  const create = (values: readonly Item[]): Promise<readonly Key[]> =>
    site.write(caller, (work) => writer.create(work, collection, values));
  const update = async (keys: readonly Key[], values: Item): Promise<void> => {
    await site.write(caller, (work) => writer.update(work, collection, keys, values));
  };
  const remove = (keys: readonly Key[]): Promise<void> => site.write(caller, (work) => writer.delete(work, collection, keys));
  return {
    read: (query = {}) => read(query),
    readOne: (key, query = {}) => site.read(caller, (work) => readOne(reader, work, collection, key, parseQueryObject(query, limits))),
    create: async (values) => onlyOf(await create([values])),
    createMany: create,
    update: (key, values) => update([key], values),
    updateMany: update,
    delete: (key) => remove([key]),
    deleteMany: remove,
  };
}

async function readOne(
  reader: Reader,
  work: Work,
  collection: string,
  key: Key,
  query: ReturnType<typeof parseQueryObject>,
): Promise<Item | null> {
  // The whole list is refused where the collection itself is; of a single item nobody can tell whether it is hidden or missing.
  reader.check(work, collection, query);
  try {
    return JSON.parse(await reader.item(work, collection, [key].flat(), query)) as Item;
  } catch (error) {
    if (error instanceof ServiceError && error.code === forbidden().code) return null;
    throw error;
  }
}

function onlyOf(keys: readonly Key[]): Key {
  const [key] = keys;
  if (key === undefined) throw new Error('the write has made no item');
  return key;
}

// Any collection by its name, with the whole of REST's query as one value: what does not fit the typed fields (having, cursors, counts,
// explanations, nested totals, writes by query, upserts) is written here.

import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql';
import { findCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { TransactionWork } from '../../../core/engine/work/transaction.js';
import type { Key } from '../../../core/engine/work/work.js';
import type { Writer } from '../../../core/engine/write/writer.js';
import { forbiddenCollection, invalidPayload, invalidQuery } from '../../../core/errors/service-error.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { ParsedQuery, QueryLimits } from '../../../core/query/query.js';
import type { VersionReader } from '../../../service/history/versions/version-reader.js';
import { jsonScalar } from '../schema/types/scalars.js';
import type { Operation, OperationCall } from './operation.js';

export interface ItemOperationDeps {
  readonly reader: Reader;
  readonly versions: VersionReader;
  readonly writer: Writer;
  readonly limits: QueryLimits;
}

const collection = { type: new GraphQLNonNull(GraphQLString) };
const query = { type: jsonScalar };
const keys = { type: new GraphQLList(new GraphQLNonNull(GraphQLID)) };
const data = { type: new GraphQLNonNull(jsonScalar) };

export const itemOperations = (deps: ItemOperationDeps): readonly Operation[] => [
  { kind: 'query', name: 'items', type: jsonScalar, args: { collection, query, keys }, run: (call) => readItems(deps, call) },
  {
    kind: 'mutation',
    name: 'upsert_items',
    once: true,
    type: jsonScalar,
    args: { collection, data, on_conflict: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))) }, query },
    run: (call) => upsertItems(deps, call),
  },
  {
    kind: 'mutation',
    name: 'update_items',
    once: true,
    type: jsonScalar,
    args: { collection, data, which: query, keys, query },
    run: (call) => updateItems(deps, call),
  },
  {
    kind: 'mutation',
    name: 'delete_items',
    once: true,
    type: jsonScalar,
    args: { collection, which: query, keys },
    run: (call) => deleteItems(deps, call),
  },
];

async function readItems({ reader: main, versions, limits }: ItemOperationDeps, call: OperationCall): Promise<unknown> {
  const name = nameOf(call);
  const parsed = parseQueryObject(call.args['query'] ?? {}, limits);
  const chosen = keysOf(call);
  if (parsed.export !== null) throw invalidPayload('An export is a file: use /items with "export", or utils_export.');
  if (parsed.explain && parsed.version === null) return { data: await main.explain(call.work, name, parsed, chosen) };
  if (parsed.explain) throw invalidQuery('"explain" describes how the items themselves are read: leave out "version".');
  const reader = parsed.version === null ? main : versions;
  const isGroup = parsed.query.aggregate.length > 0 || parsed.query.groupBy.length > 0;
  if (!isGroup && call.caller.view.schema.collections.get(name)?.singleton === true)
    return { data: JSON.parse(await reader.singleton(call.work, name, parsed)) };
  const { items, meta } = await reader.items(call.work, name, parsed, chosen);
  return { data: JSON.parse(`[${items}]`), ...(meta === null ? {} : { meta: JSON.parse(meta) }) };
}

async function upsertItems(deps: ItemOperationDeps, call: OperationCall): Promise<unknown> {
  const [name, parsed] = [nameOf(call), answerQuery(deps, call)];
  const { data: given, on_conflict: conflict } = call.args;
  const payloads: readonly unknown[] = Array.isArray(given) ? given : [given];
  return deps.writer.transaction(call.caller, async (work) => {
    const { keys: written, created, updated } = await deps.writer.upsert(work, name, payloads, Array.isArray(conflict) ? conflict : []);
    return { ...(await readWritten(deps, work, name, parsed, written)), meta: { created, updated } };
  });
}

async function updateItems(deps: ItemOperationDeps, call: OperationCall): Promise<unknown> {
  const [name, parsed] = [nameOf(call), answerQuery(deps, call)];
  return deps.writer.transaction(call.caller, async (work) => {
    const written = await deps.writer.update(work, name, await chosenKeys(deps, work, call), call.args['data']);
    return readWritten(deps, work, name, parsed, written);
  });
}

async function deleteItems(deps: ItemOperationDeps, call: OperationCall): Promise<unknown> {
  const name = nameOf(call);
  return deps.writer.transaction(call.caller, async (work) => {
    const chosen = await chosenKeys(deps, work, call);
    await deps.writer.delete(work, name, chosen);
    return { keys: chosen };
  });
}

/** User data by name; system collections have fields of their own here. */
function nameOf({ caller, args }: OperationCall): string {
  const name = String(args['collection']);
  if (caller.view.schema.collections.get(name)?.system !== false) throw forbiddenCollection(name);
  return name;
}

const keysOf = ({ args }: OperationCall): readonly unknown[] | null => (Array.isArray(args['keys']) ? args['keys'] : null);

async function chosenKeys({ reader, limits }: ItemOperationDeps, work: TransactionWork, call: OperationCall): Promise<readonly unknown[]> {
  const [chosen, which] = [keysOf(call), call.args['which']];
  if ((chosen === null) === (which === undefined || which === null))
    throw invalidPayload('Exactly one of "keys" and "which" has to say which items are meant.');
  if (chosen !== null) return chosen;
  const parsed = parseQueryObject(which, limits);
  refuseVersion(parsed);
  return reader.keys(work, nameOf(call), parsed);
}

function refuseVersion({ version }: ParsedQuery): void {
  if (version !== null) throw invalidQuery('"version" is for reading: changes are saved into a version with versions_save.');
}

/** The query of the answer, checked before anything is written; null when the caller may not read the collection. */
function answerQuery({ reader, limits }: ItemOperationDeps, call: OperationCall): ParsedQuery | null {
  const parsed = parseQueryObject(call.args['query'] ?? {}, limits);
  refuseVersion(parsed);
  if (findCollection(call.caller.view, nameOf(call), 'read') === null) return null;
  reader.check(call.work, nameOf(call), parsed);
  return parsed;
}

async function readWritten(
  { reader }: ItemOperationDeps,
  work: TransactionWork,
  name: string,
  parsed: ParsedQuery | null,
  written: readonly Key[],
): Promise<{ readonly data: unknown }> {
  if (parsed === null) return { data: null };
  return { data: JSON.parse(`[${await reader.itemsInOrder(work, name, parsed, written)}]`) };
}

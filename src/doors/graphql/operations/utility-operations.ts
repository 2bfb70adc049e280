// The tools of the service: random texts, hashes, moving and reverting items, imports and exports.

import { GraphQLBoolean, GraphQLEnumType, GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLString } from 'graphql';
import { lookUpCollection } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/reader.js';
import type { Writer } from '../../../core/engine/writer.js';
import { forbidden, forbiddenCollection, invalidPayload } from '../../../core/errors/service-error.js';
import type { QueryLimits } from '../../../core/query/query.js';
import { hashPassword, verifyPassword } from '../../../service/secrets/hash-password.js';
import { randomToken } from '../../../service/secrets/random-token.js';
import { type ExportContext, readExportOrder, startExport } from '../../../service/utilities/export-to-file.js';
import { importCollections, importModes, readCollectionItems, readImportMode } from '../../../service/utilities/import-collections.js';
import { revertItem } from '../../../service/utilities/revert-item.js';
import { readMove, sortItems } from '../../../service/utilities/sort-items.js';
import { jsonScalar, voidScalar } from '../schema/scalars.js';
import { isAdministrator, isKnown, type Operation, type OperationCall } from './operation.js';

export interface UtilitySources {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly limits: QueryLimits;
  readonly exports: ExportContext;
  clearCache(): Promise<void>;
  /** The operations of a batch, as the body of REST's. */
  runBatch(call: OperationCall, body: unknown): Promise<unknown>;
}

const given = { type: new GraphQLNonNull(GraphQLString) };
const json = { type: new GraphQLNonNull(jsonScalar) };
const key = { type: new GraphQLNonNull(GraphQLID) };
const mode = new GraphQLEnumType({ name: 'import_mode', values: Object.fromEntries(importModes.map((name) => [name, {}])) });
const longest = 500;

export const utilityOperations = (sources: UtilitySources): readonly Operation[] => [
  ...secretTools(),
  ...itemTools(sources),
  ...bulkTools(sources),
];

function secretTools(): readonly Operation[] {
  return [
    {
      kind: 'mutation',
      name: 'utils_random_string',
      type: GraphQLString,
      args: { length: { type: GraphQLInt } },
      run: ({ args }) => randomToken(lengthOf(args['length'])),
    },
    {
      kind: 'mutation',
      name: 'utils_hash_generate',
      type: GraphQLString,
      args: { string: given },
      isOffered: isKnown,
      run: ({ args }) => hashPassword(String(args['string'])),
    },
    {
      kind: 'mutation',
      name: 'utils_hash_verify',
      type: GraphQLBoolean,
      args: { string: given, hash: given },
      isOffered: isKnown,
      run: ({ args }) => verifyPassword(String(args['hash']), String(args['string'])),
    },
  ];
}

function lengthOf(asked: unknown): number {
  if (asked === undefined || asked === null) return 32;
  if (typeof asked !== 'number' || asked < 1 || asked > longest)
    throw invalidPayload(`"length" has to be a whole number from 1 to ${longest}.`);
  return asked;
}

function itemTools({ reader, writer, clearCache }: UtilitySources): readonly Operation[] {
  return [
    {
      kind: 'mutation',
      name: 'utils_sort',
      once: true,
      type: GraphQLBoolean,
      args: { collection: given, item: key, to: key },
      run: async (call) => {
        const name = userCollection(call);
        lookUpCollection(call.caller.view, name, 'update');
        const move = readMove(call.args);
        await writer.transaction(call.caller, (work) => sortItems({ reader, writer }, work, name, move));
        return true;
      },
    },
    {
      kind: 'mutation',
      name: 'utils_revert',
      once: true,
      type: GraphQLBoolean,
      args: { revision: key },
      run: async ({ caller, args }) => {
        await writer.transaction(caller, (work) => revertItem({ reader, writer }, work, String(args['revision'])));
        return true;
      },
    },
    {
      kind: 'mutation',
      name: 'utils_cache_clear',
      type: voidScalar,
      run: async ({ caller }) => {
        if (!isAdministrator(caller)) throw forbidden();
        await clearCache();
        return null;
      },
    },
  ];
}

function bulkTools({ writer, limits, exports, runBatch }: UtilitySources): readonly Operation[] {
  return [
    {
      kind: 'mutation',
      name: 'utils_export',
      once: true,
      type: GraphQLBoolean,
      args: { collection: given, query: json, format: given, file: { type: jsonScalar } },
      isOffered: isKnown,
      run: (call) => {
        // The answer does not wait: what goes wrong from here on is told by a notification.
        startExport(exports, call.work, userCollection(call), readExportOrder(call.args, limits));
        return true;
      },
    },
    {
      kind: 'mutation',
      name: 'utils_import',
      once: true,
      type: jsonScalar,
      args: { data: json, mode: { type: mode }, dry_run: { type: GraphQLBoolean } },
      isOffered: isKnown,
      run: async ({ caller, args }) => {
        const [entries, chosen] = [
          readCollectionItems(args['data']),
          readImportMode(args['mode'] === undefined ? null : String(args['mode'])),
        ];
        const dryRun = args['dry_run'] === true;
        const collections = await writer.transaction(caller, (work) => importCollections(writer, work, entries, chosen), { dryRun });
        return { applied: !dryRun, mode: chosen, collections };
      },
    },
    {
      kind: 'mutation',
      name: 'batch',
      once: true,
      type: jsonScalar,
      args: { operations: json, dry_run: { type: GraphQLBoolean } },
      run: (call) => runBatch(call, { operations: call.args['operations'], dry_run: call.args['dry_run'] ?? false }),
    },
  ];
}

/** System collections have tools of their own. */
function userCollection({ caller, args }: OperationCall): string {
  const name = String(args['collection']);
  if (caller.view.schema.collections.get(name)?.system !== false) throw forbiddenCollection(name);
  return name;
}

// The ids by which the tool directus-sync knows rows of system collections again in other databases. On the former server an extension keeps
// them; here they are built in, at its addresses and in the form that the tool knows.

import { serviceError } from '../../core/errors/service-error.js';
import type { RowOf } from '../../core/schema/system-definition.js';
import type { syncIds } from '../definitions/bookkeeping.js';
import { type Operation, operation } from './operation.js';
import { answer, choice, key, list, matching, nothing, optional, text, withDefault } from './shape.js';

const facts = { tag: 'server', open: ['administrators', 'directus-wire'], once: 'never', restOnly: true } as const;

const table = text({ maxLength: 64, form: matching(/^\w+$/, 'the name of a table') });
const id = text({ maxLength: 255 });

type SyncId = RowOf<typeof syncIds>;
const shown = answer<SyncId>({ table: text(), sync_id: text(), local_id: text(), created_at: text() }, 'sync_id');

/** More than any project has; the tool reads all of one table at once. */
const most = 100_000;

export const listSyncIds = operation({
  ...facts,
  id: 'listSyncIds',
  summary: 'The rows of a table that directus-sync knows',
  input: { table },
  output: list(shown),
  run: ({ deps, work }, input) => deps.syncIds.read(work.connection, 'all', input, most),
});

export const readSyncId = operation({
  ...facts,
  id: 'readSyncId',
  summary: 'One of them, by either id',
  input: { table, by: choice(['sync_id', 'local_id']), id },
  // No content where there is none: the tool takes 404 for a server without these addresses, and 403 for the end.
  output: withDefault(shown, undefined),
  run: async ({ deps, work }, input) => {
    const [found] = await deps.syncIds.read(work.connection, 'all', { table: input.table, [input.by]: input.id }, 1);
    return found;
  },
});

export const createSyncId = operation({
  ...facts,
  id: 'createSyncId',
  summary: 'Let directus-sync know a row',
  input: { table, sync_id: optional(id), local_id: key },
  output: shown,
  run: async ({ deps, transaction }, input) => {
    const made = { sync_id: input.sync_id ?? crypto.randomUUID(), local_id: String(input.local_id).slice(0, 255) };
    const row = { table: input.table, ...made, created_at: new Date().toISOString() };
    return transaction(async ({ connection }) => {
      for (const by of ['sync_id', 'local_id'] as const) {
        const [taken] = await deps.syncIds.read(connection, [by], { table: row.table, [by]: row[by] }, 1);
        if (taken !== undefined) throw serviceError('RECORD_NOT_UNIQUE', `"${by}" ${row[by]} is known already.`, { field: by });
      }
      await deps.syncIds.insert(connection, [row]);
      return row;
    });
  },
});

export const deleteSyncId = operation({
  ...facts,
  id: 'deleteSyncId',
  summary: 'Let directus-sync forget a row',
  input: { table, by: choice(['sync_id', 'local_id']), id },
  output: nothing,
  run: ({ deps, transaction }, input) =>
    transaction(async ({ connection }) => {
      await deps.syncIds.delete(connection, { table: input.table, [input.by]: input.id });
    }),
});

export const syncIdOperations: readonly Operation[] = [listSyncIds, readSyncId, createSyncId, deleteSyncId];

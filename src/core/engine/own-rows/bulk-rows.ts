// Many new rows of one of the service's own tables, in as few statements as their parameters allow: activity and revisions of a write.

import { type InsertForm, InsertTextCache, maxCachedRows } from '../../pipeline/insert-text-cache.js';
import { maxPendingKeys } from '../../pipeline/key-batch.js';
import type { PipelinedConnection } from '../../pipeline/pipelined-connection.js';
import { insertReadingKeys } from '../../pipeline/read-keys.js';
import type { BoundStatement } from '../../pipeline/render-pending.js';
import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import type { PendingKey } from '../../sql/pending-key.js';
import {
  canonical,
  canonicalValue,
  insertHead,
  insertManyRows,
  type PlainRows,
  type PlainTable,
  setColumns,
} from '../../sql/plain-rows.js';
import { empty, join, type Sql, sql } from '../../sql/sql.js';
import type { Syntax } from '../../sql/syntax.js';
import type { Dialect } from '../../vendor/dialect.js';
import type { Connection, Statement } from '../../vendor/driver.js';
import { inKeyOrder } from '../../vendor/key-order.js';
import { plainTable, toStatement } from './system-rows.js';

export interface BulkRows {
  /** Queues the INSERT, for callers that need neither its keys nor its count. All rows have the same columns. */
  enqueueInsert(connection: PipelinedConnection, inserted: PlainRows): void;
  /**
   * Resolves to the generated ids in the order of the rows. An INSERT of few rows is queued and its ids are pending; a larger one is sent
   * at once.
   */
  insertWithIds(connection: PipelinedConnection, inserted: PlainRows): Promise<readonly (number | PendingKey)[]>;
}

/** Longer INSERTs are not prepared: a connection keeps few prepared statements, and long texts are rarely repeated. */
const maxPreparedRows = 16;

export function bulkRows({ syntax, write }: Pick<Dialect, 'syntax' | 'write'>, definition: SystemDefinition, system: SystemHome): BulkRows {
  const table = plainTable(system, definition);
  const id = syntax.identifier('id');
  const texts = new InsertTextCache();
  const follow = followKeys({ syntax, write }, system, definition);
  const chunks = (inserted: PlainRows): readonly PlainRows[] => {
    const { common, columns, rows } = inserted;
    const size = Math.max(1, Math.floor(write.maxParameters / (Object.keys(common).length + columns.length)));
    if (rows.length <= size) return rows.length === 0 ? [] : [inserted];
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => ({
      common,
      columns,
      rows: rows.slice(index * size, (index + 1) * size),
    }));
  };
  /** `end`: the RETURNING clause; `name` distinguishes it from others in the cache. */
  const insert = (inserted: PlainRows, end: () => Sql = () => empty, name = ''): Statement => {
    const { length } = inserted.rows;
    const bound =
      length > maxCachedRows
        ? toStatement(syntax, 'insert', sql`${insertManyRows(syntax, table, inserted)}${end()}`)
        : cachedInsert(texts, syntax, table, inserted, { name, end });
    return { ...bound, kind: 'insert', prepare: length <= maxPreparedRows, cheap: false };
  };
  return {
    enqueueInsert(connection, inserted) {
      for (const some of chunks(inserted)) connection.enqueue(insert(some));
      if (follow !== null && inserted.rows.length > 0 && inserted.columns.includes('id')) connection.enqueue(follow);
    },
    async insertWithIds(connection, inserted) {
      if (syntax.pending !== null && inserted.rows.length <= maxPendingKeys) return enqueueWithIds(connection, inserted);
      const ids: number[] = [];
      for (const some of chunks(inserted)) ids.push(...(await insertNow(connection, some)));
      return ids;
    },
  };

  function enqueueWithIds(connection: PipelinedConnection, inserted: PlainRows): readonly PendingKey[] {
    const { rows } = inserted;
    const batch = connection.newBatch(rows.length);
    const returning = (): Sql => {
      const keep = syntax.pending?.keep(batch, id) ?? null;
      return sql` RETURNING ${keep === null ? id : join([id, keep], ', ')}`;
    };
    connection.enqueue(
      { batch, ...insert(inserted, returning, `batch ${batch.place}`) },
      { onRows: (made) => batch.settle(inKeyOrder(made, 0).map(([number]) => Number(number))) },
    );
    return rows.map((_, index) => batch.key(index));
  }

  async function insertNow(connection: Connection, inserted: PlainRows): Promise<readonly number[]> {
    const returning = (): Sql => (write.insertReturns ? sql` RETURNING ${id}` : empty);
    const made = await insertReadingKeys(connection, { syntax, write }, insert(inserted, returning, 'returning'), inserted.rows.length);
    return inKeyOrder(made, 0).map(([number]) => Number(number));
  }
}

/**
 * Advances the sequence of a table past explicitly inserted keys, so that another server that uses the table does not generate them again.
 * null if the vendor or the table does not need it.
 */
function followKeys(
  { syntax, write }: Pick<Dialect, 'syntax' | 'write'>,
  system: SystemHome,
  definition: SystemDefinition,
): Statement | null {
  const { table, columns } = system.find(definition);
  const column = columns?.get('id');
  if (column === undefined) return null;
  const advance = write.advanceCounter(table, column, sql`(SELECT max(${syntax.identifier('id')}) FROM ${syntax.table(table)})`);
  return advance === null ? null : toStatement(syntax, 'write', advance);
}

/** An INSERT of few rows from a cached text. */
function cachedInsert(
  texts: InsertTextCache,
  syntax: Syntax,
  plain: PlainTable,
  { common, columns, rows }: PlainRows,
  { name, end }: { readonly name: string; readonly end: () => Sql },
): BoundStatement {
  const shared = setColumns(common);
  const form = (): InsertForm => ({
    columns: [...shared, ...columns],
    head: insertHead(syntax, plain, [...shared, ...columns]),
    cell: (column, entry) => canonicalValue(syntax, plain, column, entry),
    end: end(),
  });
  const values = shared.map((column) => canonical(plain, column, common[column]));
  return texts.statement(syntax, `${name}\n${shared.join('\n')}`, form, { common: values, rows });
}

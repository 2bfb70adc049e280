// Many new rows of one of the service's own tables in as few statements as their parameters allow, with the numbers a counter gave them.

import type { SystemDefinition } from '../schema/system-definition.js';
import { insertRows, type PlainRow, type PlainTable } from '../sql/plain-rows.js';
import { type Sql, sql } from '../sql/sql.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection } from '../vendor/driver.js';
import type { GatheringConnection } from './gathering-connection.js';
import { toStatement } from './system-rows.js';

export interface BulkRows {
  /** All rows have the columns of the first. */
  insert(connection: Connection, rows: readonly PlainRow[]): Promise<void>;
  /** The same, along with whatever the transaction sends next. */
  insertLater(connection: GatheringConnection, rows: readonly PlainRow[]): void;
  /** The numbers the counter `id` gave, in the order of the rows. */
  insertCounting(connection: Connection, rows: readonly PlainRow[]): Promise<readonly number[]>;
}

/** Statements of few rows come again and are worth preparing. */
const preparedRows = 4;

export function bulkRows(
  { syntax, write }: Pick<Dialect, 'syntax' | 'write'>,
  definition: SystemDefinition,
  systemSchema: string | null,
): BulkRows {
  const table: PlainTable = {
    table: { schema: systemSchema, name: definition.collection },
    types: new Map(definition.fields.map((field) => [field.field, field.type])),
  };
  const statement = (text: Sql, count: number) => ({ ...toStatement(syntax, text), cheap: false, prepare: count <= preparedRows });
  const chunks = (rows: readonly PlainRow[]): readonly (readonly PlainRow[])[] => {
    const size = Math.max(1, Math.floor(write.maxParameters / Math.max(1, Object.keys(rows[0] ?? {}).length)));
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));
  };
  return {
    async insert(connection, rows) {
      for (const some of chunks(rows)) await connection.run(statement(insertRows(syntax, table, some), some.length));
    },
    insertLater(connection, rows) {
      for (const some of chunks(rows)) connection.later(statement(insertRows(syntax, table, some), some.length));
    },
    async insertCounting(connection, rows) {
      const numbers: number[] = [];
      for (const some of chunks(rows)) {
        const insert = insertRows(syntax, table, some);
        if (write.insertReturns) {
          const made = await connection.rows(statement(sql`${insert} RETURNING ${syntax.identifier('id')}`, some.length));
          numbers.push(...made.map(([id]) => Number(id)).sort((a, b) => a - b));
        } else {
          await connection.run(statement(insert, some.length));
          const [row] = await connection.rows(toStatement(syntax, write.lastKey()));
          const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
          numbers.push(...some.map((_, index) => first + index * distance));
        }
      }
      return numbers;
    },
  };
}

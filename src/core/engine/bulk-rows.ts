// Many new rows of one of the service's own tables in as few statements as their parameters allow, with the numbers a counter gave them.

import type { SystemDefinition } from '../schema/system-definition.js';
import { KeptInserts } from '../sql/kept-inserts.js';
import { LateValue, mostCounted } from '../sql/late-value.js';
import { insertFewRows, insertRows, type PlainRow, type PlainTable } from '../sql/plain-rows.js';
import { empty, join, type Sql, sql } from '../sql/sql.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection, Row, Statement } from '../vendor/driver.js';
import type { GatheringConnection } from './gathering-connection.js';
import { toStatement } from './system-rows.js';

export interface BulkRows {
  /** All rows have the columns of the first; what is null in all of them is left to the table. */
  insert(connection: Connection, rows: readonly PlainRow[]): Promise<void>;
  /** The same, along with whatever the transaction sends next. */
  insertLater(connection: GatheringConnection, rows: readonly PlainRow[]): void;
  /** The numbers the counter `id` gives, in the order of the rows; late values where few rows can go along with what is sent next. */
  insertCounting(connection: GatheringConnection, rows: readonly PlainRow[]): Promise<readonly (number | LateValue)[]>;
}

export function bulkRows(
  { syntax, write }: Pick<Dialect, 'syntax' | 'write'>,
  definition: SystemDefinition,
  systemSchema: string | null,
): BulkRows {
  const table: PlainTable = {
    table: { schema: systemSchema, name: definition.collection },
    types: new Map(definition.fields.map((field) => [field.field, field.type])),
  };
  const id = syntax.identifier('id');
  const kept = new KeptInserts();
  const chunks = (rows: readonly PlainRow[]): readonly (readonly PlainRow[])[] => {
    const size = Math.max(1, Math.floor(write.maxParameters / Math.max(1, Object.keys(rows[0] ?? {}).length)));
    if (rows.length <= size) return rows.length === 0 ? [] : [rows];
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size));
  };
  /** Statements of few rows come again and are worth keeping and preparing. */
  const insert = (rows: readonly PlainRow[], end: () => Sql = () => empty, name = ''): Statement =>
    rows.length > mostCounted
      ? { ...toStatement(syntax, sql`${insertRows(syntax, table, rows)}${end()}`), cheap: false }
      : { ...insertFewRows(kept, syntax, table, rows, { name, end }), prepare: true };
  return {
    async insert(connection, rows) {
      for (const some of chunks(rows)) await connection.run(insert(some));
    },
    insertLater(connection, rows) {
      for (const some of chunks(rows)) connection.later(insert(some));
    },
    async insertCounting(connection, rows) {
      if (syntax.late !== null && rows.length <= mostCounted) return countLater(connection, rows);
      const numbers: number[] = [];
      for (const some of chunks(rows)) numbers.push(...(await countNow(connection, some)));
      return numbers;
    },
  };

  function countLater(connection: GatheringConnection, rows: readonly PlainRow[]): readonly LateValue[] {
    const counter = connection.counter(rows.length);
    const returning = (): Sql => {
      const keep = syntax.late?.keep(counter, id) ?? null;
      return sql` RETURNING ${keep === null ? id : join([id, keep], ', ')}`;
    };
    const counting = insert(rows, returning, `counter ${counter.place}`);
    const told = (made: readonly Row[]): void => counter.settle(made.map(([number]) => Number(number)));
    connection.later({ ...counting, counter }, { told });
    return rows.map((_, index) => new LateValue(counter, index));
  }

  async function countNow(connection: Connection, rows: readonly PlainRow[]): Promise<readonly number[]> {
    if (write.insertReturns) {
      const made = await connection.rows(insert(rows, () => sql` RETURNING ${id}`, 'returning'));
      return made.map(([number]) => Number(number)).sort((a, b) => a - b);
    }
    await connection.run(insert(rows));
    const [row] = await connection.rows(toStatement(syntax, write.lastKey()));
    const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
    return rows.map((_, index) => first + index * distance);
  }
}

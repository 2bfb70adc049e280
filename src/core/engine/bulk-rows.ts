// Many new rows of one of the service's own tables in as few statements as their parameters allow, with the numbers a counter gave them.

import type { SystemDefinition } from '../schema/system-definition.js';
import { KeptInserts } from '../sql/kept-inserts.js';
import { LateValue, mostCounted } from '../sql/late-value.js';
import { insertFewRows, insertManyRows, type PlainRows, type PlainTable } from '../sql/plain-rows.js';
import { empty, join, type Sql, sql } from '../sql/sql.js';
import type { Dialect } from '../vendor/dialect.js';
import type { Connection, Row, Statement } from '../vendor/driver.js';
import type { GatheringConnection } from './gathering-connection.js';
import { toStatement } from './system-rows.js';

export interface BulkRows {
  /** Along with whatever the transaction sends next. All rows of a table come with the same columns. */
  insertLater(connection: GatheringConnection, inserted: PlainRows): void;
  /** The numbers the counter `id` gives, in the order of the rows; late values where few rows can go along with what is sent next. */
  insertCounting(connection: GatheringConnection, inserted: PlainRows): Promise<readonly (number | LateValue)[]>;
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
  /** Statements of few rows come again and are worth keeping and preparing. */
  const insert = (inserted: PlainRows, end: () => Sql = () => empty, name = ''): Statement =>
    inserted.rows.length > mostCounted
      ? { ...toStatement(syntax, sql`${insertManyRows(syntax, table, inserted)}${end()}`), cheap: false }
      : { prepare: true, ...insertFewRows(kept, syntax, table, inserted, { name, end }) };
  return {
    insertLater(connection, inserted) {
      for (const some of chunks(inserted)) connection.later(insert(some));
    },
    async insertCounting(connection, inserted) {
      if (syntax.late !== null && inserted.rows.length <= mostCounted) return countLater(connection, inserted);
      const numbers: number[] = [];
      for (const some of chunks(inserted)) numbers.push(...(await countNow(connection, some)));
      return numbers;
    },
  };

  function countLater(connection: GatheringConnection, inserted: PlainRows): readonly LateValue[] {
    const { rows } = inserted;
    const counter = connection.counter(rows.length);
    const returning = (): Sql => {
      const keep = syntax.late?.keep(counter, id) ?? null;
      return sql` RETURNING ${keep === null ? id : join([id, keep], ', ')}`;
    };
    const counting = insert(inserted, returning, `counter ${counter.place}`);
    const told = (made: readonly Row[]): void => counter.settle(made.map(([number]) => Number(number)));
    connection.later({ counter, ...counting }, { told });
    return rows.map((_, index) => new LateValue(counter, index));
  }

  async function countNow(connection: Connection, inserted: PlainRows): Promise<readonly number[]> {
    if (write.insertReturns) {
      const made = await connection.rows(insert(inserted, () => sql` RETURNING ${id}`, 'returning'));
      return made.map(([number]) => Number(number)).sort((a, b) => a - b);
    }
    await connection.run(insert(inserted));
    const [row] = await connection.rows(toStatement(syntax, write.lastKey()));
    const [first, distance] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 1)];
    return inserted.rows.map((_, index) => first + index * distance);
  }
}

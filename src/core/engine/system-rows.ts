// Runs plain statements on the service's own tables, for what stands below permissions: metadata, epochs, sessions, first rows.

import type { SystemDefinition } from '../schema/system-definition.js';
import {
  countUp,
  deleteRows,
  deleteRowsBefore,
  deleteRowsWith,
  insertRows,
  type PlainRow,
  type PlainTable,
  selectRows,
  updateRows,
} from '../sql/plain-rows.js';
import { bindWritten, renderLate } from '../sql/render-late.js';
import type { Sql } from '../sql/sql.js';
import type { Syntax } from '../sql/syntax.js';
import type { Connection, Statement } from '../vendor/driver.js';

/** Where the rows live and how their statements are written. Values are in wire form both ways: JSON parsed, times as ISO text. */
export interface SystemRows {
  read(connection: Connection, columns: readonly string[] | 'all', where?: PlainRow): Promise<readonly PlainRow[]>;
  insert(connection: Connection, rows: readonly PlainRow[]): Promise<void>;
  /** Each answers how many rows it touched. */
  update(connection: Connection, set: PlainRow, where: PlainRow): Promise<number>;
  countUp(connection: Connection, column: string, where: PlainRow): Promise<number>;
  delete(connection: Connection, where: PlainRow): Promise<number>;
  deleteBefore(connection: Connection, column: string, time: string): Promise<number>;
  /** Those whose `column` names a row of `other` that `deleteBefore` would delete. */
  deleteWith(connection: Connection, column: string, other: SystemDefinition, since: string, time: string): Promise<number>;
}

export function systemRows(syntax: Syntax, definition: SystemDefinition, systemSchema: string | null): SystemRows {
  const tableOf = (of: SystemDefinition): PlainTable => ({
    table: { schema: systemSchema, name: of.collection },
    types: new Map(of.fields.map((field) => [field.field, field.type])),
  });
  const table = tableOf(definition);
  const names = [...table.types.keys()];
  const statement = (text: Sql): Statement => toStatement(syntax, text);
  return {
    async read(connection, columns, where = {}) {
      const rows = await connection.rows(statement(selectRows(syntax, table, columns === 'all' ? names : columns, where)));
      return rows.map((row) => JSON.parse(String(row[0])));
    },
    async insert(connection, rows) {
      if (rows.length > 0) await connection.run(statement(insertRows(syntax, table, rows)));
    },
    update: (connection, set, where) => connection.run(statement(updateRows(syntax, table, set, where))),
    countUp: (connection, column, where) => connection.run(statement(countUp(syntax, table, column, where))),
    delete: (connection, where) => connection.run(statement(deleteRows(syntax, table, where))),
    deleteBefore: (connection, column, time) => connection.run(statement(deleteRowsBefore(syntax, table, column, time))),
    deleteWith: (connection, column, other, since, time) =>
      connection.run(statement(deleteRowsWith(syntax, table, column, tableOf(other), since, time))),
  };
}

/** A statement on plain rows: it holds its values itself. */
export function toStatement(syntax: Syntax, text: Sql): Statement {
  return { cheap: true, ...renderLate(syntax, text, bindWritten) };
}

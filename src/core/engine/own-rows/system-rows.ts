// Plain statements on the service's own tables, below permissions: metadata, epochs, sessions, the first rows.

import { bindWritten, renderPending } from '../../pipeline/render-pending.js';
import type { SystemDefinition } from '../../schema/system-definition.js';
import type { SystemHome } from '../../schema/system-home.js';
import {
  countUp,
  deleteRows,
  deleteRowsBefore,
  insertRows,
  type PlainRow,
  type PlainTable,
  selectRows,
  selectRowsBefore,
  updateRows,
} from '../../sql/plain-rows.js';
import type { Sql } from '../../sql/sql.js';
import type { Syntax } from '../../sql/syntax.js';
import type { Statement, StatementKind } from '../../vendor/driver.js';
import type { SystemRows } from './rows.js';
import { rowsBeside } from './rows-beside.js';

export type { SystemRows } from './rows.js';

export function systemRows<Row extends PlainRow>(syntax: Syntax, definition: SystemDefinition<Row>, system: SystemHome): SystemRows<Row> {
  const { lacking } = system.find(definition);
  const rows = presentRows<Row>(syntax, definition, system);
  if (lacking.length === 0 || system.adopted === null) return rows;
  return rowsBeside(rows, definition, lacking, presentRows(syntax, system.adopted.beside, system));
}

/** The columns that the table has. */
function presentRows<Row extends PlainRow>(syntax: Syntax, definition: SystemDefinition, system: SystemHome): SystemRows<Row> {
  const table = plainTable(system, definition);
  const names = [...table.types.keys()];
  const statement = (kind: StatementKind, text: Sql): Statement => toStatement(syntax, kind, text);
  return {
    async read(connection, columns, where = {}, limit) {
      const rows = await connection.rows(statement('read', selectRows(syntax, table, columns === 'all' ? names : columns, where, limit)));
      return rows.map((row) => JSON.parse(String(row[0])));
    },
    async readBefore(connection, columns, column, time, limit) {
      const rows = await connection.rows(statement('read', selectRowsBefore(syntax, table, columns, { column, time, limit })));
      return rows.map((row) => JSON.parse(String(row[0])));
    },
    async insert(connection, rows) {
      if (rows.length > 0) await connection.run(statement('insert', insertRows(syntax, table, rows)));
    },
    update: (connection, set, where) => connection.run(statement('write', updateRows(syntax, table, set, where))),
    countUp: (connection, column, where) => connection.run(statement('write', countUp(syntax, table, column, where))),
    delete: (connection, where) => connection.run(statement('write', deleteRows(syntax, table, where))),
    deleteBefore: (connection, column, time) => connection.run(statement('write', deleteRowsBefore(syntax, table, column, time))),
  };
}

/** A system table in the form that plain statements are written for. */
export function plainTable(system: SystemHome, definition: SystemDefinition): PlainTable {
  const { table, columns, definition: found } = system.find(definition);
  return { table, types: new Map(found.fields.map((field) => [field.field, field.type])), columns };
}

/** A statement whose values are part of its Sql. */
export function toStatement(syntax: Syntax, kind: StatementKind, text: Sql): Statement {
  return { kind, cheap: kind === 'read', ...renderPending(syntax, text, bindWritten) };
}

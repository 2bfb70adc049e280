// The port of plain statements on one of the service's own tables, below permissions.

import type { PlainRow } from '../../sql/plain-rows.js';
import type { Connection } from '../../vendor/driver.js';

/** Where the rows live and how their statements are written. Values are in wire form both ways: JSON parsed, times as ISO text. */
export interface SystemRows<Row = PlainRow> {
  read<Name extends keyof Row & string>(
    connection: Connection,
    columns: readonly Name[] | 'all',
    where?: Where<Row>,
    limit?: number,
  ): Promise<readonly Pick<Row, Name>[]>;
  insert(connection: Connection, rows: readonly Partial<Row>[]): Promise<void>;
  /** The same of at most `limit` rows that `deleteBefore` would delete. */
  readBefore<Name extends keyof Row & string>(
    connection: Connection,
    columns: readonly Name[],
    column: keyof Row & string,
    time: string,
    limit: number,
  ): Promise<readonly Pick<Row, Name>[]>;
  /** Like the others below, resolves to the number of rows it changed. */
  update(connection: Connection, set: Partial<Row>, where: Where<Row>): Promise<number>;
  countUp(connection: Connection, column: keyof Row & string, where: Where<Row>): Promise<number>;
  delete(connection: Connection, where: Where<Row>): Promise<number>;
  deleteBefore(connection: Connection, column: keyof Row & string, time: string): Promise<number>;
}

/** Columns that have to be equal to a value, or to one of a list; null matches NULL. */
export type Where<Row> = { readonly [Name in keyof Row]?: Row[Name] | null | readonly Row[Name][] };

// Key layouts of the tables: where the rows of the binary log contain the primary key. A layout is valid from one position in the log on.

import type { LoggedTable } from '../../../core/vendor/change-log.js';
import { logStatus, type Server } from '../types/server.js';
import type { KeyLayout } from './binlog-events.js';
import type { KeyForm } from './binlog-values.js';
import type { OwnConnection } from './connection.js';

export interface Place {
  readonly file: string;
  readonly position: number;
}

/** The number at the end of a log file's name, by which files are ordered. */
const numberOf = (file: string): number => Number(/\d+$/.exec(file)?.[0] ?? 0);
export const isAtOrAfter = (one: Place, other: Place): boolean =>
  numberOf(one.file) === numberOf(other.file) ? one.position >= other.position : numberOf(one.file) > numberOf(other.file);

export interface Layouts {
  readonly tables: ReadonlyMap<string, KeyLayout>;
  /** Events up to this position may have been written under an earlier structure. */
  readonly after: Place;
}

export async function readLayouts(control: OwnConnection, server: Server, tables: readonly LoggedTable[]): Promise<Layouts> {
  const columns = await control.rows(keyColumnsText);
  const found = new Map<string, KeyLayout>();
  for (const { name, primaryKey } of tables) {
    const own = columns.filter(([table]) => table === name);
    const parts = primaryKey.map((column) => {
      const [, , index, type, whole, charset] = own.find((row) => row[1] === column) ?? [];
      const form = formOf(String(type), String(whole), String(charset));
      return form === null ? [] : [{ index: Number(index) - 1, form }];
    });
    if (own.length > 0) found.set(name, parts.every(({ length }) => length === 1) ? parts.flat() : null);
  }
  return { tables: found, after: await currentPlace(control, server) };
}

async function currentPlace(control: OwnConnection, server: Server): Promise<Place> {
  const [file, position] = (await control.rows(logStatus(server)))[0] ?? [];
  return { file: String(file), position: Number(position) };
}

/** The columns that may be part of a primary key, in tables whose engine writes every change of rows to this server's log. */
const keyColumnsText = `SELECT c.table_name, c.column_name, c.ordinal_position, c.data_type, c.column_type, c.character_set_name
  FROM information_schema.columns c JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
  WHERE c.table_schema = DATABASE() AND c.column_key <> '' AND t.engine IN ('InnoDB', 'Aria', 'MyISAM', 'ROCKSDB')`;

const utf8: ReadonlySet<string> = new Set(['utf8mb4', 'utf8mb3', 'utf8', 'ascii']);

/** null if the log may store such a key in another form than the service answers it. */
function formOf(type: string, whole: string, charset: string): KeyForm | null {
  if (/^(tiny|small|medium|big)?int$/.test(type)) return whole === 'tinyint(1)' ? null : whole.includes('unsigned') ? 'unsigned' : 'signed';
  if (/^(var)?char$/.test(type)) return utf8.has(charset) ? 'text' : null;
  return type === 'date' || type === 'uuid' ? type : null;
}

// The vendor's errors in the vocabulary of DatabaseError. Names are read from the message, since the protocol tells nothing else.

import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../core/vendor/database-error.js';

const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  1062: 'unique',
  1169: 'unique',
  1586: 'unique',
  1215: 'foreign-key',
  1216: 'foreign-key',
  1452: 'foreign-key',
  1822: 'foreign-key',
  3780: 'foreign-key',
  1217: 'restrict',
  1451: 'restrict',
  3730: 'restrict',
  1048: 'not-null',
  1138: 'not-null',
  1263: 'not-null',
  1364: 'not-null',
  1406: 'too-long',
  1264: 'out-of-range',
  1690: 'out-of-range',
  1916: 'out-of-range',
  1265: 'invalid-value',
  1292: 'invalid-value',
  1366: 'invalid-value',
  1411: 'invalid-value',
  1416: 'invalid-value',
  3140: 'invalid-value',
  4079: 'invalid-value',
  3819: 'check',
  4025: 'check',
  // 1615: a prepared statement must be prepared again and the server gave up doing so.
  1020: 'retry',
  1205: 'retry',
  1213: 'retry',
  1615: 'retry',
  1969: 'timeout',
  3024: 'timeout',
  1317: 'cancelled',
  // Tables of a join, columns, the size of a row, the stack of an expression.
  1116: 'too-large',
  1117: 'too-large',
  1118: 'too-large',
  1153: 'too-large',
  1260: 'too-large',
  1301: 'too-large',
  1436: 'too-large',
  1054: 'stale-schema',
  1146: 'stale-schema',
  1412: 'stale-schema',
  1040: 'unavailable',
  1044: 'unavailable',
  1045: 'unavailable',
  1049: 'unavailable',
  1053: 'unavailable',
  1129: 'unavailable',
  1130: 'unavailable',
  1152: 'unavailable',
  1159: 'unavailable',
  1161: 'unavailable',
  1203: 'unavailable',
  1226: 'unavailable',
  1698: 'unavailable',
  1927: 'unavailable',
  4031: 'unavailable',
};

/** `text`: the statement that failed; it tells the table where the message does not. */
export function toDatabaseError(error: unknown, text = ''): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const number = errorNumber(error);
  if (number === null) return new DatabaseError(driverErrorKind(error), error);
  const message = error instanceof Error ? error.message : '';
  const kind = specialKind(number, message, text) ?? kinds[number] ?? 'other';
  return new DatabaseError(kind, error, { ...readFacts(kind, message), table: readTable(kind, message) ?? statementTable(text) });
}

/** Stands in a statement that only a stored null can make fail: MariaDB says 1265 then, as for a value of another type. */
export const refusesNull = '/* refuses null */';

function specialKind(number: number, message: string, text: string): DatabaseErrorKind | null {
  if (number === 1265 && text.endsWith(refusesNull)) return 'not-null';
  // "Can't create table … (errno: 150 …)": MariaDB's way to refuse a foreign key between columns that do not fit.
  return number === 1005 && message.includes('errno: 150') ? 'foreign-key' : null;
}

/** The server's number; null for what the driver or the network said (their `errno` is negative or missing). */
export function errorNumber(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errno' in error)) return null;
  return typeof error.errno === 'number' && error.errno > 0 ? error.errno : null;
}

function driverErrorKind(error: unknown): DatabaseErrorKind {
  if (typeof error !== 'object' || error === null) return 'other';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return 'timeout';
  if (/^E[A-Z_]+$/.test(code) || code.startsWith('PROTOCOL_') || code === 'HANDSHAKE_NO_SSL_SUPPORT') return 'unavailable';
  if ('fatal' in error && error.fatal === true) return 'unavailable';
  return error instanceof Error && error.message === 'Pool is closed.' ? 'unavailable' : 'other';
}

function readFacts(kind: DatabaseErrorKind, message: string): DatabaseErrorFacts {
  switch (kind) {
    case 'unique':
      return { constraint: readKey(message) };
    case 'foreign-key':
    case 'restrict':
      return { constraint: quoted(/CONSTRAINT `((?:[^`]|``)+)` FOREIGN KEY/.exec(message)), columns: readForeignKeyColumns(message) };
    case 'check':
      return { constraint: readCheck(message) };
    default:
      return { columns: readColumn(message) };
  }
}

// "Duplicate entry 'x' for key 'name'", on MySQL 'table.name'. The value stands first and may look like the rest, so the end is read.
const keyAtEnd = /for key '(?:([^'.]+)\.)?([^']+)'$/;
const readKey = (message: string): string | null => keyAtEnd.exec(message)?.[2] ?? null;

function readForeignKeyColumns(message: string): readonly string[] | null {
  const list = /FOREIGN KEY \(((?:`(?:[^`]|``)+`(?:, )?)+)\)/.exec(message)?.[1];
  return list === undefined ? null : Array.from(list.matchAll(/`((?:[^`]|``)+)`/g), (match) => (match[1] ?? '').replaceAll('``', '`'));
}

// MariaDB: "CONSTRAINT `table.column` failed for `db`.`table`", or the plain name; MySQL: "Check constraint 'name' is violated."
const readCheck = (message: string): string | null =>
  /CONSTRAINT `(?:[^`.]+\.)?([^`]+)` failed/.exec(message)?.[1] ?? /constraint '([^']+)' is violated/.exec(message)?.[1] ?? null;

// "Column 'x' cannot be null", "Field 'x' doesn't …", "… for column 'x' at row 1", "… for column `db`.`t`.`x` at row 1"
function readColumn(message: string): readonly string[] | null {
  const match =
    /^(?:Column|Field) '([^']+)'/.exec(message) ??
    /for column '([^']+)' at row \d+$/.exec(message) ??
    /for column (?:`(?:[^`]|``)+`\.)*`((?:[^`]|``)+)` at row \d+$/.exec(message);
  const name = quoted(match);
  return name === null ? null : [name];
}

// "… a foreign key constraint fails (`db`.`table`, CONSTRAINT …", "failed for `db`.`table`", "for column `db`.`table`.`x` at row 1"
const readTable = (kind: DatabaseErrorKind, message: string): string | null =>
  kind === 'unique'
    ? (keyAtEnd.exec(message)?.[1] ?? null)
    : quoted(
        /(?:constraint fails \(|failed for |for column )`(?:[^`]|``)+`\.`((?:[^`]|``)+)`(?:, CONSTRAINT .*|\.`(?:[^`]|``)+` at row \d+)?$/s.exec(
          message,
        ),
      );

const statementTable = (text: string): string | null =>
  quoted(/^\s*(?:INSERT(?: IGNORE)? INTO|REPLACE INTO|UPDATE|DELETE FROM|ALTER TABLE)\s+(?:`(?:[^`]|``)+`\.)?`((?:[^`]|``)+)`/i.exec(text));

const quoted = (match: RegExpExecArray | null): string | null => match?.[1]?.replaceAll('``', '`') ?? null;

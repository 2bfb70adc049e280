// Translates the errors of MariaDB and MySQL to DatabaseErrors, by their number. Names of columns and constraints are parsed from the message,
// because the protocol has no fields for them.

import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../../core/vendor/database-error.js';
import { refusesNull } from '../ddl/columns.js';

const kinds: Readonly<Record<number, DatabaseErrorKind>> = {
  1062: 'unique',
  1169: 'unique',
  1586: 'unique',
  // Two instances create the same table, column, index or foreign key.
  1050: 'unique',
  1060: 'unique',
  1061: 'unique',
  1826: 'unique',
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
  // A character that the column's character set does not have.
  3988: 'invalid-value',
  4079: 'invalid-value',
  3819: 'check',
  4025: 'check',
  // WITH CHECK OPTION of a view.
  1369: 'check',
  // An error in a trigger: it read no row or several, or wrote to a table that the statement uses.
  1172: 'check',
  1329: 'check',
  1442: 'check',
  1526: 'partition',
  1748: 'partition',
  1863: 'partition',
  // What a view, a trigger or a function refers to is gone; a division by zero; a foreign server that is away.
  1305: 'broken',
  1356: 'broken',
  1365: 'broken',
  1429: 'broken',
  1430: 'broken',
  1431: 'broken',
  1432: 'broken',
  // A view, or a column of it, that does not take this write.
  1288: 'broken',
  1348: 'broken',
  1393: 'broken',
  1394: 'broken',
  1395: 'broken',
  1423: 'broken',
  1471: 'broken',
  // SIGNAL in a trigger; the message is the author's.
  1642: 'raised',
  1643: 'raised',
  1644: 'raised',
  1205: 'locked',
  // The server failed to prepare a statement again.
  1615: 'retry',
  3572: 'retry',
  1020: 'deadlock',
  1213: 'deadlock',
  1614: 'deadlock',
  3058: 'deadlock',
  // Group replication: another node committed a conflicting transaction first.
  3101: 'deadlock',
  1969: 'timeout',
  3024: 'timeout',
  1317: 'cancelled',
  // Too many tables in a join or columns, too large a row or packet, too deep an expression.
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
  // No right to a database, a table, a column, an operation, a routine.
  1044: 'denied',
  1142: 'denied',
  1143: 'denied',
  1227: 'denied',
  1370: 'denied',
  1036: 'read-only',
  1223: 'read-only',
  1792: 'read-only',
  1836: 'read-only',
  1874: 'read-only',
  1021: 'full',
  1114: 'full',
  1878: 'full',
};

/** The server cannot serve or cannot be reached; grouped by cause. */
const unavailable: ReadonlySet<number> = new Set([
  // Access and limits of connections.
  1040, 1045, 1049, 1129, 1130, 1203, 1226, 1698,
  // Out of memory, threads, files, locks.
  1015, 1016, 1037, 1038, 1041, 1135, 1206, 1637, 3170,
  // The connection broke or was closed.
  1042, 1043, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031,
  // The server starts, stops or is offline; a cluster node without quorum; a commit with an unknown result.
  1047, 1053, 1180, 3032, 3100, 3168,
  // Files that cannot be read or are corrupted.
  2, 3, 1017, 1023, 1024, 1026, 1030, 1033, 1034, 1035, 1194, 1195, 1932,
]);

/** `text`: the statement that failed, from which the table is read if the message does not contain it. */
export function toDatabaseError(error: unknown, text = ''): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const number = errorNumber(error);
  if (number === null) return new DatabaseError(driverErrorKind(error), error);
  const message = error instanceof Error ? error.message : '';
  const kind = isSignalled(error)
    ? 'raised'
    : (specialKind(number, message, text) ?? kinds[number] ?? (unavailable.has(number) ? 'unavailable' : 'other'));
  return new DatabaseError(kind, error, {
    ...readFacts(kind, message),
    table: (kind === 'denied' ? readDeniedTable(message) : readTable(kind, message)) ?? statementTable(text),
  });
}

/** SQLSTATE class 45 is reserved for SIGNAL, which may use any error number. */
const isSignalled = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'sqlState' in error && String(error.sqlState).startsWith('45');

function specialKind(number: number, message: string, text: string): DatabaseErrorKind | null {
  // A trigger names a table that does not exist: its text, not our statement.
  if (number === 1146 && text !== '' && isElsewhere(message, text)) return 'broken';
  if (number === 1265 && text.endsWith(refusesNull)) return 'not-null';
  // "Can't create table … (errno: 150 …)": MariaDB's way to refuse a foreign key between columns that do not fit.
  if (number === 1005 && message.includes('errno: 150')) return 'foreign-key';
  // The same for the name of a foreign key that exists.
  if (number === 1005 && message.includes('errno: 121')) return 'unique';
  if (clusterErrors.has(number) && aboutCluster.test(message)) return clusterKind(message);
  // "running with the --read-only option"; other options that prevent a statement have the same number.
  if (number === 1290) return /--(?:super-|innodb-)?read[-_]only/i.test(message) ? 'read-only' : null;
  return fileErrors.has(number) ? fileErrorKind(message) : null;
}

/** Whether the table in "Table 'db.name' doesn't exist" is not in the statement. */
function isElsewhere(message: string, text: string): boolean {
  const name = /^Table '[^']*?\.([^']+)' doesn't exist/.exec(message)?.[1];
  return name !== undefined && !text.includes(name);
}

/** Numbers that mean something else, or nothing, on a single server: unknown error, error during COMMIT, interrupted. Galera names itself in the message. */
const clusterErrors: ReadonlySet<number> = new Set([1105, 1180, 1317]);
const aboutCluster = /\bwsrep\b|writeset/i;

function clusterKind(message: string): DatabaseErrorKind {
  if (/writeset size/i.test(message)) return 'too-large';
  return /deadlock|conflict/i.test(message) ? 'deadlock' : 'unavailable';
}

/** Errors whose message contains the error number of the operating system: "Got error 28 from storage engine", "Error writing file … (Errcode: 28 …)". */
const fileErrors: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 9, 14, 20, 29, 1004, 1005, 1006, 1025, 1026, 1030, 1180]);

function fileErrorKind(message: string): DatabaseErrorKind | null {
  const system = Number(/(?:errcode|errno): "?(\d+)/i.exec(message)?.[1] ?? /got error (\d+)/i.exec(message)?.[1] ?? 0);
  if (system === noSpace || system === quotaExceeded || system === tableFull) return 'full';
  return system === readOnlyFiles ? 'read-only' : null;
}

const noSpace = 28;
const readOnlyFiles = 30;
const quotaExceeded = 122;
/** A number of the storage engine, not of the operating system. */
const tableFull = 135;

/** The error number of the server; null for an error of mysql2 or the network, whose `errno` is negative or missing. */
export function errorNumber(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errno' in error)) return null;
  return typeof error.errno === 'number' && error.errno > 0 ? error.errno : null;
}

/** Whether the connection broke during a statement, without having been stopped by the caller. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || error.kind !== 'unavailable') return false;
  const { cause } = error;
  const number = errorNumber(cause);
  if (number !== null) return lostConnection.has(number);
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return code === 'PROTOCOL_CONNECTION_LOST' || code === 'ECONNRESET' || code === 'EPIPE' || /in closed state$/.test(error.message);
}

/** The server is stopping, the connection was killed, or it was idle for too long. */
const lostConnection: ReadonlySet<number> = new Set([1053, 1927, 4031]);

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
    case 'raised':
      return {};
    default:
      return { columns: readColumn(message) };
  }
}

// "Duplicate entry 'x' for key 'name'", on MySQL 'table.name'. The value comes first and may contain anything, so only the end is parsed.
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

// "INSERT command denied to user 'a'@'b' for table `db`.`table`", older: "for table 'table'"
const readDeniedTable = (message: string): string | null =>
  quoted(/ for table (?:`(?:[^`]|``)+`\.)?[`']((?:[^`']|``)+)[`']$/.exec(message));

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

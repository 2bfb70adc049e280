// Translates SQLite's errors to DatabaseErrors. For a unique or NOT NULL violation SQLite reports the columns, not the name of the constraint.

import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../../core/vendor/database-error.js';
import { rebuildPrefix } from '../ddl/rebuild-table.js';
import { errorCode } from './error-codes.js';

const kindByCode: Readonly<Record<string, DatabaseErrorKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
  SQLITE_CONSTRAINT_CHECK: 'check',
  // RAISE in a trigger; the message is the author's.
  SQLITE_CONSTRAINT_TRIGGER: 'raised',
  SQLITE_CONSTRAINT_DATATYPE: 'invalid-value',
  SQLITE_MISMATCH: 'invalid-value',
  SQLITE_TOOBIG: 'too-long',
  SQLITE_INTERRUPT: 'cancelled',
  [errorCode.cancelled]: 'cancelled',
  [errorCode.timeout]: 'timeout',
  [errorCode.noTransaction]: 'retry',
  [errorCode.lost]: 'unavailable',
  [errorCode.convert]: 'invalid-value',
  [errorCode.tooLong]: 'too-long',
  [errorCode.outOfRange]: 'out-of-range',
  [errorCode.refused]: 'other',
  RangeError: 'out-of-range',
};

const kindByPrefix: readonly (readonly [prefix: string, kind: DatabaseErrorKind])[] = [
  ['SQLITE_BUSY', 'retry'],
  ['SQLITE_LOCKED', 'retry'],
  ['SQLITE_PROTOCOL', 'retry'],
  ['SQLITE_FULL', 'full'],
  ['SQLITE_NOLFS', 'full'],
  ['SQLITE_SCHEMA', 'stale-schema'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_NOTADB', 'unavailable'],
  ['SQLITE_CORRUPT', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
  ['SQLITE_NOMEM', 'unavailable'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_PERM', 'unavailable'],
  ['SQLITE_CONSTRAINT', 'check'],
];

/** The statement exceeds a limit of SQLite: terms, arguments, columns, tables. */
const limitMessage = /^(?:too many |at most \d+ tables|Expression tree is too large|parser stack overflow|string or blob too big)/i;
const staleMessage = /no such (column|table)|has no column named|table .* has \d+ columns but/i;
/** A function of the program that made the file, a table that only a trigger or view names, a view without the trigger for such a write. */
const brokenMessage = /^(?:no such function: |no such table: main\.|cannot modify .* because it is a view$)/s;
/** A view or trigger still uses a column that is being dropped. */
const dependentMessage = /^error in (view|trigger|index|table) .* after drop column/is;

export function toDatabaseError(code: string, message: string): DatabaseError {
  const cause = Object.assign(new Error(message), { code });
  return new DatabaseError(kindOf(code, message), cause, violatedColumns(message));
}

/** For an error that better-sqlite3 threw on this thread. */
export function wrapDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : '';
  return toDatabaseError(code, error instanceof Error ? error.message : String(error));
}

function kindOf(code: string, message: string): DatabaseErrorKind {
  // SQLite reports a violated RESTRICT like an error of a trigger. A violated NO ACTION looks like a write that refers to a missing row.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && message.startsWith('FOREIGN KEY')) return 'restrict';
  const exact = kindByCode[code];
  if (exact !== undefined) return exact;
  if (dependentMessage.test(message)) return 'restrict';
  if (brokenMessage.test(message)) return 'broken';
  if (staleMessage.test(message)) return 'stale-schema';
  if (limitMessage.test(message)) return 'too-large';
  if (/integer overflow/i.test(message)) return 'out-of-range';
  if (/directory does not exist/.test(message)) return 'unavailable';
  return kindByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other';
}

/**
 * Parses `UNIQUE constraint failed: w.code, w.lang`, and the same for NOT NULL. A CHECK reports its name or text, and a unique index on expressions
 * its name.
 */
function violatedColumns(message: string): DatabaseErrorFacts {
  const [, place] = /^cannot store \w+ value in \w+ column (.*)$/s.exec(message) ?? [];
  if (place !== undefined) return columnOf(place);
  const [, rule, rest = ''] = /^(UNIQUE|NOT NULL|CHECK) constraint failed: (.*)$/s.exec(message) ?? [];
  if (rule === undefined) return {};
  if (rule === 'CHECK') return { constraint: rest };
  const index = /^index '(.*)'$/s.exec(rest);
  if (index !== null) return { constraint: index[1] ?? null };
  const table = rest.slice(0, rest.indexOf('.'));
  const columns = rest.split(`, ${table}.`).map((part, position) => (position === 0 ? part.slice(table.length + 1) : part));
  return { table: table.startsWith(rebuildPrefix) ? table.slice(rebuildPrefix.length) : table, columns };
}

/** `w.code`, as reported for a STRICT table. The name of the table is assumed to contain no dot. */
const columnOf = (place: string): DatabaseErrorFacts => {
  const dot = place.indexOf('.');
  return { table: place.slice(0, dot), columns: [place.slice(dot + 1)] };
};

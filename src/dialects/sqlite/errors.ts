// SQLite's errors in the service's vocabulary. SQLite names a violated column, never the name of a constraint.

import { DatabaseError, type DatabaseErrorFacts, type DatabaseErrorKind } from '../../core/vendor/database-error.js';
import { ownCode } from './own-code.js';
import { rebuildPrefix } from './rebuild-name.js';

const kindByCode: Readonly<Record<string, DatabaseErrorKind>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_ROWID: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign-key',
  SQLITE_CONSTRAINT_NOTNULL: 'not-null',
  SQLITE_CONSTRAINT_CHECK: 'check',
  SQLITE_CONSTRAINT_TRIGGER: 'check',
  SQLITE_CONSTRAINT_DATATYPE: 'invalid-value',
  SQLITE_MISMATCH: 'invalid-value',
  SQLITE_TOOBIG: 'too-long',
  SQLITE_INTERRUPT: 'cancelled',
  SQLITE_FULL: 'unavailable',
  [ownCode.cancelled]: 'cancelled',
  [ownCode.timeout]: 'timeout',
  [ownCode.noTransaction]: 'retry',
  [ownCode.lost]: 'unavailable',
  [ownCode.convert]: 'invalid-value',
  [ownCode.tooLong]: 'too-long',
  [ownCode.outOfRange]: 'out-of-range',
  [ownCode.refused]: 'other',
  RangeError: 'out-of-range',
};

const kindByPrefix: readonly (readonly [prefix: string, kind: DatabaseErrorKind])[] = [
  ['SQLITE_BUSY', 'retry'],
  ['SQLITE_LOCKED', 'retry'],
  ['SQLITE_SCHEMA', 'stale-schema'],
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_NOTADB', 'unavailable'],
  ['SQLITE_CORRUPT', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'],
  ['SQLITE_READONLY', 'unavailable'],
  ['SQLITE_PERM', 'unavailable'],
  ['SQLITE_CONSTRAINT', 'check'],
];

/** More terms, arguments, columns or tables in a statement than this build takes. */
const limitMessage = /^(?:too many |at most \d+ tables|Expression tree is too large|parser stack overflow|string or blob too big)/i;
const staleMessage = /no such (column|table)|has no column named|table .* has \d+ columns but/i;
/** A view, trigger or rule still uses a column that is to go. */
const dependentMessage = /^error in (view|trigger|index|table) .* after drop column/is;

export function toDatabaseError(code: string, message: string): DatabaseError {
  const cause = Object.assign(new Error(message), { code });
  return new DatabaseError(kindOf(code, message), cause, violatedColumns(message));
}

/** Of an error that the driver threw on this thread. */
export function wrapDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : error instanceof Error ? error.name : '';
  return toDatabaseError(code, error instanceof Error ? error.message : String(error));
}

function kindOf(code: string, message: string): DatabaseErrorKind {
  // What RESTRICT refuses comes as if from a trigger; NO ACTION cannot be told from a write that points to nothing.
  if (code === 'SQLITE_CONSTRAINT_TRIGGER' && message.startsWith('FOREIGN KEY')) return 'restrict';
  const exact = kindByCode[code];
  if (exact !== undefined) return exact;
  if (dependentMessage.test(message)) return 'restrict';
  if (staleMessage.test(message)) return 'stale-schema';
  if (limitMessage.test(message)) return 'too-large';
  if (/integer overflow/i.test(message)) return 'out-of-range';
  if (/directory does not exist/.test(message)) return 'unavailable';
  return kindByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'other';
}

/** `UNIQUE constraint failed: w.code, w.lang`, and the same of NOT NULL; a CHECK names its constraint or its text, a unique index on expressions itself. */
function violatedColumns(message: string): DatabaseErrorFacts {
  const [, rule, rest = ''] = /^(UNIQUE|NOT NULL|CHECK) constraint failed: (.*)$/s.exec(message) ?? [];
  if (rule === undefined) return {};
  if (rule === 'CHECK') return { constraint: rest };
  const index = /^index '(.*)'$/s.exec(rest);
  if (index !== null) return { constraint: index[1] ?? null };
  const table = rest.slice(0, rest.indexOf('.'));
  const columns = rest.split(`, ${table}.`).map((part, position) => (position === 0 ? part.slice(table.length + 1) : part));
  return { table: table.startsWith(rebuildPrefix) ? table.slice(rebuildPrefix.length) : table, columns };
}

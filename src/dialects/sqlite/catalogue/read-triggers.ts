// Triggers and checks, parsed from the CREATE statements: the catalogue stores only their text.

import type { RawCheck, RawTriggers, RowEvent } from '../../../core/schema/raw.js';
import { findClosing, isSign, isWord, readTokens, type Token, textOf } from './sql-tokens.js';
import type { TableSource } from './table-source.js';

interface Trigger {
  readonly before: boolean;
  readonly event: RowEvent;
}

export function readTriggers(statements: readonly string[]): RawTriggers | null {
  const triggers = statements.flatMap((sql) => readTrigger(sql) ?? []);
  if (triggers.length === 0) return null;
  return {
    events: new Set(triggers.map(({ event }) => event)),
    // An AFTER INSERT trigger counts as well: SQLite stores a row whose key is NULL, and such a trigger may set the key afterwards.
    before: new Set(triggers.filter(({ before, event }) => before || event === 'insert').map(({ event }) => event)),
    silent: false,
  };
}

const eventByWord: Readonly<Record<string, RowEvent>> = { INSERT: 'insert', UPDATE: 'update', DELETE: 'delete' };

/** `CREATE TRIGGER [IF NOT EXISTS] name [BEFORE | AFTER | INSTEAD OF] event [OF columns] ON table`; BEFORE is the default. */
function readTrigger(sql: string): Trigger | null {
  const tokens = readTokens(sql);
  const trigger = tokens.findIndex((token) => isWord(token, 'TRIGGER'));
  const name = trigger + (isWord(tokens[trigger + 1], 'IF') && isWord(tokens[trigger + 3], 'EXISTS') ? 4 : 1);
  const last = isSign(tokens[name + 1], '.') ? name + 2 : name;
  const timing = tokens[last + 1];
  const skipped = isWord(timing, 'INSTEAD') ? 2 : isWord(timing, 'BEFORE', 'AFTER') ? 1 : 0;
  const event = eventByWord[tokens[last + 1 + skipped]?.value.toUpperCase() ?? ''];
  return event === undefined ? null : { before: !isWord(timing, 'AFTER'), event };
}

/** SQLite's error reports the name of a violated check, or its text if it has no name, so both serve as the name here. */
export function readChecks(source: TableSource | null): readonly RawCheck[] {
  if (source === null) return [];
  const columns = source.columns.map(({ name }) => name);
  const clauses = [...source.columns.flatMap((column) => column.clauses), ...source.constraints];
  return clauses.filter(({ rule }) => rule === 'check').map(({ name, text }) => readCheck(name, text, columns));
}

function readCheck(name: string | null, text: string, columns: readonly string[]): RawCheck {
  const tokens = readTokens(text);
  const open = tokens.findIndex((token) => isSign(token, '('));
  const inside = tokens.slice(open + 1, findClosing(tokens, open));
  const mentions = (column: string): boolean => inside.some((token) => isNameOf(token, column));
  return { name: name ?? textOf(text, inside), columns: columns.filter(mentions) };
}

const isNameOf = ({ kind, value }: Token, column: string): boolean =>
  (kind === 'word' || kind === 'name') && value.toLowerCase() === column.toLowerCase();

// Determines, from the text of statements, the tables whose foreign keys they may have violated. Checking only these keeps the cost of a change
// of structure independent of the size of the file.

import { isWord, readTokens, type Token } from '../catalogue/sql-tokens.js';

export interface TouchedTables {
  /** Tables whose rows may now refer to missing rows. */
  readonly pointing: ReadonlySet<string>;
  /** Tables that may have lost rows or keys to which other tables refer. */
  readonly pointedAt: ReadonlySet<string>;
  /** Whether a statement could not be parsed, so that any table may be affected. */
  readonly unknown: boolean;
}

type Effect = 'nothing' | 'unknown' | { readonly table: string; readonly pointing: boolean; readonly pointedAt: boolean };

/** The names are in lower case, because SQLite compares them without case. */
export function touchedTables(texts: readonly string[]): TouchedTables {
  const pointing = new Set<string>();
  const pointedAt = new Set<string>();
  let unknown = false;
  for (const text of texts) {
    const effect = effectOf(readTokens(text));
    if (effect === 'unknown') unknown = true;
    else if (effect !== 'nothing') {
      const name = effect.table.toLowerCase();
      if (effect.pointing) pointing.add(name);
      if (effect.pointedAt) pointedAt.add(name);
    }
  }
  return { pointing, pointedAt, unknown };
}

const harmless = ['SELECT', 'VALUES', 'PRAGMA', 'EXPLAIN', 'CREATE', 'ANALYZE'];

function effectOf(tokens: readonly Token[]): Effect {
  const [first, second, third] = tokens;
  if (first === undefined || isWord(first, ...harmless)) return 'nothing';
  if (isWord(first, 'INSERT', 'REPLACE')) {
    const replaces = tokens.some((token) => isWord(token, 'REPLACE', 'CONFLICT'));
    return effect(tokenAfter(tokens, 'INTO'), true, replaces);
  }
  if (isWord(first, 'UPDATE')) return effect(isWord(second, 'OR') ? tokens[3] : second, true, true);
  if (isWord(first, 'DELETE')) return effect(third, false, true);
  if (isWord(first, 'DROP')) return isWord(second, 'TABLE') ? effect(isWord(third, 'IF') ? tokens[4] : third, false, true) : 'nothing';
  return isWord(first, 'ALTER') ? effectOfAlter(tokens) : 'unknown';
}

/** ALTER TABLE … RENAME TO, RENAME COLUMN, ADD COLUMN or DROP COLUMN. SQLite itself refuses to drop a column of a key. */
function effectOfAlter(tokens: readonly Token[]): Effect {
  const [, , table, action, object] = tokens;
  if (isWord(action, 'RENAME')) return isWord(object, 'TO') ? effect(tokens[5], true, true) : 'nothing';
  return tokens.some((token) => isWord(token, 'REFERENCES')) ? effect(table, true, false) : 'nothing';
}

const tokenAfter = (tokens: readonly Token[], word: string): Token | undefined =>
  tokens[tokens.findIndex((token) => isWord(token, word)) + 1];

function effect(token: Token | undefined, pointing: boolean, pointedAt: boolean): Effect {
  if (token === undefined || (token.kind !== 'name' && token.kind !== 'word')) return 'unknown';
  return { table: token.value, pointing, pointedAt };
}

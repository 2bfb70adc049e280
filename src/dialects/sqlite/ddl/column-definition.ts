// The definition of a column: of a new one for CREATE TABLE and ADD COLUMN, and of an altered one for the rebuild of its table.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { ColumnSpec } from '../../../core/vendor/ddl.js';
import { writeDefault } from '../catalogue/default-value.js';
import { readTokens } from '../catalogue/sql-tokens.js';
import type { ClauseRule, ColumnSource } from '../catalogue/table-source.js';
import { writeType } from '../types/column-types.js';
import { quoteName } from '../types/quote.js';

/** `keyInline`: the column alone is the primary key. */
export function defineColumn(spec: ColumnSpec, keyInline: boolean): string {
  const key = keyInline ? `PRIMARY KEY${spec.autoIncrement ? ' AUTOINCREMENT' : ''}` : '';
  return joinWords([quoteName(spec.name), writeType(spec), key, ...ownClauses(spec)]);
}

/** Keeps the text of the key, check, collation and reference clauses; type, nullability, default and generation follow the spec. */
export function redefineColumn(spec: ColumnSpec, source: ColumnSource, type: string): string {
  const kept: readonly ClauseRule[] = ['primary key', 'check', 'references', ...(isTextual(spec) ? (['collate'] as const) : [])];
  const texts = source.clauses.filter((clause) => kept.includes(clause.rule)).map((clause) => clause.text);
  const own = source.clauses.some((clause) => clause.rule === 'primary key')
    ? ownClauses({ ...spec, default: spec.autoIncrement ? null : spec.default })
    : ownClauses(spec);
  return joinWords([quoteName(source.name), type, ...own, ...texts]);
}

/** The definition of an unchanged column. */
export const sourceText = (source: ColumnSource): string =>
  joinWords([quoteName(source.name), source.type, ...source.clauses.map((clause) => clause.text)]);

function ownClauses(spec: ColumnSpec): readonly string[] {
  const nullability = spec.nullable && !spec.primaryKey ? '' : 'NOT NULL';
  if (spec.generationExpression !== null)
    return [nullability, `GENERATED ALWAYS AS (${checkExpression(spec.generationExpression)}) VIRTUAL`];
  const value = writeDefault(spec);
  return [nullability, value === null ? '' : `DEFAULT ${value}`];
}

const isTextual = (spec: ColumnSpec): boolean =>
  spec.type === 'string' || spec.type === 'text' || spec.type === 'csv' || spec.type === 'uuid';

const joinWords = (words: readonly string[]): string => words.filter((word) => word !== '').join(' ');

/** Refuses an expression that could end the parentheses around it: unbalanced ones, an open quote, a comment or a semicolon. */
function checkExpression(text: string): string {
  let depth = 0;
  let covered = 0;
  for (const token of readTokens(text)) {
    if (text.slice(covered, token.start).trim() !== '') depth = Number.NaN;
    covered = token.end;
    if (token.value === '(' && token.kind === 'other') depth += 1;
    if (token.value === ')' && token.kind === 'other') depth -= 1;
    if (depth < 0 || (token.kind === 'other' && token.value === ';') || isOpenQuote(text.slice(token.start, token.end), token.kind))
      depth = Number.NaN;
  }
  if (depth !== 0 || text.slice(covered).trim() !== '' || text.includes('\0')) {
    throw invalidPayload('The generation expression must be one complete SQL expression without comments.');
  }
  return text;
}

const isOpenQuote = (text: string, kind: string): boolean =>
  (kind === 'string' || kind === 'name') && !/^('(.*)'|"(.*)"|`(.*)`|\[(.*)\])$/s.test(text);

// Parses a CREATE TABLE statement into columns, their clauses and table constraints, each with its original text. Introspection needs it
// for what the pragmas omit (constraint names, generation expressions), and a table rebuild copies the texts unchanged.

import { findClosing, isSign, isWord, readTokens, splitAtCommas, type Token, textOf } from './sql-tokens.js';

export type ClauseRule = 'primary key' | 'not null' | 'null' | 'unique' | 'check' | 'default' | 'collate' | 'references' | 'generated';

interface Clause {
  readonly rule: ClauseRule;
  /** From `CONSTRAINT name`. */
  readonly name: string | null;
  readonly text: string;
}

export interface ColumnSource {
  readonly kind: 'column';
  readonly name: string;
  /** The declared type as written. */
  readonly type: string;
  readonly clauses: readonly Clause[];
}

export interface ConstraintSource {
  readonly kind: 'constraint';
  readonly rule: 'primary key' | 'unique' | 'check' | 'foreign key';
  readonly name: string | null;
  /** Empty for a check. */
  readonly columns: readonly string[];
  readonly text: string;
}

export interface TableSource {
  readonly columns: readonly ColumnSource[];
  readonly constraints: readonly ConstraintSource[];
  /** The text after the closing parenthesis: WITHOUT ROWID, STRICT. */
  readonly options: string;
}

const ruleByWord: Readonly<Record<string, ClauseRule>> = {
  PRIMARY: 'primary key',
  NOT: 'not null',
  NULL: 'null',
  UNIQUE: 'unique',
  CHECK: 'check',
  DEFAULT: 'default',
  COLLATE: 'collate',
  REFERENCES: 'references',
  GENERATED: 'generated',
  AS: 'generated',
};

/** null for a virtual table, for CREATE TABLE … AS, and for any other statement without a list of columns. */
export function parseTableSource(sql: string): TableSource | null {
  const tokens = readTokens(sql);
  const open = tokens.findIndex((token) => isSign(token, '('));
  if (open < 0 || tokens.slice(0, open).some((token) => isWord(token, 'VIRTUAL', 'AS'))) return null;
  const close = findClosing(tokens, open);
  const definitions = splitAtCommas(tokens.slice(open + 1, close)).filter((part) => part.length > 0);
  return {
    columns: definitions.filter((part) => !isConstraint(part)).map((part) => readColumn(sql, part)),
    constraints: definitions.filter(isConstraint).map((part) => readConstraint(sql, part)),
    options: textOf(sql, tokens.slice(close + 1)),
  };
}

const isConstraint = (part: readonly Token[]): boolean => isWord(part[0], 'CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN');

function readColumn(sql: string, part: readonly Token[]): ColumnSource {
  const starts = findClauseStarts(part);
  const clauses: Clause[] = [];
  let name: string | null = null;
  let from: number = starts[0] ?? part.length;
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? part.length;
    if (isWord(part[start], 'CONSTRAINT')) {
      name = part[start + 1]?.value ?? null;
      continue;
    }
    const rule = ruleByWord[part[start]?.value.toUpperCase() ?? ''];
    if (rule !== undefined) clauses.push({ rule, name, text: textOf(sql, part.slice(from, end)) });
    name = null;
    from = end;
  }
  return { kind: 'column', name: part[0]?.value ?? '', type: textOf(sql, part.slice(1, starts[0] ?? part.length)), clauses };
}

/** The indexes at which clauses begin. A keyword inside another clause (DEFAULT NULL, SET NULL, NOT DEFERRABLE, ALWAYS AS) begins none. */
function findClauseStarts(part: readonly Token[]): readonly number[] {
  const starts: number[] = [];
  for (let index = 1; index < part.length; index += 1) {
    const token = part[index];
    if (isSign(token, '(')) index = findClosing(part, index);
    else if (isWord(token, 'CONSTRAINT')) {
      starts.push(index);
      index += 1;
    } else if (token?.kind === 'word' && token.value.toUpperCase() in ruleByWord && !belongsToClause(part, index)) starts.push(index);
  }
  return starts;
}

function belongsToClause(part: readonly Token[], index: number): boolean {
  const [before, token, after] = [part[index - 1], part[index], part[index + 1]];
  if (isWord(token, 'NULL')) return isWord(before, 'NOT', 'DEFAULT', 'SET');
  if (isWord(token, 'DEFAULT')) return isWord(before, 'SET');
  if (isWord(token, 'NOT')) return isWord(after, 'DEFERRABLE');
  if (isWord(token, 'AS')) return isWord(before, 'ALWAYS');
  return false;
}

function readConstraint(sql: string, part: readonly Token[]): ConstraintSource {
  const named = isWord(part[0], 'CONSTRAINT');
  const first = part[named ? 2 : 0];
  const open = part.findIndex((token) => isSign(token, '('));
  const inside = open < 0 ? [] : part.slice(open + 1, findClosing(part, open));
  const rule = isWord(first, 'PRIMARY')
    ? 'primary key'
    : isWord(first, 'UNIQUE')
      ? 'unique'
      : isWord(first, 'FOREIGN')
        ? 'foreign key'
        : 'check';
  return {
    kind: 'constraint',
    rule,
    name: named ? (part[1]?.value ?? null) : null,
    columns: rule === 'check' ? [] : splitAtCommas(inside).map((column) => column[0]?.value ?? ''),
    text: textOf(sql, part),
  };
}

/** The expression of a generated column, without its parentheses. */
export function generationExpression(column: ColumnSource): string | null {
  const text = column.clauses.find((clause) => clause.rule === 'generated')?.text;
  if (text === undefined) return null;
  const tokens = readTokens(text);
  const open = tokens.findIndex((token) => isSign(token, '('));
  return open < 0 ? null : textOf(text, tokens.slice(open + 1, findClosing(tokens, open)));
}

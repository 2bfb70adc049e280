// A lexer for SQLite: tokens with their positions in the text. It covers what the parsers of stored CREATE statements need, and is not a
// complete SQL lexer.

export interface Token {
  /** word: an unquoted name or keyword; name: a quoted name; string: a text literal; other: one punctuation character or a number. */
  readonly kind: 'word' | 'name' | 'string' | 'other';
  /** Without quotes. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const wordPattern = /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const numberPattern = /\d[\w.]*/y;
const spacePattern = /(?:\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))+/y;
const quotedPattern: Readonly<Record<string, RegExp>> = {
  "'": /'(?:[^']|'')*'?/y,
  '"': /"(?:[^"]|"")*"?/y,
  '`': /`(?:[^`]|``)*`?/y,
  '[': /\[[^\]]*\]?/y,
};

export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const spaceEnd = matchEnd(spacePattern, text, at);
    if (spaceEnd > at) at = spaceEnd;
    else {
      const token = readToken(text, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readToken(text: string, start: number): Token {
  const sign = text.charAt(start);
  const quoted = quotedPattern[sign];
  if (quoted !== undefined) {
    const end = matchEnd(quoted, text, start);
    return { kind: sign === "'" ? 'string' : 'name', value: unquote(text.slice(start + 1, end - 1), sign), start, end };
  }
  const wordEnd = matchEnd(wordPattern, text, start);
  if (wordEnd > start) return { kind: 'word', value: text.slice(start, wordEnd), start, end: wordEnd };
  const end = Math.max(matchEnd(numberPattern, text, start), start + 1);
  return { kind: 'other', value: text.slice(start, end), start, end };
}

const unquote = (inner: string, sign: string): string =>
  sign === '[' || !inner.includes(sign) ? inner : inner.replaceAll(sign + sign, sign);

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

export const isWord = (token: Token | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.value.toUpperCase());

export const isSign = (token: Token | undefined, sign: string): boolean => token?.kind === 'other' && token.value === sign;

/** The index of the parenthesis that closes the one at `open`; the last token if none does. */
export function findClosing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    if (isSign(tokens[index], '(')) depth += 1;
    if (isSign(tokens[index], ')')) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length - 1;
}

/** Splits at the commas outside of parentheses. */
export function splitAtCommas(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    if (depth === 0 && isSign(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** The source text from the first to the last token, spacing and comments included. */
export function textOf(source: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined ? '' : source.slice(first.start, last.end);
}

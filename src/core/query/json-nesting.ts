// How a JSON text is made, looked at before it is parsed: a parser spends more on each level, container and key than on what is in it.

export const maxJsonNesting = 100;

/** How many of each a JSON text may have. Values do not count: they cost little, and lists of them are long. */
export interface JsonBounds {
  readonly containers: number;
  readonly keys: number;
}

/** For a text that is a query: several times what a query may mean, and little to parse. */
export const queryBounds: JsonBounds = { containers: 20_000, keys: 20_000 };

const unbounded: JsonBounds = { containers: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY };

export type Excess = 'levels' | keyof JsonBounds;

/** The rest of a sentence that begins with what it is about. */
export function describeExcess(excess: Excess, bounds: JsonBounds): string {
  if (excess === 'levels') return `is nested deeper than ${maxJsonNesting} levels`;
  return excess === 'keys' ? `has more than ${bounds.keys} keys` : `has more than ${bounds.containers} objects and lists`;
}

const codeOf = (character: string): number => character.charCodeAt(0);

/** The characters that make a JSON text what it is, outside of strings. */
export const jsonCodes = {
  quote: codeOf('"'),
  comma: codeOf(','),
  colon: codeOf(':'),
  openBrace: codeOf('{'),
  closeBrace: codeOf('}'),
  openBracket: codeOf('['),
  closeBracket: codeOf(']'),
};
const { quote, colon, openBrace, closeBrace, openBracket, closeBracket } = jsonCodes;
const backslash = codeOf('\\');

export const isNestedTooDeeply = (text: string): boolean => findExcess(text, unbounded) !== null;

/** What a text has too much of; null: nothing. */
export function findExcess(text: string, bounds: JsonBounds): Excess | null {
  let depth = 0;
  let containers = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      containers += 1;
      if (depth > maxJsonNesting) return 'levels';
      if (containers > bounds.containers) return 'containers';
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === colon) {
      keys += 1;
      if (keys > bounds.keys) return 'keys';
    }
  }
  return null;
}

/** Where the closing quote is. Most of a text is inside of strings, and the engine's own search is several times as quick as a loop. */
export function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(text, end));
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

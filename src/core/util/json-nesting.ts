// Bounds on the structure of a JSON text, checked before it is parsed: a JSON parser spends more on each level, container and key than on
// the content between them.

export const maxJsonNesting = 100;

/**
 * How many containers and keys a JSON text may have. Values are not counted: they are cheap to parse, and long lists of them are normal.
 */
export interface JsonBounds {
  readonly containers: number;
  readonly keys: number;
}

/** For a query sent as JSON text: several times what `QueryLimits` accepts, and still quick to parse. */
export const queryBounds: JsonBounds = { containers: 20_000, keys: 20_000 };

const unbounded: JsonBounds = { containers: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY };

export type Excess = 'levels' | keyof JsonBounds;

/** Completes a sentence that begins with the name of the text. */
export function describeExcess(excess: Excess, bounds: JsonBounds): string {
  if (excess === 'levels') return `is nested deeper than ${maxJsonNesting} levels`;
  return excess === 'keys' ? `has more than ${bounds.keys} keys` : `has more than ${bounds.containers} objects and lists`;
}

const codeOf = (character: string): number => character.charCodeAt(0);

/** The character codes that structure a JSON text outside of strings. */
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

/** The first bound that the text exceeds, or null. */
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

/**
 * The index of the quote that closes the string opened at `start`. Uses indexOf: most of a JSON text is inside of strings, and the native
 * search is several times as fast as a loop.
 */
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

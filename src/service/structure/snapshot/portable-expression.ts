// Each vendor stores the expression of a generated column in its own spelling: with casts, quotes and parentheses added. These functions
// remove such additions, so that an expression can be used on another vendor and compared with what that vendor stores.

const cast = /::"?[a-z_]+"?(?: (?:precision|varying|without time zone|with time zone))?(?:\(\d+(?:, ?\d+)?\))?/gi;
const quotedWord = /[`"]([a-z_][a-z0-9_]*)[`"]/g;

export function portableExpression(text: string): string {
  const plain = text
    .replace(cast, '')
    .replace(quotedWord, '$1')
    .replace(/\b_utf8mb4(?=')/gi, '')
    .replace(/ div /gi, ' / ')
    .trim();
  return stripBrackets(plain.replace(/\((\w+)\)/g, (_, word: string, at: number) => (/\w$/.test(plain.slice(0, at)) ? `(${word})` : word)));
}

/** Removes parentheses around the whole text. */
function stripBrackets(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return text;
  }
  return stripBrackets(text.slice(1, -1).trim());
}

/** Whether two texts differ at most in spelling. */
export const isSameExpression = (one: unknown, other: unknown): boolean => reduce(one) === reduce(other);

const reduce = (text: unknown): string | null =>
  typeof text === 'string'
    ? portableExpression(text)
        .replace(/[\s()`"]/g, '')
        .toLowerCase()
    : null;

// Quotes names and literals for DDL, which takes no parameters, and reads literals from the catalogue. Literals are written so that they mean
// the same with and without NO_BACKSLASH_ESCAPES.

import { invalidPayload } from '../../../core/errors/service-error.js';

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/**
 * Text with a backslash, a control character or a character beyond U+FFFF is written as hexadecimal bytes, which mean the same in every sql_mode. The
 * catalogue stores three bytes per character and would garble the character itself.
 */
export function quoteText(text: string): string {
  if (/[\\\p{Cc}\u{10000}-\u{10ffff}]/u.test(text)) return `(CONVERT(x'${Buffer.from(text, 'utf8').toString('hex')}' USING utf8mb4))`;
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * A comment cannot be hexadecimal, so it is escaped for the sql_mode that every session sets. The catalogue would store a question mark for a
 * character beyond U+FFFF.
 */
export function quoteComment(text: string): string {
  if (/[\u{10000}-\u{10ffff}]/u.test(text)) throw invalidPayload('This database keeps no characters beyond U+FFFF in a comment.');
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a', b: '\b' };

/** The text of a literal from the catalogue, which is quoted or hexadecimal; null if `sql` is not a literal. */
export function unquoteLiteral(sql: string): string | null {
  const bytes = /^\(?(?:convert\()?(?:x'|0x)([0-9a-f]*)'?(?: using utf8mb4\))?\)?$/i.exec(sql)?.[1];
  if (bytes !== undefined) return Buffer.from(bytes, 'hex').toString('utf8');
  const body = /^(?:_utf8mb4\s*)?'((?:[^'\\]|''|\\.)*)'$/s.exec(sql)?.[1];
  return body === undefined
    ? null
    : body.replace(/''|\\(.)/gs, (_match, escaped?: string) => (escaped === undefined ? "'" : (escapes[escaped] ?? escaped)));
}

/** MySQL's catalogue writes an expression with its quotes and backslashes escaped once more: `concat(\`a\`,_utf8mb4\\'!\\')`. */
export const unescapeExpression = (text: string): string => text.replace(/\\(['\\])/g, '$1');

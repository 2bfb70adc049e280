// Identifiers and literals of the vendor. Literals are written so that they mean the same whether or not backslash escapes.

import { invalidPayload } from '../../core/errors/service-error.js';

export const quoteName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

/** Text with a backslash, a control or a rare character is written by its bytes: it then means the same under every sql_mode, and the catalogue (of three-byte characters) tells it whole. */
export function quoteText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\\\u0000-\u001f\u{10000}-\u{10ffff}]/u.test(text))
    return `(CONVERT(x'${Buffer.from(text, 'utf8').toString('hex')}' USING utf8mb4))`;
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * A comment takes no hexadecimal; it is written for the sql_mode every session has set. The catalogue would keep a question mark for each
 * rare character.
 */
export function quoteComment(text: string): string {
  if (/[\u{10000}-\u{10ffff}]/u.test(text)) throw invalidPayload('This database keeps no characters beyond U+FFFF in a comment.');
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', 0: '\0', Z: '\x1a', b: '\b' };

/** The text of a literal as the catalogue writes it, quoted or by its bytes; null if it is none. */
export function unquoteLiteral(sql: string): string | null {
  const bytes = /^\(?(?:convert\()?(?:x'|0x)([0-9a-f]*)'?(?: using utf8mb4\))?\)?$/i.exec(sql)?.[1];
  if (bytes !== undefined) return Buffer.from(bytes, 'hex').toString('utf8');
  const body = /^(?:_utf8mb4\s*)?'((?:[^'\\]|''|\\.)*)'$/s.exec(sql)?.[1];
  return body === undefined
    ? null
    : body.replace(/''|\\(.)/gs, (_match, escaped?: string) => (escaped === undefined ? "'" : (escapes[escaped] ?? escaped)));
}

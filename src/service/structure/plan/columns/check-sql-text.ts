// Checks for the texts of a client that become part of a DDL statement. Names of collections and fields must be words that every vendor,
// URL and query can hold. The expression of a default or a generated column is not parsed, so it must be one complete expression that
// cannot end the statement around it.

import { invalidPayload } from '../../../../core/errors/service-error.js';
import { systemPrefix } from '../../../../core/schema/system-definition.js';

const maxBytes = 63;
const word = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_ -]*[\p{L}\p{M}\p{N}_-])?$/u;
/** Prefixes that the service, SQLite or GraphQL reserve. */
const reserved = /^(?:service_|sqlite_|__)/i;

export function checkFieldName(name: string): string {
  checkWord(name, 'field');
  if (name.startsWith('__')) throw invalidPayload(`The field name "${name}" is reserved: it begins with two underscores.`);
  return name;
}

/** MariaDB keeps the name of the primary key's index for it, SQLite the prefix of its own. */
export function checkIndexName(name: string): string {
  checkWord(name, 'index');
  if (/^(?:primary$|sqlite_)/i.test(name)) throw invalidPayload(`The index name "${name}" is reserved.`);
  return name;
}

/** If `schemas`, a dot separates the schema from the table; else the dot is part of the table's name. */
export function checkCollectionName(name: string, schemas: boolean): string {
  const parts = name.split('.');
  if (parts.length > 2) throw invalidPayload(`The collection name "${name}" has too many dots.`);
  for (const part of parts) {
    checkWord(part, 'collection');
    if (reserved.test(part))
      throw invalidPayload(`The collection name "${name}" is reserved: it begins with "${systemPrefix}", "sqlite_" or "__".`);
  }
  if (!schemas) checkLength(name, 'collection');
  return name;
}

function checkWord(name: string, what: string): void {
  if (!word.test(name)) {
    throw invalidPayload(
      `The ${what} name "${name}" must begin with a letter or underscore and hold only letters, digits, underscores, hyphens and spaces.`,
    );
  }
  if (name in {}) throw invalidPayload(`The ${what} name "${name}" is reserved.`);
  checkLength(name, what);
}

function checkLength(name: string, what: string): void {
  if (Buffer.byteLength(name) > maxBytes) throw invalidPayload(`The ${what} name "${name}" is longer than ${maxBytes} bytes.`);
}

/** Outside of quotes: characters that begin a comment, another statement, or a quotation that vendors read differently. */
const refusedInExpression = /;|--|\/\*|\*\/|#|\$|[[\]]/;
const quoted = /'[^']*'|"[^"]*"|`[^`]*`/g;

export function checkExpression(text: string): string {
  const bare = text.replace(quoted, '_');
  if (text.trim() === '' || /[\\\0]/.test(text) || refusedInExpression.test(bare) || /['"`]/.test(bare) || !isBalanced(bare)) {
    throw invalidPayload('An expression must be one complete SQL expression without comments, escapes and semicolons.');
  }
  return text;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

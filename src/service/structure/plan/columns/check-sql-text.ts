// Checks for the texts of a client that become part of a DDL statement. Names of collections and fields must be words that every vendor,
// URL and query can hold. The expression of a default or a generated column is not parsed, so it must be one complete expression that
// cannot end the statement around it.

import { refusal } from '../../../../core/errors/refusals.js';
import { invalidPayload } from '../../../../core/errors/service-error.js';
import { systemPrefix } from '../../../../core/schema/system-definition.js';

const maxBytes = 63;
const word = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_ -]*[\p{L}\p{M}\p{N}_-])?$/u;
/** Prefixes that the service, SQLite or GraphQL reserve. */
const reserved = /^(?:service_|sqlite_|__)/i;

export function checkFieldName(name: string): string {
  checkWord(name, 'field');
  if (name.startsWith('__')) throw invalidPayload(refusal('name_underscores', { name }));
  return name;
}

/** MariaDB keeps the name of the primary key's index for it, SQLite the prefix of its own. */
export function checkIndexName(name: string): string {
  checkWord(name, 'index');
  if (/^(?:primary$|sqlite_)/i.test(name)) throw invalidPayload(refusal('name_reserved', { kind: 'index', name }));
  return name;
}

/** If `schemas`, a dot separates the schema from the table; else the dot is part of the table's name. */
export function checkCollectionName(name: string, schemas: boolean): string {
  const parts = name.split('.');
  if (parts.length > 2) throw invalidPayload(refusal('name_dots', { name }));
  for (const part of parts) {
    checkWord(part, 'collection');
    if (reserved.test(part)) throw invalidPayload(refusal('name_of_service', { name, prefix: systemPrefix }));
  }
  if (!schemas) checkLength(name, 'collection');
  return name;
}

function checkWord(name: string, what: string): void {
  if (!word.test(name)) {
    throw invalidPayload(refusal('name_malformed', { kind: what, name }));
  }
  if (name in {}) throw invalidPayload(refusal('name_reserved', { kind: what, name }));
  checkLength(name, what);
}

function checkLength(name: string, what: string): void {
  if (Buffer.byteLength(name) > maxBytes) throw invalidPayload(refusal('name_too_long', { kind: what, name, limit: maxBytes }));
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

// Names of collections and fields to be made: words that every database, every path and every query can carry.

import { invalidPayload } from '../../core/errors/service-error.js';
import { systemPrefix } from '../../core/schema/system-definition.js';

const maxBytes = 63;
const word = /^[\p{L}_](?:[\p{L}\p{M}\p{N}_ -]*[\p{L}\p{M}\p{N}_-])?$/u;
/** Names that the service, a vendor or GraphQL keep for themselves. */
const reserved = /^(?:service_|sqlite_|__)/i;

export function checkFieldName(name: string): string {
  checkWord(name, 'field');
  if (name.startsWith('__')) throw invalidPayload(`The field name "${name}" is reserved: it begins with two underscores.`);
  return name;
}

/** With `schemas`, one dot divides the name into a schema and a table. */
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

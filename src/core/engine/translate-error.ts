// What the database refused, in the service's words and with the schema's names, on every vendor alike. Never the vendor's own text.

import { forbidden, ServiceError, serviceError } from '../errors/service-error.js';
import type { Collection, Schema } from '../schema/schema.js';
import type { DatabaseError } from '../vendor/database-error.js';

/** What was being written when it happened. */
export interface Refused {
  readonly collection: Collection;
  /** The values of the only row; null when there were several. */
  readonly values: ReadonlyMap<string, unknown> | null;
}

export function translateError(schema: Schema, error: DatabaseError, refused: Refused | null = null): Error {
  const collection = findCollection(schema, error) ?? refused?.collection ?? null;
  const fields = collection === null ? error.columns : fieldsOf(collection, error);
  const facts = factsOf(collection, fields);
  switch (error.kind) {
    case 'unique':
      return serviceError(
        'RECORD_NOT_UNIQUE',
        `${subject(facts)} has to be unique.`,
        { ...facts, ...ownValue(refused, collection, fields) },
        error,
      );
    case 'foreign-key':
      return serviceError('INVALID_FOREIGN_KEY', `${subject(facts)} points at an item that does not exist.`, facts, error);
    case 'restrict':
      return serviceError('INVALID_FOREIGN_KEY', 'The item is still pointed at by other items.', {}, error);
    case 'not-null':
      return serviceError('NOT_NULL_VIOLATION', `${subject(facts)} can't be null.`, facts, error);
    case 'too-long':
      return serviceError('VALUE_TOO_LONG', `${subject(facts)} is too long.`, facts, error);
    case 'out-of-range':
      return serviceError('VALUE_OUT_OF_RANGE', `${subject(facts)} is out of range.`, facts, error);
    case 'invalid-value':
      return invalid(`${subject(facts)} does not fit its type.`, facts, error);
    case 'check':
      return serviceError(
        'FAILED_VALIDATION',
        `${subject(facts)} breaks a rule of the database.`,
        { ...facts, type: 'check', path: [] },
        error,
      );
    case 'too-large':
      return serviceError('CONTENT_TOO_LARGE', 'The request is too large for the database.', {}, error);
    case 'stale-schema':
      return new ServiceError(forbidden().entries, { cause: error });
    case 'retry':
    case 'timeout':
    case 'cancelled':
    case 'unavailable':
      return serviceError('SERVICE_UNAVAILABLE', 'The database cannot answer right now.', { service: 'database' }, error);
    case 'other':
      return error;
  }
}

const invalid = (reason: string, facts: Facts, error: DatabaseError): ServiceError =>
  serviceError('INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason, ...facts }, error);

type Facts = { readonly collection?: string; readonly field?: string };

function factsOf(collection: Collection | null, fields: readonly string[] | null): Facts {
  const named = fields === null || fields.length === 0 ? {} : { field: fields.join(',') };
  return collection === null ? named : { collection: collection.name, ...named };
}

const subject = ({ collection, field }: Facts): string =>
  field === undefined ? 'A value' : `Value for field "${field}"${collection === undefined ? '' : ` in collection "${collection}"`}`;

function findCollection(schema: Schema, error: DatabaseError): Collection | null {
  if (error.table === null) return null;
  for (const collection of schema.collections.values()) if (collection.table?.name === error.table) return collection;
  return null;
}

/** The fields a violated constraint is about; null when nothing tells them. */
export function fieldsOf(collection: Collection, error: DatabaseError): readonly string[] | null {
  if (error.columns !== null) return error.columns;
  const { constraint } = error;
  const { table } = collection;
  if (constraint === null || table === null) return null;
  const index = table.indexes.find((candidate) => candidate.name === constraint);
  const foreignKey = table.foreignKeys.find((candidate) => candidate.name === constraint);
  if (index !== undefined || foreignKey !== undefined) return index?.columns ?? foreignKey?.columns ?? null;
  return constraint === 'PRIMARY' || constraint === `${table.name}_pkey` ? collection.primaryKey : null;
}

/** The caller's own value comes back to him, never one that is stored. */
function ownValue(refused: Refused | null, collection: Collection | null, fields: readonly string[] | null): { readonly value?: unknown } {
  const name = fields?.length === 1 ? fields[0] : undefined;
  if (name === undefined || refused?.values === null || refused === null || collection?.name !== refused.collection.name) return {};
  const field = collection.fields.get(name);
  const value = refused.values.get(name);
  if (field?.kind !== 'column' || field.concealed || value === undefined || value instanceof Uint8Array) return {};
  return { value: typeof value === 'bigint' ? String(value) : value };
}

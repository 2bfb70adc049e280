// Turns errors of the database into the service's, with the names of the schema, alike on every vendor. The vendor's text is never passed on, except
// for messages raised by triggers, whose authors write them for clients, and of triggers and functions that do not work.

import { refusal } from '../../errors/refusals.js';
import { forbidden, refusalError, ServiceError, serviceError } from '../../errors/service-error.js';
import type { Collection, Schema } from '../../schema/schema.js';
import type { DatabaseError } from '../../vendor/database-error.js';

/** What was being written when the error occurred. */
export interface Refused {
  readonly collection: Collection;
  /** The values of the only row; null when there were several. */
  readonly values: ReadonlyMap<string, unknown> | null;
}

export function translateError(schema: Schema, error: DatabaseError, refused: Refused | null = null): Error {
  const collection = findCollection(schema, error) ?? refused?.collection ?? null;
  const fields = collection === null ? error.columns : (fieldsOf(collection, error) ?? guessField(collection, error, refused));
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
      return refusalError('INVALID_FOREIGN_KEY', refusal('still_referenced'), {}, error);
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
        `${subject(facts)} breaks ${error.constraint === null ? 'a rule' : `the rule "${error.constraint}"`} of the database.`,
        { ...facts, ...constraintOf(error), type: 'check', path: [] },
        error,
      );
    case 'partition':
      return serviceError('FAILED_VALIDATION', `${subject(facts)} fits no partition.`, { ...facts, type: 'partition', path: [] }, error);
    case 'raised':
      return raised(facts, error);
    case 'broken':
      return broken(facts, error);
    case 'too-large':
      return serviceError('CONTENT_TOO_LARGE', 'The request is too large for the database.', {}, error);
    case 'stale-schema':
      return new ServiceError(forbidden().entries, { cause: error });
    case 'denied':
      return collection?.system === true ? explainMissingRight(error) : explainDenied(refused?.collection.name ?? null, error);
    case 'read-only':
      return refusalError('SERVICE_UNAVAILABLE', refusal('database_read_only'), { service: 'database' }, error);
    case 'full':
      return refusalError('SERVICE_UNAVAILABLE', refusal('database_full'), { service: 'database' }, error);
    case 'retry':
    case 'locked':
    case 'deadlock':
    case 'timeout':
    case 'cancelled':
    case 'unavailable':
      return unavailable('The database cannot answer right now.', error);
    case 'other':
      return error;
  }
}

/** The right may be missing for good, so the answer is FORBIDDEN, not 503: retrying would not help. */
const explainDenied = (collection: string | null, error: DatabaseError): ServiceError =>
  refusalError('FORBIDDEN', refusal('database_denies_writing', collection === null ? {} : { collection }), {}, error);

/** Without its own tables the service cannot work for any caller. */
const explainMissingRight = (error: DatabaseError): ServiceError =>
  unavailable('The database refuses the service a right to its own tables. Nothing was changed.', error);

const unavailable = (message: string, error: DatabaseError): ServiceError =>
  serviceError('SERVICE_UNAVAILABLE', message, { service: 'database' }, error);

const invalid = (reason: string, facts: Facts, error: DatabaseError): ServiceError =>
  serviceError('INVALID_PAYLOAD', `Invalid payload. ${reason}`, { reason, ...facts }, error);

/** Longer messages are cut: they appear in answers and in the log. */
const mostOfMessage = 1000;

function raised(facts: Facts, error: DatabaseError): ServiceError {
  const hint = error.hint === null ? {} : { hint: error.hint.slice(0, mostOfMessage) };
  const extensions = { ...facts, ...constraintOf(error), ...hint, type: 'trigger', path: [] };
  return serviceError('FAILED_VALIDATION', error.message.slice(0, mostOfMessage), extensions, error);
}

/** A trigger or a function of the database fails. Its owner needs the words of the database to mend it. */
function broken(facts: Facts, error: DatabaseError): ServiceError {
  const message = `The database cannot do this: ${error.message.slice(0, mostOfMessage)}.`;
  return serviceError('FAILED_VALIDATION', message, { ...facts, type: 'trigger', path: [] }, error);
}

const constraintOf = ({ constraint }: DatabaseError): { readonly constraint?: string } => (constraint === null ? {} : { constraint });

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

/** The fields of a violated constraint; null if they are unknown. */
export function fieldsOf(collection: Collection, error: DatabaseError): readonly string[] | null {
  if (error.columns !== null) return ownFields(collection, error.columns);
  const { constraint } = error;
  const { table } = collection;
  if (table === null) return null;
  if (error.kind === 'partition')
    return ownFields(collection, error.table === null || error.table === table.name ? table.partitionedBy : []);
  if (constraint === null) return null;
  const index = table.indexes.find((candidate) => candidate.name === constraint);
  const foreignKey = table.foreignKeys.find((candidate) => candidate.name === constraint);
  if (index !== undefined || foreignKey !== undefined) return index?.columns ?? foreignKey?.columns ?? null;
  return constraint === 'PRIMARY' || constraint === `${table.name}_pkey` ? collection.primaryKey : null;
}

/** A trigger may write into other tables, whose columns are not fields of this collection. */
function ownFields(collection: Collection, columns: readonly string[]): readonly string[] | null {
  return columns.length > 0 && columns.every((name) => collection.fields.has(name)) ? columns : null;
}

/**
 * Where the database names no column: the fields of the check it names (the check of a domain is listed once for each column of that domain), or
 * the only field that was sent the value it shows.
 */
function guessField(collection: Collection, error: DatabaseError, refused: Refused | null): readonly string[] | null {
  const written = refused === null || collection.name !== refused.collection.name ? null : refused.values;
  const checks = error.constraint === null ? [] : (collection.table?.checks ?? []).filter(({ name }) => name === error.constraint);
  const [first, ...others] = checks.map(({ columns }) => columns).filter((columns) => columns.length > 0);
  if (first !== undefined && others.length === 0) return first;
  const candidates =
    first === undefined
      ? fieldsHolding(written, error.value)
      : checks.flatMap(({ columns }) => columns).filter((name) => isSet(written?.get(name)));
  return candidates.length === 1 ? candidates : null;
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

function fieldsHolding(written: ReadonlyMap<string, unknown> | null, value: string | null): readonly string[] {
  if (written === null || value === null) return [];
  return [...written].filter(([, own]) => String(own) === value).map(([name]) => name);
}

/** Shows the value that the caller sent, never a stored one. */
function ownValue(refused: Refused | null, collection: Collection | null, fields: readonly string[] | null): { readonly value?: unknown } {
  const name = fields?.length === 1 ? fields[0] : undefined;
  if (name === undefined || refused?.values === null || refused === null || collection?.name !== refused.collection.name) return {};
  const field = collection.fields.get(name);
  const value = refused.values.get(name);
  if (field?.kind !== 'column' || field.concealed || value === undefined || value instanceof Uint8Array) return {};
  return { value: typeof value === 'bigint' ? String(value) : value };
}

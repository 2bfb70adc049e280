// What the database answered to a change of structure, as an answer to the administrator who asked for it.

import { invalidPayload, type ServiceError, serviceError } from '../../core/errors/service-error.js';
import { collectionName } from '../../core/schema/collection-name.js';
import type { DatabaseError } from '../../core/vendor/database-error.js';
import type { StructureChange } from '../../core/vendor/ddl.js';

/** Kinds that may pass by themselves stay as they are: the whole change is tried again, or the service is not available. */
export function explainRefusal(error: DatabaseError, change: StructureChange): Error {
  const collection = collectionName(change.table);
  const field = fieldOf(change);
  const facts = field === null ? { collection } : { collection, field };
  const subject = field === null ? `Collection "${collection}"` : `Field "${field}" in collection "${collection}"`;
  switch (error.kind) {
    case 'unique':
      return serviceError('RECORD_NOT_UNIQUE', `${subject} holds values that are not unique.`, facts, error);
    case 'not-null':
      return serviceError('CONTAINS_NULL_VALUES', `${subject} contains null values.`, facts, error);
    case 'foreign-key':
      return serviceError(
        'INVALID_FOREIGN_KEY',
        `${subject} holds values that the related collection does not have, or of another type.`,
        facts,
        error,
      );
    case 'too-long':
      return serviceError('VALUE_TOO_LONG', `${subject} holds values that are too long.`, facts, error);
    case 'out-of-range':
      return serviceError('VALUE_OUT_OF_RANGE', `${subject} holds values out of range.`, facts, error);
    case 'invalid-value':
      return refused(`${subject} holds values that cannot become the new type.`, error);
    case 'restrict':
      return refused(`${subject} is still used by something else in the database: ${firstLine(error)}`, error);
    case 'check':
    case 'stale-schema':
    case 'too-large':
    case 'other':
      return refused(`The database refused the change: ${firstLine(error)}`, error);
    default:
      return error;
  }
}

function fieldOf(change: StructureChange): string | null {
  switch (change.kind) {
    case 'add-column':
    case 'alter-column':
      return change.column.name;
    case 'drop-column':
      return change.column;
    case 'drop-foreign-key':
    case 'add-foreign-key':
      return change.foreignKey.columns.join(',');
    default:
      return null;
  }
}

function refused(reason: string, cause: DatabaseError): ServiceError {
  const { entries } = invalidPayload(reason);
  return serviceError('INVALID_PAYLOAD', entries[0].message, entries[0].extensions, cause);
}

const firstLine = (error: Error): string => error.message.split('\n', 1)[0] ?? '';

// Translates the error of a DDL statement into an error that names the collection and field of the change.

import { invalidPayload, type ServiceError, serviceError } from '../../../core/errors/service-error.js';
import { collectionName } from '../../../core/schema/table-name.js';
import type { DatabaseError } from '../../../core/vendor/database-error.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';

/** Returns errors that a retry may cure unchanged: `change-structure.ts` runs the whole change again or answers SERVICE_UNAVAILABLE. */
export function explainRefusal(error: DatabaseError, change: StructureChange): Error {
  const collection = collectionName(change.table);
  const field = fieldOf(change);
  const facts = field === null ? { collection } : { collection, field };
  const subject = field === null ? `Collection "${collection}"` : `Field "${field}" in collection "${collection}"`;
  switch (error.kind) {
    case 'unique':
      if (change.kind === 'create-table') return refused(`${subject} exists already: somebody else has just created it.`, error);
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
    case 'denied':
      return serviceError(
        'FORBIDDEN',
        `The database does not let this service change ${lowerFirst(subject)}: ${firstLine(error)}`,
        facts,
        error,
      );
    case 'check':
    case 'partition':
    case 'raised':
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
    case 'create-index':
      return change.columns.join(',');
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

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const firstLine = (error: Error): string => error.message.split('\n', 1)[0] ?? '';

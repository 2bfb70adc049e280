// Translates the error of a DDL statement into an error that names the collection and field of the change.

import { type Refusal, refusal } from '../../../core/errors/refusals.js';
import { refusalError, type ServiceError } from '../../../core/errors/service-error.js';
import { collectionName } from '../../../core/schema/table-name.js';
import type { DatabaseError } from '../../../core/vendor/database-error.js';
import type { StructureChange } from '../../../core/vendor/ddl.js';

/** Returns errors that a retry may cure unchanged: `change-structure.ts` runs the whole change again or answers SERVICE_UNAVAILABLE. */
export function explainRefusal(error: DatabaseError, change: StructureChange): Error {
  const collection = collectionName(change.table);
  const field = fieldOf(change);
  const about = field === null ? { collection } : { collection, field };
  switch (error.kind) {
    case 'unique':
      if (change.kind === 'create-table') return invalid(refusal('collection_just_created', { collection }), error);
      return refusalError('RECORD_NOT_UNIQUE', refusal('stored_twice', about), {}, error);
    case 'not-null':
      return refusalError('CONTAINS_NULL_VALUES', refusal('stored_null', about), {}, error);
    case 'foreign-key':
      return refusalError('INVALID_FOREIGN_KEY', refusal('stored_orphans', about), {}, error);
    case 'too-long':
      return refusalError('VALUE_TOO_LONG', refusal('stored_too_long', about), {}, error);
    case 'out-of-range':
      return refusalError('VALUE_OUT_OF_RANGE', refusal('stored_out_of_range', about), {}, error);
    case 'invalid-value':
      return invalid(refusal('stored_of_other_type', about), error);
    case 'restrict':
      return invalid(refusal('still_used', { ...about, detail: firstLine(error) }), error);
    case 'denied':
      return refusalError('FORBIDDEN', refusal('database_denies_change', { ...about, detail: firstLine(error) }), {}, error);
    case 'check':
    case 'partition':
    case 'raised':
    case 'broken':
    case 'stale-schema':
    case 'too-large':
    case 'other':
      return invalid(refusal('database_refuses_change', { detail: firstLine(error) }), error);
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

const invalid = (why: Refusal, cause: DatabaseError): ServiceError => refusalError('INVALID_PAYLOAD', why, {}, cause);

const firstLine = (error: Error): string => error.message.split('\n', 1)[0] ?? '';

// The tools of the service, and operations that move many items at once. Imports of files travel over REST: bytes are no GraphQL values.

import { batch } from '../../../../service/operations/batch/batch.js';
import { listExtensions, triggerFlow } from '../../../../service/operations/flows.js';
import * as utilities from '../../../../service/operations/utilities.js';
import { voidScalar } from '../../schema/types/scalars.js';
import type { OperationField } from '../operation-field.js';

export const utilityFields: readonly OperationField[] = [
  { operation: utilities.randomString, kind: 'mutation', field: 'utils_random_string' },
  { operation: utilities.generateHash, kind: 'mutation', field: 'utils_hash_generate' },
  { operation: utilities.verifyHash, kind: 'mutation', field: 'utils_hash_verify' },
  { operation: utilities.sortItems, kind: 'mutation', field: 'utils_sort' },
  { operation: utilities.revert, kind: 'mutation', field: 'utils_revert' },
  { operation: utilities.tryMail, kind: 'mutation', field: 'utils_mail_test' },
  { operation: utilities.clearCache, kind: 'mutation', field: 'utils_cache_clear', type: voidScalar },
  { operation: utilities.explainAccess, kind: 'query', field: 'utils_access_explain' },
  { operation: utilities.exportItems, kind: 'mutation', field: 'utils_export' },
  { operation: utilities.importCollections, kind: 'mutation', field: 'utils_import' },
  { operation: triggerFlow, kind: 'mutation', field: 'flows_trigger' },
  { operation: listExtensions, kind: 'query', field: 'extensions' },
  { operation: batch, kind: 'mutation', field: 'batch' },
];

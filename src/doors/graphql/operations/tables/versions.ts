// What versions have besides their items.

import { compareVersion, promoteVersion, saveVersion } from '../../../../service/operations/versions.js';
import { jsonScalar } from '../../schema/types/scalars.js';
import type { OperationField } from '../operation-field.js';

export const versionFields: readonly OperationField[] = [
  { operation: compareVersion, kind: 'query', field: 'versions_compare' },
  { operation: saveVersion, kind: 'mutation', field: 'versions_save' },
  { operation: promoteVersion, kind: 'mutation', field: 'versions_promote', type: jsonScalar },
];

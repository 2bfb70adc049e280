// Files from elsewhere, fetched by the service. Contents themselves travel over REST: bytes are no GraphQL values.

import { importFile } from '../../../../service/operations/files.js';
import type { OperationField } from '../operation-field.js';

export const fileFields: readonly OperationField[] = [
  { operation: importFile, kind: 'mutation', field: 'import_file', selects: { collection: 'service_files', list: false, written: true } },
];

// Where GraphQL offers the operations of the service.

import type { OperationField } from './operation-field.js';
import { accountFields } from './tables/accounts.js';
import { fileFields } from './tables/files.js';
import { ownFields } from './tables/own.js';
import { serverFields } from './tables/server.js';
import { structureFields } from './tables/structure.js';
import { utilityFields } from './tables/utilities.js';
import { versionFields } from './tables/versions.js';

export const graphqlTable: readonly OperationField[] = [
  ...serverFields,
  ...accountFields,
  ...ownFields,
  ...versionFields,
  ...utilityFields,
  ...structureFields,
  ...fileFields,
];

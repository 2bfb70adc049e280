// Where REST offers the operations of the service.

import { compareVersion, promoteVersion, saveVersion } from '../../../service/operations/versions.js';
import { accountRoutes, ownRoutes } from './accounts.js';
import { fileRoutes } from './files.js';
import type { RestRoute } from './rest-route.js';
import { serverRoutes } from './server.js';
import { structureRoutes } from './structure.js';
import { utilityRoutes } from './utilities.js';

/** What /versions has besides its items. */
const versionRoutes: readonly RestRoute[] = [
  { operation: saveVersion, method: 'POST', path: '/versions/{id}/save', body: 'data' },
  { operation: compareVersion, method: 'GET', path: '/versions/{id}/compare' },
  { operation: promoteVersion, method: 'POST', path: '/versions/{id}/promote' },
];

export const restTable: readonly RestRoute[] = [
  ...serverRoutes,
  ...accountRoutes,
  ...ownRoutes,
  ...versionRoutes,
  ...utilityRoutes,
  ...structureRoutes,
  ...fileRoutes,
];

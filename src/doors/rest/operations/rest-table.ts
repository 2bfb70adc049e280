// Where REST offers the operations of the service.

import { accountRoutes } from './accounts.js';
import { fileRoutes } from './files.js';
import { ownRoutes } from './own.js';
import type { RestRoute } from './rest-route.js';
import { serverRoutes } from './server.js';
import { structureRoutes } from './structure.js';
import { utilityRoutes } from './utilities.js';
import { versionRoutes } from './versions.js';

export const restTable: readonly RestRoute[] = [
  ...serverRoutes,
  ...accountRoutes,
  ...ownRoutes,
  ...versionRoutes,
  ...utilityRoutes,
  ...structureRoutes,
  ...fileRoutes,
];

// What /versions has besides its items.

import { compareVersion, promoteVersion, saveVersion } from '../../../service/operations/versions.js';
import type { RestRoute } from './rest-route.js';

export const versionRoutes: readonly RestRoute[] = [
  { operation: saveVersion, method: 'POST', path: '/versions/{id}/save', body: 'data' },
  { operation: compareVersion, method: 'GET', path: '/versions/{id}/compare' },
  { operation: promoteVersion, method: 'POST', path: '/versions/{id}/promote' },
];

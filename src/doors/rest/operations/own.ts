// What callers may know and do about themselves.

import {
  readMe,
  readMyGlobals,
  readMyPermissions,
  readMyPermissionsOnItem,
  readMyRoles,
  trackPage,
} from '../../../service/operations/own.js';
import type { RestRoute } from './rest-route.js';

export const ownRoutes: readonly RestRoute[] = [
  { operation: readMe, method: 'GET', path: '/users/me' },
  { operation: trackPage, method: 'PATCH', path: '/users/me/track/page' },
  { operation: readMyRoles, method: 'GET', path: '/roles/me' },
  { operation: readMyGlobals, method: 'GET', path: '/policies/me/globals' },
  { operation: readMyPermissions, method: 'GET', path: '/permissions/me' },
  {
    operation: readMyPermissionsOnItem,
    method: 'GET',
    path: '/permissions/me/{collection}',
    fixed: { id: null },
    described: { id: 'readMyPermissionsOn', summary: 'What one may do with a collection' },
  },
  { operation: readMyPermissionsOnItem, method: 'GET', path: '/permissions/me/{collection}/{id}' },
];

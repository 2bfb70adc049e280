// What callers may know and do about themselves.

import { GraphQLScalarType } from 'graphql';
import {
  readMe,
  readMyGlobals,
  readMyPermissions,
  readMyPermissionsOnItem,
  readMyRoles,
  trackPage,
} from '../../../../service/operations/own.js';
import type { OperationField } from '../operation-field.js';

const permissions = new GraphQLScalarType({
  name: 'permissions_me_type',
  description: 'Per collection and action: none, some items, or all of them, and which fields.',
});

export const ownFields: readonly OperationField[] = [
  { operation: readMe, kind: 'query', field: 'users_me', selects: { collection: 'service_users', list: false } },
  { operation: readMyRoles, kind: 'query', field: 'roles_me', selects: { collection: 'service_roles', list: true } },
  { operation: readMyGlobals, kind: 'query', field: 'policies_me_globals' },
  { operation: readMyPermissions, kind: 'query', field: 'permissions_me', type: permissions },
  { operation: readMyPermissionsOnItem, kind: 'query', field: 'permissions_me_item' },
  { operation: trackPage, kind: 'mutation', field: 'users_me_track_page' },
];

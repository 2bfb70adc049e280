// Which policies a role or a user has. A row without both ties a policy to the public.

import { define, integer, listedAs, pointsAt, uuid, uuidKey } from './define.js';

export const access = define('service_access', {
  note: 'Policies of roles, of users, and of the public',
  fields: [
    uuidKey(),
    uuid('role', { indexed: true }),
    uuid('user', { indexed: true }),
    uuid('policy', { nullable: false, indexed: true }),
    integer('sort'),
  ],
  relations: [
    pointsAt('role', 'service_roles', 'CASCADE', listedAs('policies', 'delete', 'policy')),
    pointsAt('user', 'service_users', 'CASCADE', listedAs('policies', 'delete', 'policy')),
    pointsAt('policy', 'service_policies', 'CASCADE', listedAs('users', 'delete', 'user'), listedAs('roles', 'delete', 'role')),
  ],
});

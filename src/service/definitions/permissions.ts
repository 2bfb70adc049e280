// Policies, what they allow, and the roles and users they belong to.

import {
  boolean,
  collectionName,
  counterKey,
  csv,
  define,
  integer,
  json,
  listedAs,
  pointsAt,
  string,
  text,
  uuid,
  uuidKey,
} from './define.js';

/** Named sets of permissions. */
export const policies = define('service_policies', {
  note: 'Named sets of permissions',
  kept: 'configuration',
  fields: [
    uuidKey(),
    string('name', 100, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'badge' }),
    text('description'),
    csv('ip_access'),
    boolean('enforce_tfa', false),
    boolean('admin_access', false),
    boolean('app_access', false),
  ],
});

/** What a policy allows: an action on a collection, with an item rule, a field list, presets and a validation rule. */
export const permissions = define('service_permissions', {
  note: 'What policies allow',
  kept: 'configuration',
  fields: [
    counterKey(),
    collectionName('collection', { nullable: false }),
    string('action', 10, { nullable: false }),
    json('permissions'),
    json('validation'),
    json('presets'),
    csv('fields'),
    uuid('policy', { nullable: false, indexed: true }),
  ],
  relations: [pointsAt('policy', 'service_policies', 'CASCADE', listedAs('permissions', 'delete'))],
});

/** Links a policy to a role or to a user. A row with neither links it to the public. */
export const access = define('service_access', {
  note: 'Policies of roles, of users, and of the public',
  kept: 'configuration',
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

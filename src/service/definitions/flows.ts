// Flows and their operations.

import { dateCreated, define, integer, json, listedAs, pointsAt, string, text, userCreated, uuid, uuidKey } from './define.js';

/** What starts a chain of operations, and the first operation. */
export const flows = define('service_flows', {
  note: 'Flows of operations',
  kept: 'configuration',
  fields: [
    uuidKey(),
    string('name', 255, { nullable: false }),
    string('icon', 64),
    string('color'),
    text('description'),
    string('status', 255, { nullable: false, default: 'active' }),
    string('trigger'),
    string('accountability', 255, { default: 'all' }),
    json('options', { names: true }),
    uuid('operation', { indexed: true }),
    dateCreated(),
    userCreated(),
  ],
  // A flow and its first operation name each other, so one of them is stored before the other.
  relations: [pointsAt('operation', 'service_operations', null), pointsAt('user_created', 'service_users', 'SET NULL')],
});

export const operations = define('service_operations', {
  note: 'Operations of flows',
  kept: 'configuration',
  fields: [
    uuidKey(),
    string('name'),
    string('key', 255, { nullable: false }),
    string('type', 255, { nullable: false }),
    integer('position_x', { nullable: false }),
    integer('position_y', { nullable: false }),
    json('options', { names: true }),
    uuid('resolve', { indexed: true }),
    uuid('reject', { indexed: true }),
    uuid('flow', { nullable: false, indexed: true }),
    dateCreated(),
    userCreated(),
  ],
  relations: [
    pointsAt('resolve', 'service_operations', 'SET NULL'),
    pointsAt('reject', 'service_operations', 'SET NULL'),
    pointsAt('flow', 'service_flows', 'CASCADE', listedAs('operations', 'delete')),
    pointsAt('user_created', 'service_users', 'SET NULL'),
  ],
});

// Operations: the links of a flow's chain.

import { dateCreated, define, integer, json, listedAs, pointsAt, string, userCreated, uuid, uuidKey } from './define.js';

export const operations = define('service_operations', {
  note: 'Operations of flows',
  fields: [
    uuidKey(),
    string('name'),
    string('key', 255, { nullable: false }),
    string('type', 255, { nullable: false }),
    integer('position_x', { nullable: false }),
    integer('position_y', { nullable: false }),
    json('options'),
    uuid('resolve', { unique: true }),
    uuid('reject', { unique: true }),
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

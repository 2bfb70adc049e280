// Flows: what starts a chain of operations, and its first one.

import { dateCreated, define, json, pointsAt, string, text, userCreated, uuid, uuidKey } from './define.js';

export const flows = define('service_flows', {
  note: 'Flows of operations',
  fields: [
    uuidKey(),
    string('name', 255, { nullable: false }),
    string('icon', 64),
    string('color'),
    text('description'),
    string('status', 255, { nullable: false, default: 'active' }),
    string('trigger'),
    string('accountability', 255, { default: 'all' }),
    json('options'),
    uuid('operation', { unique: true }),
    dateCreated(),
    userCreated(),
  ],
  relations: [pointsAt('operation', 'service_operations', 'SET NULL'), pointsAt('user_created', 'service_users', 'SET NULL')],
});

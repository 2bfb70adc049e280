// Shares: one item opened to whoever holds the link.

import { collectionName, dateCreated, define, hash, integer, pointsAt, string, timestamp, userCreated, uuid, uuidKey } from './define.js';

export const shares = define('service_shares', {
  note: 'Items opened to whoever holds the link',
  fields: [
    uuidKey(),
    string('name'),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false }),
    uuid('role'),
    hash('password'),
    userCreated(),
    dateCreated(),
    timestamp('date_start'),
    timestamp('date_end'),
    integer('times_used', { default: 0 }),
    integer('max_uses'),
  ],
  relations: [pointsAt('role', 'service_roles', 'CASCADE'), pointsAt('user_created', 'service_users', 'SET NULL')],
});

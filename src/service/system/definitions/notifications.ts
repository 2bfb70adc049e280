// Messages to users.

import { clock, collectionName, counterKey, define, pointsAt, string, text, uuid } from './define.js';

export const notifications = define('service_notifications', {
  note: 'Messages to users',
  accountability: null,
  fields: [
    counterKey(),
    clock('timestamp', { special: ['date-created'] }),
    string('status', 255, { default: 'inbox' }),
    uuid('recipient', { nullable: false, indexed: true }),
    uuid('sender', { special: ['user-created'] }),
    string('subject', 255, { nullable: false }),
    text('message'),
    collectionName('collection'),
    string('item'),
  ],
  relations: [pointsAt('recipient', 'service_users', 'CASCADE'), pointsAt('sender', 'service_users', 'SET NULL')],
});

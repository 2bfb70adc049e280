// Sessions: one row per refresh or session token, which is kept as a hash. The tokens that followed one another from one login are a
// family; a rotated token names its successor, so that its reuse can be told from a late arrival.

import { clock, define, pointsAt, string, text, timestamp, uuid } from './define.js';

export const sessions = define('service_sessions', {
  note: 'Sessions of users and shares',
  internal: true,
  accountability: null,
  primaryKey: ['token'],
  fields: [
    string('token', 64, { nullable: false }),
    string('family', 64, { nullable: false, indexed: true }),
    uuid('user', { indexed: true }),
    uuid('share', { indexed: true }),
    clock('created', { nullable: false }),
    timestamp('expires', { nullable: false, indexed: true }),
    timestamp('rotated_at'),
    string('next_token', 64),
    string('ip'),
    text('user_agent'),
    string('origin'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE'), pointsAt('share', 'service_shares', 'CASCADE')],
});

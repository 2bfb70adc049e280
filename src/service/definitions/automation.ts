// Runs of flows and of extensions that nobody waits for.

import { clock, define, integer, json, pointsAt, string, timestamp, uuid, uuidKey } from './define.js';

/**
 * Stored in the transaction of what they follow from, so that neither exists without the other. Neither the flow nor the user has a foreign key:
 * a write must not fail because a flow is deleted meanwhile, and the record of a run survives both.
 */
export const runs = define('service_runs', {
  note: 'Runs of flows and extensions that follow writes and time tables',
  kept: 'moment',
  accountability: null,
  fields: [
    uuidKey(),
    // The nil UUID for a run of an extension: revisions that know no other runs demand one.
    uuid('flow', { nullable: false, indexed: true }),
    string('extension', 40),
    // waiting, running, ok, failed, dead (given up), refused (its caller or its flow is gone), loop (it would start itself again and again).
    string('status', 16, { nullable: false, default: 'waiting' }),
    // When somebody has to look at it: to begin, to try again, or because whoever ran it is gone. Null: it has ended.
    timestamp('due', { indexed: true }),
    // The time of a time table: of all instances one may store it.
    string('slot', 40),
    integer('attempt', { nullable: false, default: 0 }),
    uuid('user'),
    string('ip', 50),
    // The access key with whose rights it works.
    uuid('access_key', { hidden: true }),
    json('origin', { hidden: true }),
    json('trigger'),
    json('steps'),
    json('error'),
    clock('created', { nullable: false }),
    timestamp('started'),
    timestamp('ended', { indexed: true }),
  ],
  relations: [pointsAt('flow', 'service_flows', null), pointsAt('user', 'service_users', null)],
  uniques: [['flow', 'slot']],
});

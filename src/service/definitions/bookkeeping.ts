// Internal tables of the service, which are no collections of the schema.

import { bigInteger, clock, define, integer, string, text } from './define.js';

/** Migrations that were run on this database. */
export const migrations = define('service_migrations', {
  note: 'Migrations this database has seen',
  internal: true,
  accountability: null,
  primaryKey: ['version'],
  fields: [string('version', 255, { nullable: false }), string('name', 255, { nullable: false }), clock('timestamp')],
});

/** The entry that marks the first start as done, so that a deleted administrator is not created again. */
export const firstStart = 'first-start';

/** Counters that tell every process what another process changed: `schema`, `policy` and `session`. */
export const epoch = define('service_epoch', {
  note: 'Counters that grow with every change of the schema and of the policies',
  internal: true,
  accountability: null,
  primaryKey: ['name'],
  fields: [string('name', 64, { nullable: false }), bigInteger('value', { nullable: false, default: 0 })],
});

/** Secrets that the service generated, such as the key that signs tokens when none is configured. */
export const secrets = define('service_secrets', {
  note: 'Secrets the service made for itself',
  internal: true,
  accountability: null,
  primaryKey: ['name'],
  fields: [string('name', 64, { nullable: false }), text('value', { nullable: false })],
});

/** Answers to writes with an idempotency key; a repeated request gets the stored answer. */
export const idempotency = define('service_idempotency', {
  note: 'First answers of writes with an idempotency key',
  kept: 'moment',
  internal: true,
  accountability: null,
  primaryKey: ['key', 'caller'],
  fields: [
    string('key', 255, { nullable: false }),
    string('caller', 64, { nullable: false }),
    string('fingerprint', 64, { nullable: false }),
    integer('status'),
    text('body'),
    clock('created', { nullable: false, indexed: true }),
  ],
});

/** The ids by which the tool directus-sync knows rows of system collections again in other databases. */
export const syncIds = define('service_sync_ids', {
  note: 'Ids that a tool has given to rows, to know them again in other databases',
  internal: true,
  accountability: null,
  primaryKey: ['table', 'sync_id'],
  uniques: [['table', 'local_id']],
  fields: [
    string('table', 64, { nullable: false }),
    string('sync_id', 255, { nullable: false }),
    string('local_id', 255, { nullable: false }),
    clock('created_at', { nullable: false }),
  ],
});

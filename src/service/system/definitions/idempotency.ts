// Answers kept for writes that carry an idempotency key, so that a repetition gets the first answer again.

import { clock, define, integer, string, text } from './define.js';

export const idempotency = define('service_idempotency', {
  note: 'First answers of writes with an idempotency key',
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

// Secrets the service made for itself, such as the key it signs tokens with when none is configured.

import { define, string, text } from './define.js';

export const secrets = define('service_secrets', {
  note: 'Secrets the service made for itself',
  internal: true,
  accountability: null,
  primaryKey: ['name'],
  fields: [string('name', 64, { nullable: false }), text('value', { nullable: false })],
});

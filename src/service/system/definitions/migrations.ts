// Which migrations this database has seen.

import { clock, define, string } from './define.js';

export const migrations = define('service_migrations', {
  note: 'Migrations this database has seen',
  internal: true,
  accountability: null,
  primaryKey: ['version'],
  fields: [string('version', 255, { nullable: false }), string('name', 255, { nullable: false }), clock('timestamp')],
});

// Counters by which every process notices what another one changed: `schema` and `policy`.

import { bigInteger, define, string } from './define.js';

export const epoch = define('service_epoch', {
  note: 'Counters that grow with every change of the schema and of the policies',
  internal: true,
  accountability: null,
  primaryKey: ['name'],
  fields: [string('name', 64, { nullable: false }), bigInteger('value', { nullable: false, default: 0 })],
});

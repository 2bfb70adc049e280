// Roles of users. A role has the policies of its parents too.

import { define, listedAs, pointsAt, string, text, uuid, uuidKey } from './define.js';

export const roles = define('service_roles', {
  note: 'Roles of users',
  fields: [
    uuidKey(),
    string('name', 100, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'supervised_user_circle' }),
    text('description'),
    uuid('parent'),
  ],
  relations: [pointsAt('parent', 'service_roles', 'SET NULL', listedAs('children'))],
});

// Dashboards: named sets of panels.

import { dateCreated, define, pointsAt, string, text, userCreated, uuidKey } from './define.js';

export const dashboards = define('service_dashboards', {
  note: 'Dashboards of panels',
  fields: [
    uuidKey(),
    string('name', 255, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'dashboard' }),
    text('note'),
    dateCreated(),
    userCreated(),
    string('color'),
  ],
  relations: [pointsAt('user_created', 'service_users', 'SET NULL')],
});

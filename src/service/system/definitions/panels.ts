// Panels of a dashboard.

import { boolean, dateCreated, define, integer, json, listedAs, pointsAt, string, text, userCreated, uuid, uuidKey } from './define.js';

export const panels = define('service_panels', {
  note: 'Panels of dashboards',
  fields: [
    uuidKey(),
    uuid('dashboard', { nullable: false, indexed: true }),
    string('name'),
    string('icon', 64),
    string('color', 10),
    boolean('show_header', false),
    text('note'),
    string('type', 255, { nullable: false }),
    integer('position_x', { nullable: false }),
    integer('position_y', { nullable: false }),
    integer('width', { nullable: false }),
    integer('height', { nullable: false }),
    json('options'),
    dateCreated(),
    userCreated(),
  ],
  relations: [
    pointsAt('dashboard', 'service_dashboards', 'CASCADE', listedAs('panels', 'delete')),
    pointsAt('user_created', 'service_users', 'SET NULL'),
  ],
});

// Policies: named sets of permissions.

import { boolean, csv, define, string, text, uuidKey } from './define.js';

export const policies = define('service_policies', {
  note: 'Named sets of permissions',
  fields: [
    uuidKey(),
    string('name', 100, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'badge' }),
    text('description'),
    csv('ip_access'),
    boolean('enforce_tfa', false),
    boolean('admin_access', false),
    boolean('app_access', false),
  ],
});

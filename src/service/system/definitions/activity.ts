// What was done, by whom. The user has no foreign key: what somebody did stays recorded when the account is gone. Every write pays for
// every index: what somebody did lately is found by its time, and the collection next to the item adds little to the key alone.

import { clock, collectionName, counterKey, define, pointsAt, string, text, uuid } from './define.js';

export const activity = define('service_activity', {
  note: 'What was done, when and by whom',
  accountability: null,
  fields: [
    counterKey(),
    string('action', 45, { nullable: false }),
    uuid('user'),
    clock('timestamp', { nullable: false, indexed: true, special: ['date-created'] }),
    string('ip', 50),
    text('user_agent'),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false, indexed: true }),
    string('origin'),
  ],
  relations: [pointsAt('user', 'service_users', null)],
});

// What people say about an item.

import { collectionName, dateCreated, dateUpdated, define, pointsAt, string, text, userCreated, userUpdated, uuidKey } from './define.js';

export const comments = define('service_comments', {
  note: 'Comments on items',
  fields: [
    uuidKey(),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false }),
    text('comment', { nullable: false }),
    dateCreated(),
    dateUpdated(),
    userCreated(),
    userUpdated(),
  ],
  relations: [pointsAt('user_created', 'service_users', 'SET NULL'), pointsAt('user_updated', 'service_users', 'SET NULL')],
  indexes: [['collection', 'item']],
});

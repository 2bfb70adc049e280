// Versions: changes of an item kept aside until they are promoted.

import { collectionName, dateCreated, dateUpdated, define, json, pointsAt, string, userCreated, userUpdated, uuidKey } from './define.js';

export const versions = define('service_versions', {
  note: 'Changes of items kept aside until they are promoted',
  fields: [
    uuidKey(),
    string('key', 64, { nullable: false }),
    string('name'),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false }),
    string('hash'),
    dateCreated(),
    dateUpdated(),
    userCreated(),
    userUpdated(),
    json('delta'),
  ],
  relations: [pointsAt('user_created', 'service_users', 'SET NULL'), pointsAt('user_updated', 'service_users', 'SET NULL')],
  uniques: [['collection', 'item', 'key']],
});

// What happened to items: activity, revisions, versions and comments.

import {
  clock,
  collectionName,
  counterKey,
  dateCreated,
  dateUpdated,
  define,
  integer,
  json,
  listedAs,
  pointsAt,
  string,
  text,
  userCreated,
  userUpdated,
  uuid,
  uuidKey,
} from './define.js';

/**
 * Who did what. `user` has no foreign key, so that the record survives the account. Every write pays for every index: recent activity of a
 * user is found through `timestamp`, and `collection` in addition to `item` would make that index hardly more selective.
 */
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
    // The access key of the request, which may be gone. Tables of another server do not have these columns.
    uuid('access_key'),
    string('access_key_name', 100),
  ],
  relations: [pointsAt('user', 'service_users', null)],
});

/**
 * Items as they were after each change. Only the service writes and deletes revisions, each together with its activity, so foreign keys
 * would cost a lookup per row and protect nothing. Revisions of a version are found by `item`.
 */
export const revisions = define('service_revisions', {
  note: 'Items as they were after each change',
  accountability: null,
  fields: [
    // Always set, to the key of the activity. A counter is the rowid in SQLite and needs no index.
    counterKey(),
    integer('activity', { nullable: false, indexed: true }),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false, indexed: true }),
    json('data'),
    json('delta'),
    // What an update replaced: the values of its fields before it. Tables of another server do not have the column.
    json('previous'),
    integer('parent'),
    uuid('version'),
  ],
  relations: [
    pointsAt('activity', 'service_activity', null, listedAs('revisions', 'delete')),
    pointsAt('parent', 'service_revisions', null),
    pointsAt('version', 'service_versions', null),
  ],
});

/** Changes of an item, stored until they are promoted. */
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
    // The user who saved each field of the delta; a promotion writes the field with that user's rights.
    json('authors', { hidden: true }),
    // A keyed digest of each field of the item when the delta was started.
    json('base', { hidden: true }),
  ],
  relations: [pointsAt('user_created', 'service_users', 'SET NULL'), pointsAt('user_updated', 'service_users', 'SET NULL')],
  about: { collection: 'collection', item: 'item' },
  uniques: [['collection', 'item', 'key']],
});

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
  demanded: ['collection', 'item', 'comment'],
  about: { collection: 'collection', item: 'item' },
  indexes: [['collection', 'item']],
});

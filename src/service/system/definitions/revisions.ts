// What an item looked like after each change. Only the service writes revisions and forgets them, each with its activity: foreign keys would
// be looked up for every row to no purpose. Those of a version are found by its item.

import { collectionName, counterKey, define, integer, json, listedAs, pointsAt, string, uuid } from './define.js';

export const revisions = define('service_revisions', {
  note: 'Items as they were after each change',
  accountability: null,
  fields: [
    // Always given: the number of its activity. As a counter it is the row's own number where the database has such, and needs no index.
    counterKey(),
    integer('activity', { nullable: false, indexed: true }),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false, indexed: true }),
    json('data'),
    json('delta'),
    integer('parent'),
    uuid('version'),
  ],
  relations: [
    pointsAt('activity', 'service_activity', null, listedAs('revisions', 'delete')),
    pointsAt('parent', 'service_revisions', null),
    pointsAt('version', 'service_versions', null),
  ],
});

// What an item looked like after each change.

import { collectionName, define, integer, json, listedAs, pointsAt, string, uuid } from './define.js';

export const revisions = define('service_revisions', {
  note: 'Items as they were after each change',
  accountability: null,
  fields: [
    // The number of its activity.
    integer('id', { nullable: false }),
    integer('activity', { nullable: false, indexed: true }),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false }),
    json('data'),
    json('delta'),
    integer('parent', { indexed: true }),
    uuid('version', { indexed: true }),
  ],
  relations: [
    pointsAt('activity', 'service_activity', 'CASCADE', listedAs('revisions', 'delete')),
    pointsAt('parent', 'service_revisions', 'SET NULL'),
    pointsAt('version', 'service_versions', 'CASCADE'),
  ],
  indexes: [['collection', 'item']],
});

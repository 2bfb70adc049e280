// What a policy allows: an action on a collection, with its item rule, field list, presets and validation.

import { collectionName, counterKey, csv, define, json, listedAs, pointsAt, string, uuid } from './define.js';

export const permissions = define('service_permissions', {
  note: 'What policies allow',
  fields: [
    counterKey(),
    collectionName('collection', { nullable: false }),
    string('action', 10, { nullable: false }),
    json('permissions'),
    json('validation'),
    json('presets'),
    csv('fields'),
    uuid('policy', { nullable: false, indexed: true }),
  ],
  relations: [pointsAt('policy', 'service_policies', 'CASCADE', listedAs('permissions', 'delete'))],
});

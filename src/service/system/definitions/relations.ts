// Metadata of relations: one row per many side that has any.

import { collectionName, counterKey, csv, define, string } from './define.js';

export const relations = define('service_relations', {
  note: 'Metadata of relations',
  fields: [
    counterKey(),
    collectionName('many_collection', { nullable: false }),
    string('many_field', 64, { nullable: false }),
    collectionName('one_collection'),
    string('one_field', 64),
    string('one_collection_field', 64),
    csv('one_allowed_collections'),
    string('junction_field', 64),
    string('sort_field', 64),
    string('one_deselect_action', 255, { nullable: false, default: 'nullify' }),
  ],
  uniques: [['many_collection', 'many_field']],
});

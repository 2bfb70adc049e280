// Metadata of collections, fields and relations, and the journal of an interrupted change of structure.

import { boolean, collectionName, counterKey, csv, define, integer, json, string, text } from './define.js';

/** One row per collection that has metadata. */
export const collections = define('service_collections', {
  note: 'Metadata of collections and folders',
  primaryKey: ['collection'],
  fields: [
    collectionName('collection', { nullable: false }),
    string('icon', 64),
    text('note'),
    string('display_template'),
    boolean('hidden', false),
    boolean('singleton', false),
    json('translations'),
    string('archive_field', 64),
    boolean('archive_app_filter', true),
    string('archive_value'),
    string('unarchive_value'),
    string('sort_field', 64),
    string('accountability', 255, { default: 'all' }),
    string('color'),
    json('item_duplication_fields'),
    integer('sort'),
    collectionName('group'),
    string('collapse', 255, { nullable: false, default: 'open' }),
    string('preview_url'),
    boolean('versioning', false),
  ],
});

/** One row per field that has metadata (specification 2.3). A row without a column is an alias field. */
export const fields = define('service_fields', {
  note: 'Metadata of fields',
  fields: [
    counterKey(),
    collectionName('collection', { nullable: false }),
    string('field', 64, { nullable: false }),
    csv('special'),
    string('interface', 64),
    json('options'),
    string('display', 64),
    json('display_options'),
    boolean('readonly', false),
    boolean('hidden', false),
    integer('sort'),
    string('width', 30, { default: 'full' }),
    json('translations'),
    text('note'),
    json('conditions'),
    boolean('required', false, { nullable: true }),
    string('group', 64),
    json('validation'),
    text('validation_message'),
    boolean('searchable', true),
    text('column_comment', { hidden: true }),
  ],
  uniques: [['collection', 'field']],
});

/** One row per many side that has metadata. */
export const relations = define('service_relations', {
  note: 'Metadata of relations',
  fields: [
    counterKey(),
    collectionName('many_collection', { nullable: false }),
    string('many_field', 64, { nullable: false }),
    collectionName('one_collection'),
    string('one_field', 64),
    string('one_collection_field', 64),
    csv('one_allowed_collections', { names: true }),
    string('junction_field', 64),
    string('sort_field', 64),
    string('one_deselect_action', 255, { nullable: false, default: 'nullify' }),
  ],
  uniques: [['many_collection', 'many_field']],
});

/** On databases where each DDL statement commits by itself: the steps of a running change, with how to undo and how to finish each. */
export const unfinished = define('service_unfinished', {
  note: 'Steps of a change of structure that is not finished',
  internal: true,
  accountability: null,
  primaryKey: ['step'],
  fields: [integer('step', { nullable: false }), text('undo'), text('finish')],
});

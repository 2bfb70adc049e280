// Metadata of collections: one row for each that has any.

import { boolean, collectionName, define, integer, json, string, text } from './define.js';

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

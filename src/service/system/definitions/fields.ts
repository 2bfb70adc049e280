// Metadata of fields (specification 2.3): one row for each that has any. A row without a column is an alias field.

import { boolean, collectionName, counterKey, csv, define, integer, json, string, text } from './define.js';

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

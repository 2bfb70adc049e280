// Files and their folders.

import {
  bigInteger,
  changedAt,
  createdAt,
  csv,
  define,
  integer,
  json,
  pointsAt,
  string,
  text,
  timestamp,
  uuid,
  uuidKey,
} from './define.js';

/** What the service knows about each file; the content is in a storage. */
export const files = define('service_files', {
  note: 'Files and what is known of them',
  demanded: ['type'],
  fields: [
    uuidKey(),
    string('storage', 255, { nullable: false }),
    string('filename_disk'),
    string('filename_download', 255, { nullable: false }),
    string('title'),
    string('type'),
    uuid('folder', { indexed: true }),
    uuid('uploaded_by', { special: ['user-created'] }),
    createdAt('created_on', { nullable: false }),
    uuid('modified_by', { special: ['user-created', 'user-updated'] }),
    changedAt('modified_on', { nullable: false }),
    string('charset', 50),
    bigInteger('filesize'),
    integer('width'),
    integer('height'),
    integer('duration'),
    string('embed', 200),
    text('description'),
    text('location'),
    csv('tags'),
    json('metadata'),
    integer('focal_point_x'),
    integer('focal_point_y'),
    string('tus_id', 64),
    json('tus_data'),
    timestamp('uploaded_on'),
  ],
  relations: [
    pointsAt('folder', 'service_folders', 'SET NULL'),
    pointsAt('uploaded_by', 'service_users', 'SET NULL'),
    pointsAt('modified_by', 'service_users', 'SET NULL'),
  ],
});

export const folders = define('service_folders', {
  note: 'Folders of files',
  fields: [uuidKey(), string('name', 255, { nullable: false }), uuid('parent')],
  relations: [pointsAt('parent', 'service_folders', 'SET NULL')],
});

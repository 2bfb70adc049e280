// Folders of files.

import { define, pointsAt, string, uuid, uuidKey } from './define.js';

export const folders = define('service_folders', {
  note: 'Folders of files',
  fields: [uuidKey(), string('name', 255, { nullable: false }), uuid('parent')],
  relations: [pointsAt('parent', 'service_folders', 'SET NULL')],
});

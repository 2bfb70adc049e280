// Texts of the admin application in several languages.

import { define, string, text, uuidKey } from './define.js';

export const translations = define('service_translations', {
  note: 'Texts in several languages',
  fields: [
    uuidKey(),
    string('language', 255, { nullable: false }),
    string('key', 255, { nullable: false }),
    text('value', { nullable: false }),
  ],
  uniques: [['language', 'key']],
});

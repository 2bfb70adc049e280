// What is known of the tables that Directus 11 and 12 make: the names differ from ours by their prefix only, most columns are the same.

import type { RawDatabase } from '../../../core/schema/raw.js';
import type { Adoption } from '../../../core/schema/system-home.js';
import { define, string, text } from '../../definitions/define.js';

/** Values of the service for items of adopted tables that have no column for them: who saved a field of a version, the last one-time code. */
const beside = define('service_beside', {
  note: 'What the service stores for items of tables it did not make',
  internal: true,
  accountability: null,
  primaryKey: ['collection', 'item', 'field'],
  fields: [
    string('collection', 64, { nullable: false }),
    string('item', 255, { nullable: false }),
    string('field', 64, { nullable: false }),
    text('value', { nullable: false }),
  ],
});

export const directusPrefix = 'directus_';

/** Recognised by a column that version 12 added, because the log of migrations does not contain versions. */
export function directusVersion({ tables }: RawDatabase): 11 | 12 {
  const settings = tables.find((table) => table.schema === null && table.name === `${directusPrefix}settings`);
  return settings?.columns.some(({ name }) => name === 'license_key') === true ? 12 : 11;
}

export function directusOf(database: RawDatabase): Adoption {
  const version = directusVersion(database);
  return {
    version: version === 12 ? '12.3.1' : '11.17.4',
    // A list of words is a JSON text there.
    types: { service_files: { tags: 'json' } },
    beside,
    appFields: version === 12 ? {} : appFieldsOfEleven,
    marksVersions: version === 12,
  };
}

/** Version 12 shows app access the same fields of the settings as the service does; version 11 hides only secrets. */
const appFieldsOfEleven: Adoption['appFields'] = {
  service_settings: {
    more: [
      'auth_login_attempts',
      'auth_password_policy',
      'public_registration',
      'public_registration_verify_email',
      'public_registration_role',
      'public_registration_email_filter',
    ],
    fewer: [],
  },
  service_users: { more: [], fewer: ['theme_light_overrides', 'theme_dark_overrides'] },
};

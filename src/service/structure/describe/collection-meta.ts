// The `meta` object of a collection, a row of service_collections: which keys and values a payload may hold.

import { invalidPayload } from '../../../core/errors/service-error.js';
import type { MetaRow } from '../../../core/schema/meta-row.js';
import { askedOfMeta } from './described.js';
import { type Payload, refuseUnknown, withoutSame } from './payload.js';
import { boolean, list, number, oneOf, parseValues, text, textList, type ValueRule } from './value-rules.js';

const rules: Readonly<Record<string, ValueRule>> = {
  icon: text(64),
  note: text(null),
  display_template: text(255),
  hidden: boolean,
  singleton: boolean,
  translations: list,
  archive_field: text(64),
  archive_app_filter: boolean,
  archive_value: text(255),
  unarchive_value: text(255),
  sort_field: text(64),
  accountability: oneOf(['all', 'activity']),
  color: text(255),
  item_duplication_fields: textList,
  sort: number,
  group: text(130),
  collapse: (value) => value !== null && oneOf(['open', 'closed', 'locked'])(value),
  preview_url: text(255),
  versioning: boolean,
};

/** The columns to write: the keys of `payload` that differ from `present`, checked. */
export function parseCollectionMeta(payload: Payload, present: Payload): MetaRow {
  const asked = withoutSame(askedOfMeta(payload), present);
  refuseUnknown(asked, ['collection', ...Object.keys(rules)], 'meta');
  if (Object.hasOwn(asked, 'collection')) throw invalidPayload('meta.collection cannot be chosen or changed.');
  return parseValues(asked, rules, 'meta');
}

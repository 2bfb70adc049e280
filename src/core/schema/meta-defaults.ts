// The metadata of a collection and of a field for which nothing was chosen: what a new row holds, and what system collections have.

import type { MetaRow } from './meta-row.js';

export const collectionMetaDefaults: MetaRow = {
  icon: null,
  note: null,
  display_template: null,
  hidden: false,
  singleton: false,
  translations: null,
  archive_field: null,
  archive_app_filter: true,
  archive_value: null,
  unarchive_value: null,
  sort_field: null,
  accountability: 'all',
  color: null,
  item_duplication_fields: null,
  sort: null,
  group: null,
  collapse: 'open',
  preview_url: null,
  versioning: false,
};

export const fieldMetaDefaults: MetaRow = {
  special: null,
  interface: null,
  options: null,
  display: null,
  display_options: null,
  readonly: false,
  required: false,
  hidden: false,
  sort: null,
  width: 'full',
  translations: null,
  note: null,
  conditions: null,
  group: null,
  validation: null,
  validation_message: null,
  searchable: true,
};

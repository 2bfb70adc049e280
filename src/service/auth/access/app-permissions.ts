// The permissions that app access adds, in the form of stored ones: enough to run an application on the caller's own account and on what
// the caller may see. Policies, links and permissions are not included; `/permissions/me` and `/policies/me/globals` answer their effect.

import type { Action } from '../../../core/access/permission.js';
import type { Adoption, SystemHome } from '../../../core/schema/system-home.js';
import type { PermissionRow } from './access-rows.js';

interface Details {
  readonly fields?: readonly string[];
  readonly permissions?: Readonly<Record<string, unknown>>;
  readonly validation?: Readonly<Record<string, unknown>>;
  readonly presets?: Readonly<Record<string, unknown>>;
}

const allow = (collection: string, action: Action, details: Details = {}): PermissionRow => ({
  collection,
  action,
  fields: ['*'],
  permissions: {},
  validation: null,
  presets: null,
  ...details,
});

const me = { _eq: '$CURRENT_USER' };
const mine = { user: me };
const madeByMe = { user_created: me };

/** The fields of the own account that its user may read; the static token is not one of them. */
const ownAccount = [
  'id',
  'status',
  'role',
  'policies',
  'tfa_secret',
  'last_access',
  'first_name',
  'last_name',
  'email',
  'password',
  'location',
  'title',
  'description',
  'tags',
  'avatar',
  'language',
  'appearance',
  'theme_light',
  'theme_dark',
  'theme_light_overrides',
  'theme_dark_overrides',
  'text_direction',
  'email_notifications',
  'last_page',
];

const publicSettings = [
  'id',
  'project_name',
  'project_descriptor',
  'project_url',
  'project_color',
  'project_logo',
  'project_id',
  'public_foreground',
  'public_background',
  'public_favicon',
  'public_note',
  'default_language',
  'default_appearance',
  'default_theme_light',
  'default_theme_dark',
  'theme_light_overrides',
  'theme_dark_overrides',
  'storage_asset_transform',
  'storage_asset_presets',
  'storage_default_folder',
  'custom_css',
  'basemaps',
  'module_bar',
  'custom_aspect_ratios',
  'report_error_url',
  'report_bug_url',
  'report_feature_url',
  'visual_editor_urls',
];

/** Presets of the user, of the user's role (not of its parents) and of all users. */
const presetsOfMyRole = { _or: [mine, { _and: [{ user: { _null: true } }, { role: { _eq: '$CURRENT_ROLE' } }] }, presetsOfAll()] };

function presetsOfAll(): Readonly<Record<string, unknown>> {
  return { _and: [{ user: { _null: true } }, { role: { _null: true } }] };
}

export const appPermissions: readonly PermissionRow[] = [
  allow('service_collections', 'read'),
  allow('service_fields', 'read'),
  allow('service_relations', 'read'),
  allow('service_translations', 'read'),
  allow('service_settings', 'read', { fields: publicSettings }),

  allow('service_users', 'read', { permissions: { id: me }, fields: ownAccount }),
  allow('service_roles', 'read', { permissions: { id: { _in: '$CURRENT_ROLES' } } }),

  allow('service_presets', 'read', { permissions: presetsOfMyRole }),
  allow('service_presets', 'create', { validation: mine, presets: { user: '$CURRENT_USER' } }),
  allow('service_presets', 'update', { permissions: mine, validation: mine }),
  allow('service_presets', 'delete', { permissions: mine }),

  allow('service_notifications', 'read', { permissions: { recipient: me } }),
  allow('service_notifications', 'update', { permissions: { recipient: me }, fields: ['status'] }),
  allow('service_notifications', 'delete', { permissions: { recipient: me } }),

  allow('service_comments', 'read', { permissions: madeByMe }),
  allow('service_comments', 'create', { fields: ['collection', 'item', 'comment'] }),
  allow('service_comments', 'update', { permissions: madeByMe, fields: ['comment'] }),
  allow('service_comments', 'delete', { permissions: madeByMe }),

  allow('service_activity', 'read', { permissions: mine }),
];

/** The same in the names of the database, with the fields that app access reads under the server whose tables it has. */
export const appPermissionsIn = ({ adopted, nameOf }: Pick<SystemHome, 'adopted' | 'nameOf'>): readonly PermissionRow[] =>
  appPermissions.map((row) => ({ ...row, collection: nameOf(row.collection), fields: fieldsIn(adopted, row) }));

function fieldsIn(adopted: Adoption | null, { collection, action, fields }: PermissionRow): PermissionRow['fields'] {
  const other = action === 'read' ? adopted?.appFields[collection] : undefined;
  return other === undefined ? fields : [...(fields ?? []), ...other.more].filter((name) => !other.fewer.includes(name));
}

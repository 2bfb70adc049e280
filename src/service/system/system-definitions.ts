// All system collections.

import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { access } from './definitions/access.js';
import { activity } from './definitions/activity.js';
import { collections } from './definitions/collections.js';
import { comments } from './definitions/comments.js';
import { dashboards } from './definitions/dashboards.js';
import { epoch } from './definitions/epoch.js';
import { fields } from './definitions/fields.js';
import { files } from './definitions/files.js';
import { flows } from './definitions/flows.js';
import { folders } from './definitions/folders.js';
import { idempotency } from './definitions/idempotency.js';
import { migrations } from './definitions/migrations.js';
import { notifications } from './definitions/notifications.js';
import { operations } from './definitions/operations.js';
import { panels } from './definitions/panels.js';
import { permissions } from './definitions/permissions.js';
import { policies } from './definitions/policies.js';
import { presets } from './definitions/presets.js';
import { relations } from './definitions/relations.js';
import { revisions } from './definitions/revisions.js';
import { roles } from './definitions/roles.js';
import { secrets } from './definitions/secrets.js';
import { sessions } from './definitions/sessions.js';
import { settings } from './definitions/settings.js';
import { shares } from './definitions/shares.js';
import { translations } from './definitions/translations.js';
import { unfinished } from './definitions/unfinished.js';
import { users } from './definitions/users.js';
import { versions } from './definitions/versions.js';

export const systemDefinitions: readonly SystemDefinition[] = [
  access,
  activity,
  collections,
  comments,
  dashboards,
  epoch,
  fields,
  files,
  flows,
  folders,
  idempotency,
  migrations,
  notifications,
  operations,
  panels,
  permissions,
  policies,
  presets,
  relations,
  revisions,
  roles,
  secrets,
  sessions,
  settings,
  shares,
  translations,
  unfinished,
  users,
  versions,
];

// All system collections and internal tables, in the order in which the schema lists them.

import type { SystemDefinition } from '../../core/schema/system-definition.js';
import { accessKeys, identities, passkeys, providers, roles, sessions, shares, spent, users } from './accounts.js';
import { dashboards, notifications, panels, presets, settings, translations } from './application.js';
import { runs } from './automation.js';
import { epoch, idempotency, migrations, secrets, syncIds } from './bookkeeping.js';
import { files, folders } from './files.js';
import { flows, operations } from './flows.js';
import { activity, comments, revisions, versions } from './history.js';
import { access, permissions, policies } from './permissions.js';
import { collections, fields, relations, unfinished } from './structure.js';

export const systemDefinitions: readonly SystemDefinition[] = [
  access,
  accessKeys,
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
  identities,
  migrations,
  notifications,
  operations,
  panels,
  passkeys,
  permissions,
  policies,
  presets,
  providers,
  relations,
  revisions,
  roles,
  runs,
  secrets,
  sessions,
  settings,
  shares,
  spent,
  syncIds,
  translations,
  unfinished,
  users,
  versions,
];

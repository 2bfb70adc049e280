// /server/info: the face of the project for everybody, the limits and the version for those who are logged in.

import type { Caller } from '../../core/access/view.js';
import type { MetaRow } from '../../core/schema/meta-row.js';

export interface ServerFacts {
  readonly version: string;
  readonly queryLimit: { readonly default: number; readonly max: number };
  /** Requests per second and caller; null: not limited. */
  readonly rateLimit: number | null;
  readonly uploadLimit: number;
}

/** Columns of the settings that strangers see. */
export const publicSettings = [
  'project_name',
  'project_descriptor',
  'project_logo',
  'project_color',
  'default_language',
  'default_appearance',
  'default_theme_light',
  'default_theme_dark',
  'theme_light_overrides',
  'theme_dark_overrides',
  'public_foreground',
  'public_background',
  'public_favicon',
  'public_note',
  'custom_css',
  'public_registration',
  'public_registration_verify_email',
] as const;

export function describeServer({ accountability }: Caller, settings: MetaRow, facts: ServerFacts): MetaRow {
  const project = Object.fromEntries(publicSettings.map((name) => [name, settings[name] ?? null]));
  const known = accountability.user !== null || accountability.admin;
  if (!known) return { project, setupCompleted: true };
  return {
    project,
    setupCompleted: true,
    version: facts.version,
    queryLimit: facts.queryLimit,
    rateLimit: facts.rateLimit === null ? false : { points: facts.rateLimit, duration: 1 },
    rateLimitGlobal: false,
    websocket: false,
    extensions: { limit: null },
    files: { mimeTypeAllowList: ['*/*'] },
    uploads: { maxFileSize: facts.uploadLimit },
  };
}

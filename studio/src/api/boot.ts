// Everything Studio has to know before its first screen, in one request: who is signed in, what they may do, and the structure they may see.

import { buildSchema, type RawCollection, type RawField, type RawRelation } from '../schema/build-schema.js';
import type { Schema } from '../schema/model.js';
import { onlyReading, type Permissions, schemaSeenBy } from '../schema/permissions.js';
import type { Preset } from '../schema/preset.js';
import { type Translate, type Translation, translator } from '../schema/translations.js';
import { ApiError, graphql, request, search } from './client.js';
import { serviceUrl } from './service-url.js';
import { setViewedAs, type ViewedAs, viewedAs } from './view-as.js';

interface Me {
  readonly id: string;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly language: string | null;
  readonly appearance: string | null;
}

interface Project {
  readonly project_name: string | null;
  readonly project_color: string | null;
  readonly default_language: string | null;
}

/** The structure, as in the answers. */
export interface Structure {
  readonly collections: readonly RawCollection[];
  readonly fields: readonly RawField[];
  readonly relations: readonly RawRelation[];
}

export interface Boot {
  readonly me: Me;
  readonly isAdmin: boolean;
  /** Set while an administrator sees as another person: `permissions` and `schema` are those of that person. */
  readonly seen: Seen | null;
  /** What the person is told when Studio is shown: why they no longer see as another. */
  readonly notice: string | null;
  readonly project: Project;
  readonly permissions: Permissions;
  readonly schema: Schema;
  /** Whether the service reports changes of others. False while seeing as another person: events would show what the administrator may see. */
  readonly isLive: boolean;
  /** The largest file the service takes, in bytes; null: not known. */
  readonly maxUploadSize: number | null;
  /** How many notifications wait for the person. */
  readonly unread: number;
  /** Saved views of lists. */
  readonly presets: readonly Preset[];
  /** What the person may start by hand. */
  readonly manualFlows: readonly ManualFlow[];
  /** The texts that the project keeps in several languages, in that of the person. */
  readonly translate: Translate;
}

/** A flow as whoever may start it is told of it. */
export interface ManualFlow {
  readonly id: string;
  readonly name: string;
  readonly color: string | null;
  readonly options: Readonly<Record<string, unknown>> & { readonly collections: readonly string[] };
}

/** The person with whose rights Studio reads, and the whole schema that the administrator sees. */
export interface Seen extends ViewedAs {
  readonly whole: Schema;
}

/** The structure, as `buildSchema` takes it. */
export const structureQuery = `
  collections { collection meta { icon note color hidden singleton sort group display_template archive_field archive_value unarchive_value sort_field versioning translations } schema { name read_only primary_key } }
  fields { collection field type
    meta { interface options display display_options width note group sort hidden readonly required special conditions validation validation_message translations }
    schema { is_nullable default_value default_is_expression max_length numeric_scale is_primary_key primary_key_position is_generated has_auto_increment choices } }
  relations { collection field related_collection meta { one_field junction_field sort_field one_collection_field one_allowed_collections } }
`;

const bootQuery = (mostTexts: number): string => `{
  users_me { id email first_name last_name language appearance }
  settings { project_name project_color default_language }
  permissions_me
  policies_me_globals { app_access admin_access }
  server_info { uploads websocket }
  notifications_aggregated(filter: { status: { _eq: "inbox" }, recipient: { id: { _eq: "$CURRENT_USER" } } }) { countAll }
  translations(limit: ${mostTexts}) { key language value }
  flows_manual { id name color options }
  presets(limit: -1) { id bookmark user { id } role { id } collection search layout layout_query layout_options filter }
${structureQuery}}`;

type RawPreset = Omit<Preset, 'user' | 'role'> & {
  readonly user: { readonly id: string } | null;
  readonly role: { readonly id: string } | null;
};

interface BootAnswer extends Structure {
  readonly users_me: Me | null;
  readonly settings: Project | null;
  readonly permissions_me: Permissions;
  readonly policies_me_globals: { readonly app_access: boolean; readonly admin_access: boolean };
  readonly server_info: { readonly uploads: { readonly maxFileSize?: number } | null; readonly websocket: unknown };
  readonly notifications_aggregated: readonly { readonly countAll: number }[];
  readonly flows_manual: readonly ManualFlow[];
  readonly presets: readonly RawPreset[];
  /** Null: they have not been read. */
  readonly translations: readonly Translation[] | null;
}

/**
 * Scripts cannot read the session cookie. This mark in the local storage says that there may be a session, so that the request for it is
 * not made in vain.
 */
const sessionMark = 'tain.session';

/** Thrown if the account has no rights until it has a second factor. */
export class SecondFactorMissing extends Error {}

/** null if nobody is signed in, or the account may not use Studio. */
export async function loadBoot(): Promise<Boot | null> {
  if (localStorage.getItem(sessionMark) === null) return null;
  try {
    const answer = await readBoot();
    if (answer.users_me === null || !answer.policies_me_globals.app_access) return await leave();
    const project = answer.settings ?? { project_name: null, project_color: null, default_language: null };
    const language = languageFor(answer.users_me, project);
    const translate = await translateInto([language, project.default_language], answer.translations);
    const schema = buildSchema(answer.collections, answer.fields, answer.relations, language, translate);
    const maxUploadSize = answer.server_info.uploads?.maxFileSize ?? null;
    const { admin_access: isAdmin } = answer.policies_me_globals;
    const boot: Boot = {
      me: answer.users_me,
      isAdmin,
      seen: null,
      notice: null,
      project,
      permissions: answer.permissions_me,
      schema,
      isLive: typeof answer.server_info.websocket === 'object' && answer.server_info.websocket !== null,
      maxUploadSize,
      unread: answer.notifications_aggregated[0]?.countAll ?? 0,
      presets: answer.presets.map(readPreset),
      manualFlows: answer.flows_manual,
      translate,
    };
    return isAdmin ? await withViewedAs(boot) : boot;
  } catch (error) {
    if (error instanceof ApiError && error.entries[0]?.extensions.reason === 'A second factor is required') throw new SecondFactorMissing();
    if (error instanceof ApiError && signedOut.has(error.code)) return leave();
    throw error;
  }
}

/** Of every project until it chooses one: it says nothing about the person. */
const untouchedLanguage = 'en-US';

/** What the person chose, else what the project chose, else the browser's. */
export function languageFor({ language }: Pick<Me, 'language'>, { default_language: own }: Pick<Project, 'default_language'>): string {
  return language ?? (own === untouchedLanguage ? null : own) ?? navigator.language;
}

/** Projects with more texts than these read those of the person's languages with a second request. */
const mostTexts = 500;

/** Reads again without translations if the service refuses a limit: only theirs may be above its largest page. */
const readBoot = (): Promise<BootAnswer> =>
  graphql<BootAnswer>(bootQuery(mostTexts)).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'INVALID_QUERY') throw error;
    return graphql<BootAnswer>(bootQuery(0)).then((answer) => ({ ...answer, translations: null }));
  });

async function translateInto(languages: readonly (string | null)[], read: BootAnswer['translations']): Promise<Translate> {
  if (read !== null && read.length < mostTexts) return translator(read, languages);
  const wanted = languages.filter((tag) => tag !== null).map((tag) => ({ language: { _istarts_with: tag.split('-')[0] } }));
  const query = { fields: ['key', 'language', 'value'], filter: { _or: wanted }, limit: -1 };
  return translator((await search<readonly Translation[]>('/translations', query)).data, languages);
}

/** The boot answer as the viewed person gets it; the administrator's own if that person can no longer be viewed. */
async function withViewedAs(boot: Boot): Promise<Boot> {
  const viewed = viewedAs();
  if (viewed === null) return boot;
  try {
    const { data: permissions } = await request<Permissions>('GET', '/permissions/me', { failFast: true });
    const seen = { ...viewed, whole: boot.schema };
    return {
      ...boot,
      seen,
      isLive: false,
      permissions: onlyReading(permissions),
      schema: schemaSeenBy(boot.schema, permissions),
      presets: [],
      manualFlows: [],
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
    setViewedAs(null);
    return { ...boot, notice: error.message };
  }
}

const readPreset = ({ user, role, ...preset }: RawPreset): Preset => ({ ...preset, user: user?.id ?? null, role: role?.id ?? null });

const signedOut = new Set(['FORBIDDEN', 'INVALID_CREDENTIALS', 'TOKEN_EXPIRED', 'INVALID_TOKEN', 'GRAPHQL_VALIDATION']);

/** Ends a session that cannot be used here. */
async function leave(): Promise<null> {
  await signOut().catch(() => undefined);
  return null;
}

/** How somebody signs in: by the password of the project, by a passkey, or by the name of a provider. */
export type Way = 'password' | 'passkey' | `by ${string}`;

/** Marks that a session exists, or will exist when the browser comes back from a provider. */
export const markSession = (way: Way): void => localStorage.setItem(sessionMark, way);

/** How the person signed in last in this browser. */
export function lastWay(): Way {
  const mark = localStorage.getItem(sessionMark) ?? '';
  return mark === 'passkey' || mark.startsWith('by ') ? (mark as Way) : 'password';
}

export async function signIn(email: string, password: string, otp: string | null): Promise<void> {
  const body = { email, password, mode: 'session', ...(otp === null ? {} : { otp }) };
  await request('POST', '/auth/login', { body, failFast: true, asSelf: true });
  markSession('password');
}

/** A way to sign in besides email and password. */
export interface Provider {
  readonly name: string;
  readonly label: string;
  readonly driver: string;
}

export interface Providers {
  readonly data: readonly Provider[];
  /** Email and password are refused. */
  readonly disableDefault: boolean;
  readonly passkeys: boolean;
}

/** Reads without cookies, because the service would refuse a session that has ended or lacks a second factor. */
export async function readPublic<T>(path: string): Promise<T> {
  const response = await fetch(serviceUrl(path), { credentials: 'omit' });
  if (!response.ok) throw new ApiError(response.status, []);
  return (await response.json()) as T;
}

/** This answer has members beside `data`, unlike all others. */
export const readProviders = (): Promise<Providers> =>
  readPublic<Providers>('/auth?sessionOnly').catch((error: unknown) => {
    if (error instanceof ApiError) return { data: [], disableDefault: false, passkeys: false };
    throw error;
  });

/** By the name and the password of a directory. */
export async function signInBy({ name, driver }: Provider, identifier: string, password: string, otp: string | null): Promise<void> {
  const who = driver === 'local' ? { email: identifier } : { identifier };
  const body = { ...who, password, mode: 'session', ...(otp === null ? {} : { otp }) };
  await request('POST', `/auth/login/${encodeURIComponent(name)}`, { body, failFast: true, asSelf: true });
  markSession(`by ${name}`);
}

export async function signOut(): Promise<void> {
  localStorage.removeItem(sessionMark);
  await request('POST', '/auth/logout', { body: { mode: 'session' }, failFast: true, asSelf: true });
}

/** Signs out and reloads the page: nothing that this person has read stays in its memory for the next one. */
export async function leaveStudio(): Promise<void> {
  await signOut().catch(() => undefined);
  location.reload();
}

/** Prolongs the session in its cookie. */
export const renewSession = (): Promise<unknown> =>
  request('POST', '/auth/refresh', { body: { mode: 'session' }, failFast: true, asSelf: true });

export const requestReset = (email: string): Promise<unknown> =>
  request('POST', '/auth/password/request', { body: { email }, failFast: true });

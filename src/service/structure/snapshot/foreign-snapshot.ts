// Converts a snapshot of Directus for this database: renames its system collections, drops the defaults of auto-increment keys, and leaves
// out what has no counterpart, which is reported.

import { collectionMetaDefaults, fieldMetaDefaults } from '../../../core/schema/meta-defaults.js';
import { systemPrefix } from '../../../core/schema/system-definition.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import { systemDefinitions } from '../../definitions/system-definitions.js';
import type { Payload } from '../describe/payload.js';
import { relationMetaDefaults } from '../plan/relation-meta.js';

/** What this database calls a system collection that the code names. */
export type NameOf = (name: string) => string;

export interface ReadableSnapshot {
  readonly payload: Payload;
  /** What was left out: "meta.autosave_revision_interval of articles". */
  readonly ignored: readonly string[];
}

const foreignPrefix = 'directus_';
const codeNames = new Set(systemDefinitions.filter(({ internal }) => !internal).map(({ collection }) => collection));

/** The keys of `meta` that are accepted; those that identify the row are ignored without a report. */
const knownKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  collections: new Set(['collection', 'system', ...Object.keys(collectionMetaDefaults)]),
  fields: new Set(['id', 'collection', 'field', 'system', ...Object.keys(fieldMetaDefaults)]),
  relations: new Set(['id', 'many_collection', 'many_field', 'one_collection', 'system', ...Object.keys(relationMetaDefaults)]),
};

export function readForeignSnapshot(payload: Payload, nameOf: NameOf): ReadableSnapshot {
  const ignored: string[] = [];
  const lists = Object.entries(knownKeys).flatMap(([kind, known]) => {
    const entries = payload[kind];
    if (!Array.isArray(entries)) return [];
    return [[kind, entries.map((entry) => (isPlainObject(entry) ? readEntry(entry, known, nameOf, ignored) : entry))]];
  });
  const { systemFields } = payload;
  if (Array.isArray(systemFields) && systemFields.length > 0) ignored.push(`${systemFields.length} of systemFields`);
  return { payload: { ...payload, ...Object.fromEntries(lists), systemFields: [] }, ignored };
}

function readEntry(entry: Payload, known: ReadonlySet<string>, nameOf: NameOf, ignored: string[]): Payload {
  const { meta, schema } = entry;
  const named = renamed(entry, ['collection', 'related_collection'], nameOf);
  return {
    ...named,
    ...(isPlainObject(meta) ? { meta: readMeta(meta, known, placeOf(named), nameOf, ignored) } : {}),
    ...(isPlainObject(schema) ? { schema: readSchema(schema, nameOf) } : {}),
  };
}

function readMeta(meta: Payload, known: ReadonlySet<string>, place: string, nameOf: NameOf, ignored: string[]): Payload {
  for (const key of Object.keys(meta)) if (!known.has(key)) ignored.push(`meta.${key} of ${place}`);
  const kept = Object.fromEntries(Object.entries(meta).filter(([key]) => known.has(key) && key !== 'system' && key !== 'id'));
  const { one_allowed_collections: allowed } = kept;
  const names = Array.isArray(allowed) ? { one_allowed_collections: allowed.map((name) => systemName(name, nameOf)) } : {};
  return { ...renamed(kept, ['collection', 'many_collection', 'one_collection'], nameOf), ...names };
}

/** `nextval(…)` says of a column that it is numbered, which `has_auto_increment` says, too. */
function readSchema(schema: Payload, nameOf: NameOf): Payload {
  const { default_value: preset, has_auto_increment: numbered } = schema;
  const isCounter = numbered === true && typeof preset === 'string' && /^nextval\(/i.test(preset);
  return { ...renamed(schema, ['table', 'foreign_key_table'], nameOf), ...(isCounter ? { default_value: null } : {}) };
}

const renamed = (payload: Payload, keys: readonly string[], nameOf: NameOf): Payload =>
  Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, keys.includes(key) ? systemName(value, nameOf) : value]));

/** Whole names only: `directus_files_id` is a column of the project. */
function systemName(name: unknown, nameOf: NameOf): unknown {
  if (typeof name !== 'string' || !name.startsWith(foreignPrefix)) return name;
  const code = `${systemPrefix}${name.slice(foreignPrefix.length)}`;
  return codeNames.has(code) ? nameOf(code) : name;
}

const placeOf = ({ collection, field }: Payload): string => [collection, field].filter((name) => typeof name === 'string').join('.');

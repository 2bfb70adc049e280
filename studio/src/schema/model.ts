// The structure as Studio works with it: collections with their fields in order, and what each field refers to. Pure, imports no framework.

export type Relation =
  | { readonly kind: 'm2o'; readonly related: string }
  | { readonly kind: 'm2a'; readonly collectionField: string; readonly allowed: readonly string[] }
  | {
      readonly kind: 'o2m';
      readonly related: string;
      readonly foreignKey: string;
      readonly sortField: string | null;
      /** The field that names the language, when the items are translations. */
      readonly languageField: string | null;
    }
  | {
      readonly kind: 'm2m';
      readonly junction: string;
      readonly foreignKey: string;
      readonly junctionField: string;
      readonly sortField: string | null;
      /** Null when the items may come from several collections. */
      readonly related: string | null;
      readonly any: AnyCollection | null;
    };

/** Of a many-to-any relation: the field of the junction that names the collection, and the collections it may name. */
interface AnyCollection {
  readonly collectionField: string;
  readonly allowed: readonly string[];
}

export interface Choice {
  readonly value: string;
  readonly text: string;
  readonly children?: readonly Choice[];
}

export interface Field {
  readonly collection: string;
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly interface: string | null;
  readonly options: Readonly<Record<string, unknown>>;
  readonly display: string | null;
  readonly displayOptions: Readonly<Record<string, unknown>>;
  readonly width: string;
  readonly note: string | null;
  readonly group: string | null;
  readonly sort: number;
  readonly hidden: boolean;
  readonly readonly: boolean;
  readonly required: boolean;
  readonly special: readonly string[];
  readonly conditions: readonly unknown[];
  /** A filter that the item has to satisfy, and what to say when it does not. */
  readonly validation: unknown;
  readonly validationMessage: string | null;
  readonly choices: readonly Choice[] | null;
  readonly isKey: boolean;
  /** The place of its part in a key of several fields. */
  readonly keyPosition: number;
  readonly isGenerated: boolean;
  /** Null for aliases, which have no column. */
  readonly column: Column | null;
  readonly relation: Relation | null;
  /** Its metadata with the keys of texts, as it is stored: the model changes that. Null: it has none. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

interface Column {
  readonly nullable: boolean;
  readonly maxLength: number | null;
  /** Digits of a decimal behind its point; null: not fixed. */
  readonly scale: number | null;
  /** What a new item gets if nobody sets the field. */
  readonly standard: Standard;
}

/** `made`: the database makes the value, by the expression in its own words if there is one. */
export type Standard =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'made'; readonly expression: string | null };

export interface Collection {
  readonly name: string;
  readonly title: string;
  readonly note: string | null;
  readonly icon: string | null;
  readonly color: string | null;
  readonly group: string | null;
  readonly sort: number;
  readonly hidden: boolean;
  readonly singleton: boolean;
  readonly isSystem: boolean;
  /** A folder of the tree, without a table. */
  readonly isFolder: boolean;
  /** The fields of the key, in its order. Without one, items can only be read. */
  readonly keys: readonly string[];
  /** The key field if it is one; null: there are several, or none. */
  readonly key: string | null;
  /** Whether its key is one that people name, because the database has none. */
  readonly namesKey: boolean;
  /** Why nobody can change its items, as the service says it; null: somebody may. */
  readonly readOnly: string | null;
  readonly displayTemplate: string | null;
  readonly archive: { readonly field: string; readonly value: unknown; readonly unarchiveValue: unknown } | null;
  /** Holds the places of items in their own order. */
  readonly sortField: string | null;
  /** Whether items may have versions: drafts beside what is published. */
  readonly versioning: boolean;
  readonly fields: readonly Field[];
  readonly fieldsByName: ReadonlyMap<string, Field>;
  /** As that of a field. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

export type Schema = ReadonlyMap<string, Collection>;

/** System tables have one of these prefixes: ours, or that of an adopted database. */
const systemPrefixes = ['service_', 'directus_'];

/** The system collections that screens name, without the prefix, as in the paths of the API. */
export type SystemName =
  | 'activity'
  | 'comments'
  | 'dashboards'
  | 'files'
  | 'flows'
  | 'folders'
  | 'notifications'
  | 'operations'
  | 'panels'
  | 'presets'
  | 'revisions'
  | 'roles'
  | 'runs'
  | 'settings'
  | 'shares'
  | 'translations'
  | 'users'
  | 'versions';

export const isSystemName = (name: string): boolean => systemPrefixes.some((prefix) => name.startsWith(prefix));

/** `service_files` → `files`. */
export const withoutPrefix = (name: string): string => (isSystemName(name) ? name.slice(name.indexOf('_') + 1) : name);

/** What is kept under the name of a system collection, whichever prefix it has in this database. */
export function ofSystem<T>(name: SystemName, find: (stored: string) => T | undefined): T | undefined {
  for (const prefix of systemPrefixes) {
    const found = find(prefix + name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The system collection of this name; undefined when the person may not see it. */
export const systemCollection = (schema: Schema, name: SystemName): Collection | undefined =>
  ofSystem(name, (stored) => schema.get(stored));

/** Whether this is the name of that system collection. */
export const isNameOf = (system: SystemName, name: string | null): boolean =>
  ofSystem(system, (stored) => (stored === name ? name : undefined)) !== undefined;

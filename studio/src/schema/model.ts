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
  readonly isGenerated: boolean;
  /** Null for aliases, which have no column. */
  readonly column: { readonly nullable: boolean; readonly maxLength: number | null; readonly defaultValue: unknown } | null;
  readonly relation: Relation | null;
  /** Its metadata with the keys of texts, as it is stored: the model changes that. Null: it has none. */
  readonly stored: Readonly<Record<string, unknown>> | null;
}

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
  readonly key: string | null;
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

/** System tables have one of these prefixes, which an adopted database keeps. */
export const systemPrefix = /^(?:service|directus)_/;

/** `service_files` → `files`, the name of a system collection in the paths of the API. */
export const withoutPrefix = (name: string): string => name.replace(systemPrefix, '');

/** The system collection of this name, with the prefix that it has in this database; undefined when the person may not see it. */
export const systemCollection = (schema: Schema, name: string): Collection | undefined =>
  schema.get(`service_${name}`) ?? schema.get(`directus_${name}`);

export const isFilesName = (name: string | null): boolean => name !== null && systemPrefix.test(name) && withoutPrefix(name) === 'files';

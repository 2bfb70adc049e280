// The structure as Studio works with it: collections with their fields in order, and what each field refers to. Built from the boot answer;
// pure, imports no framework.

import { type Translate, translateAll, untranslated } from './translations.js';

export interface RawCollection {
  readonly collection: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly schema: Readonly<Record<string, unknown>> | null;
}

export interface RawField {
  readonly collection: string;
  readonly field: string;
  readonly type: string;
  readonly meta: Readonly<Record<string, unknown>> | null;
  readonly schema: Readonly<Record<string, unknown>> | null;
}

export interface RawRelation {
  readonly collection: string;
  readonly field: string;
  readonly related_collection: string | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
}

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
const systemPrefix = /^(?:service|directus)_/;

/** `service_files` → `files`, the name of a system collection in the paths of the API. */
export const withoutPrefix = (name: string): string => name.replace(systemPrefix, '');

/** The system collection of this name, with the prefix that it has in this database; undefined when the person may not see it. */
export const systemCollection = (schema: Schema, name: string): Collection | undefined =>
  schema.get(`service_${name}`) ?? schema.get(`directus_${name}`);

export const isFilesName = (name: string | null): boolean => name !== null && systemPrefix.test(name) && withoutPrefix(name) === 'files';

export function buildSchema(
  collections: readonly RawCollection[],
  fields: readonly RawField[],
  relations: readonly RawRelation[],
  language: string,
  translate: Translate = untranslated,
): Schema {
  const fieldsOf = groupByCollection(fields);
  const lookUp = relationFinder(relations);
  const words: Words = { language, translate };
  return new Map(
    collections.map((raw) => {
      const built = (fieldsOf.get(raw.collection) ?? []).map((field, position) => buildField(field, position, lookUp, words));
      return [raw.collection, buildCollection(raw, built.toSorted(byPlace), words)];
    }),
  );
}

/** In which words names, notes and labels are shown. */
interface Words {
  readonly language: string;
  readonly translate: Translate;
}

function groupByCollection(fields: readonly RawField[]): ReadonlyMap<string, readonly RawField[]> {
  const groups = new Map<string, RawField[]>();
  for (const field of fields) {
    const group = groups.get(field.collection);
    if (group === undefined) groups.set(field.collection, [field]);
    else group.push(field);
  }
  return groups;
}

const byPlace = (left: Field, right: Field): number => left.sort - right.sort;

function buildCollection(
  { collection: name, meta: stored, schema }: RawCollection,
  fields: readonly Field[],
  { language, translate }: Words,
): Collection {
  const meta = translateAll(translate, stored);
  const archiveField = textOf(meta?.['archive_field']);
  return {
    name,
    title: translated(meta, language) ?? titleOf(withoutPrefix(name)),
    note: textOf(meta?.['note']),
    icon: textOf(meta?.['icon']),
    color: textOf(meta?.['color']),
    group: textOf(meta?.['group']),
    sort: numberOf(meta?.['sort']) ?? Number.MAX_SAFE_INTEGER,
    hidden: meta?.['hidden'] === true,
    singleton: meta?.['singleton'] === true,
    isSystem: systemPrefix.test(name),
    isFolder: schema === null,
    key: fields.find((field) => field.isKey)?.name ?? null,
    displayTemplate: textOf(meta?.['display_template']),
    archive:
      archiveField === null || meta === null
        ? null
        : { field: archiveField, value: meta['archive_value'], unarchiveValue: meta['unarchive_value'] },
    sortField: textOf(meta?.['sort_field']),
    versioning: meta?.['versioning'] === true,
    fields,
    fieldsByName: new Map(fields.map((field) => [field.name, field])),
    stored,
  };
}

function buildField(raw: RawField, position: number, lookUp: (field: RawField) => Relation | null, { language, translate }: Words): Field {
  const { collection, field: name, type, meta: stored, schema } = raw;
  const meta = translateAll(translate, stored);
  const options = objectOf(meta?.['options']);
  return {
    collection,
    name,
    title: translated(meta, language) ?? titleOf(name),
    type,
    interface: textOf(meta?.['interface']),
    options,
    display: textOf(meta?.['display']),
    displayOptions: objectOf(meta?.['display_options']),
    width: textOf(meta?.['width']) ?? (shortTypes.has(type) ? 'half' : 'full'),
    note: textOf(meta?.['note']),
    group: textOf(meta?.['group']),
    // Fields without a configured place keep the one they have in the table: the service gives new fields the number of theirs.
    sort: numberOf(meta?.['sort']) ?? position + 1,
    hidden: meta?.['hidden'] === true,
    readonly: meta?.['readonly'] === true,
    required: meta?.['required'] === true || isDemanded(schema),
    special: flagsOf(meta?.['special']),
    conditions: listOf(meta?.['conditions']),
    validation: meta?.['validation'] ?? null,
    validationMessage: textOf(meta?.['validation_message']),
    choices: choicesOf(options['choices']) ?? choicesOf(schema?.['choices']),
    isKey: schema?.['is_primary_key'] === true,
    isGenerated: schema?.['is_generated'] === true,
    column:
      schema === null
        ? null
        : {
            nullable: schema['is_nullable'] === true,
            maxLength: numberOf(schema['max_length']),
            defaultValue: schema['default_value'] ?? null,
          },
    relation: lookUp(raw),
    stored,
  };
}

/** The fields of the records that a repeater holds, which its options describe as if they were columns. Their texts are translated already. */
export const subFieldsOf = ({ collection, options }: Field, language: string): readonly Field[] =>
  listOf(options['fields'])
    .map(objectOf)
    .map((raw, position) => {
      const name = String(raw['field'] ?? raw['name'] ?? position);
      const type = textOf(raw['type']) ?? 'string';
      const schema = { is_nullable: true, default_value: null };
      return buildField({ collection, field: name, type, meta: objectOf(raw['meta']), schema }, position, () => null, {
        language,
        translate: untranslated,
      });
    });

/** Without metadata, values that are short share a row. */
const shortTypes = new Set(['integer', 'bigInteger', 'decimal', 'float', 'boolean', 'date', 'time', 'dateTime', 'timestamp']);

const isDemanded = (schema: RawField['schema']): boolean =>
  schema !== null &&
  schema['is_nullable'] === false &&
  schema['default_value'] === null &&
  schema['has_auto_increment'] !== true &&
  schema['is_generated'] !== true &&
  schema['is_primary_key'] !== true;

function relationFinder(relations: readonly RawRelation[]): (field: RawField) => Relation | null {
  const byMany = new Map(relations.map((relation) => [`${relation.collection}.${relation.field}`, relation]));
  const byOne = new Map(relations.map((relation) => [`${relation.related_collection}.${String(relation.meta?.['one_field'])}`, relation]));
  return ({ collection, field, meta }) => {
    const many = byMany.get(`${collection}.${field}`);
    if (many !== undefined) {
      const collectionField = textOf(many.meta?.['one_collection_field']);
      if (collectionField !== null)
        return { kind: 'm2a', collectionField, allowed: listOf(many.meta?.['one_allowed_collections']).map(String) };
      return many.related_collection === null ? null : { kind: 'm2o', related: many.related_collection };
    }
    const one = byOne.get(`${collection}.${field}`);
    return one === undefined ? null : toManyOf(one, byMany, isTranslations(meta));
  };
}

const isTranslations = (meta: RawField['meta']): boolean =>
  meta?.['interface'] === 'translations' || flagsOf(meta?.['special']).includes('translations');

function toManyOf(relation: RawRelation, byMany: ReadonlyMap<string, RawRelation>, hasLanguages: boolean): Relation {
  const { collection, field, meta } = relation;
  const junctionField = textOf(meta?.['junction_field']);
  const sortField = textOf(meta?.['sort_field']);
  // Translations are stored like a many-to-many to the languages, but what is edited are the rows between.
  if (junctionField === null || hasLanguages)
    return { kind: 'o2m', related: collection, foreignKey: field, sortField, languageField: hasLanguages ? junctionField : null };
  const far = byMany.get(`${collection}.${junctionField}`);
  const collectionField = textOf(far?.meta?.['one_collection_field']);
  const any = collectionField === null ? null : { collectionField, allowed: listOf(far?.meta?.['one_allowed_collections']).map(String) };
  return { kind: 'm2m', junction: collection, foreignKey: field, junctionField, sortField, related: far?.related_collection ?? null, any };
}

/** `published_on` → `Published On`, as people expect of a label. */
export function titleOf(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '');
  return words
    .map((word) => (abbreviations.has(word.toLowerCase()) ? word.toUpperCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join(' ');
}

const abbreviations = new Set([
  'id',
  'url',
  'uri',
  'ip',
  'api',
  'html',
  'css',
  'seo',
  'isbn',
  'sku',
  'vat',
  'uuid',
  'json',
  'xml',
  'pdf',
  'faq',
]);

function translated(meta: Readonly<Record<string, unknown>> | null, language: string): string | null {
  const entries = listOf(meta?.['translations']).map(objectOf);
  const entry =
    entries.find((each) => each['language'] === language) ??
    entries.find((each) => String(each['language']).slice(0, 2) === language.slice(0, 2));
  return textOf(entry?.['translation']);
}

export function choicesOf(value: unknown): readonly Choice[] | null {
  const list = listOf(value);
  if (list.length === 0) return null;
  return list.map((entry) => {
    if (typeof entry !== 'object' || entry === null) return { value: String(entry), text: titleOf(String(entry)) };
    const { value: choice, text, children } = entry as Readonly<Record<string, unknown>>;
    const below = choicesOf(children);
    return { value: String(choice), text: String(text ?? choice), ...(below === null ? {} : { children: below }) };
  });
}

/** Answers join them by commas; options of a repeater may list them. */
const flagsOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? value.split(',').filter((flag) => flag !== '') : listOf(value).map(String);

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {};

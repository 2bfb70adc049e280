// Builds the model of the structure from the answers of the service. Pure, imports no framework.

import { type Collection, type Field, isSystemName, type Relation, type Schema, type Standard, withoutPrefix } from './model.js';
import { choicesOf, enumChoicesOf, flagsOf, listOf, numberOf, objectOf, textOf, titleOf, translated } from './read-meta.js';
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
      const own = fieldsOf.get(raw.collection) ?? [];
      const taken = new Set(own.map(({ field }) => field));
      const built = own.map((field, position) => nameReference(buildField(field, position, lookUp, words), taken, words));
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
  const keys = fields
    .filter(({ isKey }) => isKey)
    .toSorted((left, right) => left.keyPosition - right.keyPosition)
    .map((field) => field.name);
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
    isSystem: isSystemName(name),
    isFolder: schema === null,
    keys,
    key: keys.length === 1 ? (keys[0] ?? null) : null,
    namesKey: Array.isArray(schema?.['primary_key']) || (schema !== null && keys.length === 0),
    readOnly: textOf(schema?.['read_only']),
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
    choices: choicesOf(options['choices']) ?? enumChoicesOf(schema?.['choices']),
    isKey: schema?.['is_primary_key'] === true,
    keyPosition: numberOf(schema?.['primary_key_position']) ?? 1,
    isGenerated: schema?.['is_generated'] === true,
    column:
      schema === null
        ? null
        : {
            nullable: schema['is_nullable'] === true,
            maxLength: numberOf(schema['max_length']),
            scale: type === 'decimal' ? numberOf(schema['numeric_scale']) : null,
            standard: standardOf(type, schema),
          },
    relation: lookUp(raw),
    stored,
  };
}

/** `language_id` is called after what it refers to, unless another field has that name or people named it. */
function nameReference(field: Field, taken: ReadonlySet<string>, { language }: Words): Field {
  const short = field.name.replace(/(?:_id|Id|_ID)$/, '');
  const isNamed = translated(field.stored, language) !== null;
  if (field.relation?.kind !== 'm2o' || isNamed || short === field.name || short === '' || taken.has(short)) return field;
  return { ...field, title: titleOf(short) };
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

/** A default of a type that only its vendor has is answered in another form than its text. */
function standardOf(type: string, schema: Readonly<Record<string, unknown>>): Standard {
  const value = schema['default_value'] ?? null;
  if (schema['has_auto_increment'] === true) return { kind: 'made', expression: null };
  if (value === null) return { kind: 'none' };
  const isMade = schema['default_is_expression'] === true || type === 'unknown' || type === 'binary';
  return isMade ? { kind: 'made', expression: String(value) } : { kind: 'value', value: typedValue(type, value) };
}

/** GraphQL answers a default of any type as text. */
function typedValue(type: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || value === '1';
  if (type === 'integer' || type === 'float') return Number(value);
  return type === 'json' ? parsed(value) : type === 'csv' ? value.split(',') : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Without metadata, values that are short share a row. */
const shortTypes = new Set(['integer', 'bigInteger', 'decimal', 'float', 'boolean', 'date', 'time', 'dateTime', 'timestamp']);

const isDemanded = (schema: RawField['schema']): boolean =>
  schema !== null &&
  schema['is_nullable'] === false &&
  (schema['default_value'] ?? null) === null &&
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

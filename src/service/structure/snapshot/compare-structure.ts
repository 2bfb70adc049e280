// Compares an object of this database with the same object of a snapshot that may come from another vendor. Properties that only differ
// between vendors (names of types, sizes that one vendor does not report, implicit indexes) are not differences.

import { collectionMetaDefaults, fieldMetaDefaults } from '../../../core/schema/meta-defaults.js';
import { isTypeFlag } from '../../../core/schema/specials.js';
import { coerceValue } from '../../../core/schema/types/coerce-value.js';
import { columnTypes, type FieldType } from '../../../core/schema/types/field-type.js';
import { isPlainObject } from '../../../core/util/plain-object.js';
import type { CollectionObject } from '../describe/describe-collection.js';
import type { FieldObject } from '../describe/describe-field.js';
import type { RelationObject } from '../describe/describe-relation.js';
import { splitFlags } from '../describe/field-meta.js';
import { isSame, type Payload } from '../describe/payload.js';
import { isSameExpression } from './portable-expression.js';

export interface Difference {
  readonly path: readonly string[];
  readonly lhs: unknown;
  readonly rhs: unknown;
}

export function compareCollections(present: CollectionObject, wanted: CollectionObject): readonly Difference[] {
  const differences = compareKeys(
    'meta',
    Object.keys(collectionMetaDefaults),
    withDefaults(present.meta, collectionMetaDefaults),
    withDefaults(wanted.meta, collectionMetaDefaults),
  );
  if ((present.schema === null) !== (wanted.schema === null))
    return [...differences, { path: ['schema'], lhs: present.schema, rhs: wanted.schema }];
  return [
    ...differences,
    ...compareKeys('schema', statedKeys(wanted.schema), present.schema ?? {}, wanted.schema ?? {}, {
      uniques: isSameSet,
      foreign_keys: isSameSet,
      indexes: (one, other) => isSameSet(withoutImplicitIndexes(listOf(one), listOf(other), present.schema), other),
    }),
  ];
}

/** Leaves out the indexes that some vendors create with every foreign key, unless the snapshot lists them. */
const withoutImplicitIndexes = (indexes: readonly unknown[], wanted: readonly unknown[], schema: Payload | null): readonly unknown[] => {
  const own = listOf(schema?.foreign_keys).map((key) => (isPlainObject(key) ? key.columns : null));
  return indexes.filter((index) => isAmong(wanted, index) || !isAmong(own, index));
};

/** Snapshots of other products do not list keys over several columns, so only the lists that are present are compared. */
const statedKeys = (schema: Payload | null): readonly string[] =>
  ['primary_key', 'uniques', 'indexes', 'foreign_keys'].filter((key) => schema?.[key] !== undefined);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isAmong = (list: readonly unknown[], entry: unknown): boolean => list.some((other) => isSame(entry, other));
const isSameSet = (one: unknown, other: unknown): boolean =>
  listOf(one).length === listOf(other).length && listOf(one).every((entry) => isAmong(listOf(other), entry));

/** An object without a metadata row has the defaults. */
const withDefaults = (meta: Payload | null, defaults: Payload): Payload => ({ ...defaults, ...meta });

type Compare = (one: unknown, other: unknown) => boolean;

function compareKeys(
  part: string,
  keys: readonly string[],
  present: Payload,
  wanted: Payload,
  compare: Readonly<Record<string, Compare>> = {},
): readonly Difference[] {
  return keys
    .filter((key) => !(compare[key] ?? isSame)(present[key] ?? null, wanted[key] ?? null))
    .map((key) => ({ path: [part, key], lhs: present[key] ?? null, rhs: wanted[key] ?? null }));
}

const flagsOf = (special: unknown): string =>
  splitFlags(special)
    .filter((flag) => !isTypeFlag(flag))
    .toSorted()
    .join(',');

export function compareFields(present: FieldObject, wanted: FieldObject): readonly Difference[] {
  const type = isSameType(present.type, wanted.type) ? [] : [{ path: ['type'], lhs: present.type, rhs: wanted.type }];
  return [...type, ...compareMeta(present, wanted), ...compareSchema(present, wanted)];
}

/** A type that only its vendor has (`unknown`) is created as text elsewhere. */
const isSameType = (present: string, wanted: string): boolean => present === wanted || (wanted === 'unknown' && present === 'text');

function compareMeta(present: FieldObject, wanted: FieldObject): readonly Difference[] {
  const keys = Object.keys(fieldMetaDefaults).filter((key) => key !== 'sort' || (present.meta !== null && wanted.meta !== null));
  const [one, other] = [withDefaults(present.meta, fieldMetaDefaults), withDefaults(wanted.meta, fieldMetaDefaults)];
  return compareKeys('meta', keys, one, other, { special: (a, b) => flagsOf(a) === flagsOf(b) });
}

function compareSchema(present: FieldObject, wanted: FieldObject): readonly Difference[] {
  if (present.schema === null || wanted.schema === null) {
    return present.schema === wanted.schema ? [] : [{ path: ['schema'], lhs: present.schema, rhs: wanted.schema }];
  }
  const type = columnTypes.find((candidate) => candidate === wanted.type) ?? 'text';
  const pointing = present.schema.foreign_key_table !== null;
  return compareKeys('schema', comparedKeys(type), present.schema, wanted.schema, {
    // Snapshots of other products hold an expression as `default_value`.
    default_value: (a, b) =>
      isSameDefault(type, a, b) || (typeof b === 'string' && isSameExpression(b, present.schema?.default_expression)),
    default_expression: (a, b) => isSameExpression(a, b) || (typeof a === 'string' && isSameExpression(a, wanted.schema?.default_value)),
    generation_expression: isSameExpression,
    max_length: (a, b) => (a ?? 255) === (b ?? 255),
    // Some vendors create an index with every foreign key, and all with what is unique.
    is_indexed: (a, b) => a === b || (a === true && pointing) || wanted.schema?.is_unique === true,
    // A primary key is unique even if the snapshot does not say so.
    is_unique: (a, b) => a === b || wanted.schema?.is_primary_key === true,
  });
}

function comparedKeys(type: FieldType): readonly string[] {
  const size = type === 'string' ? ['max_length'] : type === 'decimal' ? ['numeric_precision', 'numeric_scale'] : [];
  return [
    ...size,
    ...(type === 'unknown' ? [] : ['default_value', 'default_expression']),
    'is_nullable',
    'is_unique',
    'is_indexed',
    'is_primary_key',
    'has_auto_increment',
    'generation_expression',
    'comment',
  ];
}

function isSameDefault(type: FieldType, one: unknown, other: unknown): boolean {
  return isSame(one, other) || (one !== null && other !== null && isSame(canonical(type, one), canonical(type, other)));
}

function canonical(type: FieldType, value: unknown): unknown {
  const coerced = coerceValue(type, value);
  if (!coerced.ok) return String(value);
  return type === 'decimal' ? Number(coerced.value) : coerced.value;
}

const relationKeys = [
  'one_field',
  'one_collection_field',
  'one_allowed_collections',
  'junction_field',
  'sort_field',
  'one_deselect_action',
];

export function compareRelations(present: RelationObject, wanted: RelationObject): readonly Difference[] {
  if (present.related_collection !== wanted.related_collection) {
    return [{ path: ['related_collection'], lhs: present.related_collection, rhs: wanted.related_collection }];
  }
  return [
    // Without metadata in the snapshot, the relation keeps the metadata it has here.
    ...(wanted.meta === null ? [] : compareKeys('meta', relationKeys, present.meta ?? {}, wanted.meta)),
    ...compareWhole('schema', ['on_delete', 'on_update'], present.schema, wanted.schema),
  ];
}

function compareWhole(part: string, keys: readonly string[], present: Payload | null, wanted: Payload | null): readonly Difference[] {
  if (present === null || wanted === null) return present === wanted ? [] : [{ path: [part], lhs: present, rhs: wanted }];
  return compareKeys(part, keys, present, wanted);
}

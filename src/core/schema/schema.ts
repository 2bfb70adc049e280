// What the database is: an immutable snapshot of collections, fields and relations, built from raw facts, metadata and the
// definitions of the system collections. A request keeps the snapshot it began with.

import type { FieldType } from './field-type.js';
import type { RawColumn, RawTable } from './raw.js';

export interface Schema {
  /** Grows with every rebuild in this process; part of every cache key. */
  readonly version: number;
  readonly collections: ReadonlyMap<string, Collection>;
  readonly relations: readonly Relation[];
}

export interface Collection {
  readonly name: string;
  /** null for a folder (metadata without a table). */
  readonly table: RawTable | null;
  readonly system: boolean;
  /** Views, tables without a key, folders: listed and filtered, never written. */
  readonly readOnly: boolean;
  readonly singleton: boolean;
  /** Names of the key fields in key order: one for an ordinary key, several for a composite one, none without a key. */
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  /** Default order: this field, else the key. */
  readonly sortField: string | null;
  /** Whether writes are recorded: all = activity and revisions. */
  readonly accountability: 'all' | 'activity' | null;
  readonly versioning: boolean;
  readonly note: string | null;
  /** The row of service_collections, null for collections without one. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

interface FieldBase {
  readonly collection: string;
  readonly name: string;
  readonly type: FieldType;
  /** Flags such as `uuid`, `conceal`, `hash`, `date-created`, `cast-csv`, `o2m`. */
  readonly special: ReadonlySet<string>;
  readonly note: string | null;
  readonly searchable: boolean;
  /** `meta.validation` as stored (filter syntax), null when none. */
  readonly validation: unknown;
  readonly validationMessage: string | null;
  /** The row of service_fields, null for fields without one. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** A field with a column. `relation` is set when the column holds the key of another item. */
export interface ColumnField extends FieldBase {
  readonly kind: 'column';
  readonly column: RawColumn;
  readonly relation: ManyToOne | ManyToAny | null;
  /** Reads as stars: special `conceal` or type hash. */
  readonly concealed: boolean;
}

/** An alias field over the far side of a many-to-one: one-to-many, and the near leg of many-to-many and many-to-any. */
export interface RelationField extends FieldBase {
  readonly kind: 'relation';
  readonly relation: OneToMany;
}

/** An alias without data: dividers, groups, notices. Selectable as null, nothing else. */
export interface PresentationField extends FieldBase {
  readonly kind: 'presentation';
}

export type Field = ColumnField | RelationField | PresentationField;

export interface ManyToOne {
  readonly kind: 'm2o';
  readonly collection: string;
  readonly field: string;
  readonly related: string;
  /** The key field of the related collection that this field points at. */
  readonly relatedField: string;
}

export interface OneToMany {
  readonly kind: 'o2m';
  /** The one side, which owns the alias field. */
  readonly collection: string;
  readonly field: string;
  /** The many side, whose column `relatedField` holds our key. */
  readonly related: string;
  readonly relatedField: string;
  /** Our own key that `relatedField` points at. */
  readonly key: string;
  readonly sortField: string | null;
  readonly deselect: 'nullify' | 'delete';
  /** The other leg when the many side is a junction (many-to-many, many-to-any), else null. */
  readonly junctionField: string | null;
}

export interface ManyToAny {
  readonly kind: 'm2a';
  readonly collection: string;
  readonly field: string;
  /** The column that names the related item's collection. */
  readonly collectionField: string;
  readonly allowed: readonly string[];
}

/** A relation as `/relations` shows it: the foreign key, its metadata row, or both. */
export interface Relation {
  readonly collection: string;
  readonly field: string;
  /** null for the leg of a many-to-any. */
  readonly related: string | null;
  readonly foreignKey: {
    readonly name: string | null;
    readonly foreignTable: string;
    readonly foreignColumn: string;
    readonly onDelete: string;
    readonly onUpdate: string;
  } | null;
  /** The row of service_relations, null when only the foreign key speaks of it. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** Metadata rows as read from the service_ tables (json parsed, booleans real, csv as arrays). */
export interface Metadata {
  readonly collections: readonly Readonly<Record<string, unknown>>[];
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly relations: readonly Readonly<Record<string, unknown>>[];
}

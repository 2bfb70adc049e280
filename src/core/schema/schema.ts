// The schema: an immutable snapshot of collections, fields and relations, built from raw facts, metadata and the definitions of the system
// collections (build/build-schema.ts). Every request keeps the snapshot it started with. What of it a caller may see is decided by
// SchemaView in core/access.

import type { RawColumn, RawForeignKey, RawTable } from './raw.js';
import type { Subject } from './system-definition.js';
import type { Wire } from './system-home.js';
import type { FieldType } from './types/field-type.js';

export interface Schema {
  /** Increases with every rebuild in this process; part of every cache key. */
  readonly version: number;
  /** In which form structure and names are asked for and answered. */
  readonly wire: Wire;
  /** By name; a system collection is also found by the name that the code, or another wire, has for it. */
  readonly collections: ReadonlyMap<string, Collection>;
  readonly relations: readonly Relation[];
  /** What the wire calls a system collection that the code or another wire names; other names stay as they are. */
  readonly nameOf: (name: string) => string;
}

export interface Collection {
  readonly name: string;
  /** null for a folder (metadata without a table). */
  readonly table: RawTable | null;
  readonly system: boolean;
  /** What the code calls a system collection; null for the user's collections. */
  readonly codeName: string | null;
  /** Views, tables without a primary key, tables of a mirrored database and folders can be read but not written. */
  readonly readOnly: boolean;
  /** Why a collection with a table cannot be written, as shown to users: "read only: it has no primary key". */
  readonly readOnlyReason: string | null;
  readonly singleton: boolean;
  /** The names of the key fields in key order: one for a simple key, several for a composite key, none without a key. */
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, Field>;
  /** The field of the default order; null: the primary key. */
  readonly sortField: string | null;
  /** Whether writes are recorded; all: activity and revisions. */
  readonly accountability: 'all' | 'activity' | null;
  readonly versioning: boolean;
  /** The fields by which its items name the item they are about. A caller that may not read that item does not see them. */
  readonly about: Subject | null;
  /** Fields that the payload of a new item must name, whether or not their columns have to hold a value. */
  readonly demanded: readonly string[];
  /** Fields whose items may come later than what names them, or be gone. */
  readonly loose: ReadonlySet<string>;
  /** Names that payloads may hold although no field has them: with null only, or with any value. Nothing is stored. */
  readonly unused: ReadonlyMap<string, 'null' | 'any'>;
  /** The note of the metadata or the comment of the table, followed by the reason why the collection is read-only. */
  readonly note: string | null;
  /** The row of service_collections; null for collections without one. */
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
  /** `meta.validation` as stored (filter syntax); null: none. */
  readonly validation: unknown;
  readonly validationMessage: string | null;
  /** The row of service_fields; null for fields without one. */
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** A field with a column. `relation` is set when the column holds the key of another item. */
export interface ColumnField extends FieldBase {
  readonly kind: 'column';
  readonly column: RawColumn;
  readonly relation: ManyToOne | ManyToAny | null;
  /** The value is answered as asterisks: special `conceal`, or type hash. */
  readonly concealed: boolean;
}

/**
 * A many-to-one over a foreign key of several columns. The columns remain fields of their own; this field stands for the item they point
 * at.
 */
export interface ReferenceField extends FieldBase {
  readonly kind: 'reference';
  readonly relation: ManyToOne;
  /** The columns to set to null to point at nothing; empty if none is nullable. */
  readonly clears: readonly string[];
}

/** An alias field that lists the items pointing at this one: one-to-many, and the first step of many-to-many and many-to-any. */
export interface RelationField extends FieldBase {
  readonly kind: 'relation';
  readonly relation: OneToMany;
}

/** An alias without data (dividers, groups, notices). It can be selected, as null, and nothing else. */
export interface PresentationField extends FieldBase {
  readonly kind: 'presentation';
}

export type Field = ColumnField | ReferenceField | RelationField | PresentationField;

/** A column of the many side, and the field of the one side whose value it holds. */
export interface KeyPair {
  readonly column: string;
  readonly target: string;
}

/** One pair for an ordinary foreign key, several for a composite one. */
export type KeyPairs = readonly [KeyPair, ...KeyPair[]];

export interface ManyToOne {
  readonly kind: 'm2o';
  readonly collection: string;
  /** The column that points, or the ReferenceField of several columns. */
  readonly field: string;
  readonly related: string;
  readonly pairs: KeyPairs;
}

/** What happens to an item that is removed from a list. `nullify`: these columns are set to null; `refuse`: none of them is nullable. */
export type Deselect =
  | { readonly kind: 'nullify'; readonly columns: readonly string[] }
  | { readonly kind: 'delete' }
  | { readonly kind: 'refuse' };

export interface OneToMany {
  readonly kind: 'o2m';
  /** The one side, which owns the alias field. */
  readonly collection: string;
  readonly field: string;
  /** The many side, whose field `relatedField` points at `collection`. */
  readonly related: string;
  readonly relatedField: string;
  readonly pairs: KeyPairs;
  readonly sortField: string | null;
  readonly deselect: Deselect;
  /** The other leg if the many side is a junction (many-to-many, many-to-any), else null. */
  readonly junctionField: string | null;
}

export interface ManyToAny {
  readonly kind: 'm2a';
  readonly collection: string;
  readonly field: string;
  /** The column that holds the name of the related item's collection. */
  readonly collectionField: string;
  readonly allowed: readonly string[];
}

/** A relation as `/relations` shows it: from its foreign key, its metadata row, or both. */
export interface Relation {
  readonly collection: string;
  readonly field: string;
  /** null for the leg of a many-to-any. */
  readonly related: string | null;
  readonly foreignKey: RawForeignKey | null;
  /** The row of service_relations; for a relation without one, the row that would state it unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether service_relations has a row. */
  readonly stated: boolean;
}

/** Metadata rows as read from the service_ tables, with JSON parsed, booleans converted and comma-separated lists split. */
export interface Metadata {
  readonly collections: readonly Readonly<Record<string, unknown>>[];
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly relations: readonly Readonly<Record<string, unknown>>[];
}

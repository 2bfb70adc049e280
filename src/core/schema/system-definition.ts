// The form in which a system collection is defined as data: its columns, relations and rules. service/definitions holds the definitions.
// The schema builder and the migrations read the same ones, so the two cannot disagree; the types of rows are derived from them, too.

import type { ForeignKeyAction } from './raw.js';
import type { ColumnType } from './types/field-type.js';

type SystemDefault = { readonly kind: 'literal'; readonly value: string | number | boolean } | { readonly kind: 'now' };

/** What a definition states about a column besides its name. */
export interface FieldFacts {
  readonly type: ColumnType;
  readonly special: readonly string[];
  readonly nullable: boolean;
  readonly default: SystemDefault | null;
  readonly maxLength: number | null;
  readonly precision: number | null;
  readonly scale: number | null;
  readonly unique: boolean;
  readonly indexed: boolean;
  readonly autoIncrement: boolean;
  /** A column of the table that is no field of the schema, so that no caller can name it. */
  readonly hidden: boolean;
  /** Its values are names of collections, or contain such names as whole texts: they are stored as the wire of the database has them. */
  readonly names: boolean;
}

/** `Value` is the type of the field's values in wire form, null included where the column allows it. */
export interface SystemField<Name extends string = string, Value = unknown> extends FieldFacts {
  /** Exists in types only: no object has a property of this name. */
  readonly '~type'?: Value;
  readonly field: Name;
}

/** The field on the one side that lists the items pointing at it. */
export interface SystemAlias {
  readonly field: string;
  /** The other leg if the many side is a junction. */
  readonly junctionField: string | null;
  readonly deselect: 'nullify' | 'delete';
}

export interface SystemRelation {
  readonly field: string;
  readonly related: string;
  /** null: no foreign key, because the referring row may outlive the row it refers to. */
  readonly onDelete: ForeignKeyAction | null;
  readonly aliases: readonly SystemAlias[];
}

/** Two fields that together name an item of any collection: the name of its collection, and its key as text. */
export interface Subject {
  readonly collection: string;
  readonly item: string;
}

/**
 * What the rows are when they leave the database. configuration: part of the configuration as files, and of a backup; data: part of a backup; moment: of
 * this moment and these processes only, so part of neither.
 */
export type KeptAs = 'configuration' | 'data' | 'moment';

/** `Row` is the type of the collection's rows; without it, a row of any columns. */
export interface SystemDefinition<Row = Readonly<Record<string, unknown>>> {
  readonly '~type'?: Row;
  readonly collection: string;
  readonly note: string;
  readonly singleton: boolean;
  /** An internal table that is no collection of the schema; only the service's own statements access it. */
  readonly internal: boolean;
  readonly accountability: 'all' | 'activity' | null;
  readonly kept: KeptAs;
  readonly primaryKey: readonly string[];
  readonly fields: readonly SystemField[];
  /** Fields that only tables of the former server have: they are stored there, and taken note of elsewhere. */
  readonly others: readonly SystemField[];
  readonly relations: readonly SystemRelation[];
  /** The fields by which items of this collection name the item they are about; null: none. */
  readonly about: Subject | null;
  /** Fields that the payload of a new item must name, even where the column allows null (contract 10). */
  readonly demanded: readonly string[];
  readonly uniques: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
}

/** The row of a list of fields. */
export type FieldsRow<Fields extends readonly SystemField[]> = {
  readonly [Each in Fields[number] as Each['field']]: Each extends SystemField<string, infer Value> ? Value : never;
};

/** The type of a row of a definition: `RowOf<typeof users>`. */
export type RowOf<Definition> = Definition extends SystemDefinition<infer Row> ? Row : never;

/** What a table is called from when it is to be dropped until the change of structure is complete. */
export const droppedPrefix = 'service_dropped_';

/** The prefix of every table of the service; collections of users may not use it. */
export const systemPrefix = 'service_';

// How a system collection is stated as data: its columns, relations and rules. service/system/definitions holds one per collection;
// the schema builder and the migrations read the same statement, so the two cannot disagree.

import type { ColumnType } from './field-type.js';
import type { ForeignKeyAction } from './raw.js';

type SystemDefault = { readonly kind: 'literal'; readonly value: string | number | boolean } | { readonly kind: 'now' };

export interface SystemField {
  readonly field: string;
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
  /** A column of the table that is no field of the schema: no caller can name it. */
  readonly hidden: boolean;
}

/** The field on the one side that lists the items pointing at it. */
export interface SystemAlias {
  readonly field: string;
  /** The other leg, when the many side is a junction. */
  readonly junctionField: string | null;
  readonly deselect: 'nullify' | 'delete';
}

export interface SystemRelation {
  readonly field: string;
  readonly related: string;
  /** null: no foreign key, because what points may outlive what it points at. */
  readonly onDelete: ForeignKeyAction | null;
  readonly aliases: readonly SystemAlias[];
}

export interface SystemDefinition {
  readonly collection: string;
  readonly note: string;
  readonly singleton: boolean;
  /** Bookkeeping: a table that is no collection of the schema, reached by the service's own statements only. */
  readonly internal: boolean;
  readonly accountability: 'all' | 'activity' | null;
  readonly primaryKey: readonly string[];
  readonly fields: readonly SystemField[];
  readonly relations: readonly SystemRelation[];
  readonly uniques: readonly (readonly string[])[];
  readonly indexes: readonly (readonly string[])[];
}

/** Every table of the service bears it, and no collection of the user may. */
export const systemPrefix = 'service_';

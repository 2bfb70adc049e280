// The words definitions are written in.

import type { ColumnType } from '../../../core/schema/field-type.js';
import type { ForeignKeyAction } from '../../../core/schema/raw.js';
import type { SystemAlias, SystemDefinition, SystemField, SystemRelation } from '../../../core/schema/system-definition.js';

type Details = Partial<Omit<SystemField, 'field' | 'type' | 'default'>> & { readonly default?: string | number | boolean };

interface DefinitionDetails {
  readonly note: string;
  readonly singleton?: boolean;
  readonly internal?: boolean;
  /** Whether writes through the API are recorded; default: all. */
  readonly accountability?: 'all' | 'activity' | null;
  readonly primaryKey?: readonly string[];
  readonly fields: readonly SystemField[];
  readonly relations?: readonly SystemRelation[];
  readonly uniques?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
}

export function define(collection: string, details: DefinitionDetails): SystemDefinition {
  return {
    collection,
    singleton: false,
    internal: false,
    accountability: 'all',
    primaryKey: ['id'],
    relations: [],
    uniques: [],
    indexes: [],
    ...details,
  };
}

function field(name: string, type: ColumnType, details: Details = {}): SystemField {
  const { default: value, ...rest } = details;
  return {
    field: name,
    type,
    special: [],
    nullable: true,
    maxLength: null,
    precision: null,
    scale: null,
    unique: false,
    indexed: false,
    autoIncrement: false,
    hidden: false,
    ...rest,
    default: value === undefined ? null : { kind: 'literal', value },
  };
}

/** A key that the service makes. */
export const uuidKey = (): SystemField => field('id', 'uuid', { nullable: false, special: ['uuid'] });
/** A key that the database counts. */
export const counterKey = (): SystemField => field('id', 'integer', { nullable: false, autoIncrement: true });

export const string = (name: string, maxLength = 255, details: Details = {}): SystemField =>
  field(name, 'string', { maxLength, ...details });
export const text = (name: string, details: Details = {}): SystemField => field(name, 'text', details);
export const integer = (name: string, details: Details = {}): SystemField => field(name, 'integer', details);
export const bigInteger = (name: string, details: Details = {}): SystemField => field(name, 'bigInteger', details);
export const decimal = (name: string, precision: number, scale: number): SystemField => field(name, 'decimal', { precision, scale });
export const uuid = (name: string, details: Details = {}): SystemField => field(name, 'uuid', details);
export const hash = (name: string, details: Details = {}): SystemField =>
  field(name, 'hash', { maxLength: 255, special: ['hash', 'conceal'], ...details });
export const json = (name: string, details: Details = {}): SystemField => field(name, 'json', { special: ['cast-json'], ...details });
export const csv = (name: string, details: Details = {}): SystemField => field(name, 'csv', { special: ['cast-csv'], ...details });
export const timestamp = (name: string, details: Details = {}): SystemField => field(name, 'timestamp', details);

export const boolean = (name: string, value: boolean, details: Details = {}): SystemField =>
  field(name, 'boolean', { nullable: false, default: value, special: ['cast-boolean'], ...details });

/** A time the database fills in when nobody else does. */
export const clock = (name: string, details: Details = {}): SystemField => ({ ...timestamp(name, details), default: { kind: 'now' } });

/** Name of a collection; other schemas of PostgreSQL make it longer than an identifier. */
export const collectionName = (name: string, details: Details = {}): SystemField => string(name, 130, details);

/** Who made an item and when; filled in by the engine. */
export const dateCreated = (name = 'date_created'): SystemField => clock(name, { special: ['date-created'] });
export const userCreated = (name = 'user_created'): SystemField => uuid(name, { special: ['user-created'] });
export const dateUpdated = (name = 'date_updated'): SystemField => clock(name, { special: ['date-created', 'date-updated'] });
export const userUpdated = (name = 'user_updated'): SystemField => uuid(name, { special: ['user-updated'] });

export const pointsAt = (
  name: string,
  related: string,
  onDelete: ForeignKeyAction | null,
  ...aliases: readonly SystemAlias[]
): SystemRelation => ({
  field: name,
  related,
  onDelete,
  aliases,
});

export const listedAs = (
  name: string,
  deselect: SystemAlias['deselect'] = 'nullify',
  junctionField: string | null = null,
): SystemAlias => ({
  field: name,
  deselect,
  junctionField,
});

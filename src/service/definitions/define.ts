// The vocabulary of system definitions. Each word returns data; its type carries the name and the value type of the field, from which
// `RowOf` derives the type of a row.

import type { ForeignKeyAction } from '../../core/schema/raw.js';
import type {
  FieldFacts,
  FieldsRow,
  KeptAs,
  Subject,
  SystemAlias,
  SystemDefinition,
  SystemField,
  SystemRelation,
} from '../../core/schema/system-definition.js';
import type { ColumnType } from '../../core/schema/types/field-type.js';

type Details = Partial<Omit<FieldFacts, 'type' | 'default'>> & { readonly default?: string | number | boolean };

interface DefinitionDetails<Fields> {
  readonly note: string;
  readonly singleton?: boolean;
  readonly internal?: boolean;
  /** What to record of writes through the API; all by default. */
  readonly accountability?: 'all' | 'activity' | null;
  /** Whether a backup and the configuration as files have the rows; `data` by default. */
  readonly kept?: KeptAs;
  /** `id` by default. */
  readonly primaryKey?: readonly string[];
  readonly fields: Fields;
  readonly others?: readonly SystemField[];
  readonly relations?: readonly SystemRelation[];
  readonly about?: Subject;
  readonly demanded?: readonly string[];
  readonly uniques?: readonly (readonly string[])[];
  readonly indexes?: readonly (readonly string[])[];
}

export function define<Fields extends readonly SystemField[]>(
  collection: string,
  details: DefinitionDetails<Fields>,
): SystemDefinition<FieldsRow<Fields>> {
  return {
    collection,
    singleton: false,
    internal: false,
    accountability: 'all',
    kept: 'data',
    primaryKey: ['id'],
    others: [],
    relations: [],
    about: null,
    demanded: [],
    uniques: [],
    indexes: [],
    ...details,
  };
}

function field<Name extends string, Value>(name: Name, type: ColumnType, details: Details = {}): SystemField<Name, Value> {
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
    names: false,
    ...rest,
    default: value === undefined ? null : { kind: 'literal', value },
  };
}

/** Fields are nullable unless their details say otherwise. */
type OrNull<Value, Given> = Given extends { readonly nullable: false } ? Value : Value | null;

/** A key that the service generates. */
export const uuidKey = () => field<'id', string>('id', 'uuid', { nullable: false, special: ['uuid'] });
/** A key that the database generates. */
export const counterKey = () => field<'id', number>('id', 'integer', { nullable: false, autoIncrement: true });

export const string = <Name extends string, const Given extends Details = object>(name: Name, maxLength = 255, details?: Given) =>
  field<Name, OrNull<string, Given>>(name, 'string', { maxLength, ...details });
export const text = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<string, Given>>(name, 'text', details);
export const integer = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<number, Given>>(name, 'integer', details);
/** Read as text, because a number of JavaScript does not hold all of its digits; written as text or number. */
export const bigInteger = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<string | number, Given>>(name, 'bigInteger', details);
export const decimal = <Name extends string>(name: Name, precision: number, scale: number) =>
  field<Name, string | null>(name, 'decimal', { precision, scale });
export const uuid = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<string, Given>>(name, 'uuid', details);
export const hash = <Name extends string>(name: Name) =>
  field<Name, string | null>(name, 'hash', { maxLength: 255, special: ['hash', 'conceal'] });
export const json = <Name extends string>(name: Name, details?: Details) =>
  field<Name, unknown>(name, 'json', { special: ['cast-json'], ...details });
export const csv = <Name extends string>(name: Name, details?: Details) =>
  field<Name, readonly string[] | null>(name, 'csv', { special: ['cast-csv'], ...details });
/** ISO text in UTC. */
export const timestamp = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<string, Given>>(name, 'timestamp', details);

/** Not null, unlike the other fields, unless the details say so. */
export const boolean = <Name extends string, const Given extends Details = object>(name: Name, value: boolean, details?: Given) =>
  field<Name, Given extends { readonly nullable: true } ? boolean | null : boolean>(name, 'boolean', {
    nullable: false,
    default: value,
    special: ['cast-boolean'],
    ...details,
  });

/** A time that the database sets when the statement gives none. */
export const clock = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) => ({
  ...timestamp(name, details),
  default: { kind: 'now' as const },
});

/** The name of a collection, which may be longer than an identifier where PostgreSQL puts a schema before it. */
export const collectionName = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  field<Name, OrNull<string, Given>>(name, 'string', { maxLength: 130, names: true, ...details });

/** When an item was created; the engine sets it. */
export const createdAt = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  clock(name, { ...details, special: ['date-created'] });
/** When an item was created or last changed; the engine sets it. */
export const changedAt = <Name extends string, const Given extends Details = object>(name: Name, details?: Given) =>
  clock(name, { ...details, special: ['date-created', 'date-updated'] });

export const dateCreated = () => createdAt('date_created');
export const dateUpdated = () => changedAt('date_updated');
/** Who created or last changed an item; the engine sets it. */
export const userCreated = () => uuid('user_created', { special: ['user-created'] });
export const userUpdated = () => uuid('user_updated', { special: ['user-updated'] });

/** A many-to-one. `onDelete` null: no foreign key. */
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

/** The one-to-many field on the related side. */
export const listedAs = (
  name: string,
  deselect: SystemAlias['deselect'] = 'nullify',
  junctionField: string | null = null,
): SystemAlias => ({
  field: name,
  deselect,
  junctionField,
});

// What a column says beyond the service's type. `readValueFacts` tells core which values the column takes: the labels of an enum, fractional
// digits of a second, values such as `infinity`, the elements of an array. The functions below it read the `vendor` property of a RawColumn,
// which catalogue/read-column.ts fills and core passes on without reading it.

import type { RawColumn } from '../../../core/schema/raw.js';
import { noFacts, type ValueFacts } from '../../../core/schema/types/coerced.js';
import type { ColumnType } from '../../../core/schema/types/field-type.js';
import { readType } from './column-types.js';

type OwnFacts = Pick<ValueFacts, 'fraction' | 'choices' | 'alsoAccepts' | 'structure' | 'keepsScale'>;

/** The base type of an array's elements. `typmod`: null if it is that of the array. */
export type ElementFacts = readonly [dataType: string, category: string, typmod: number | null, enumValues: readonly string[] | null];

/** PostgreSQL's default precision of times. */
const clockDigits = 6;

const clock = String.raw`T\d\d:\d\d:\d\d(?:\.\d{1,6})?`;
/** Infinity, a year of more than four digits, or a year before the year 1. */
const far = (rest: string): RegExp => new RegExp(String.raw`^(?:-?infinity|\d{5,7}-\d\d-\d\d${rest}|\d{4,7}-\d\d-\d\d${rest} BC)$`);

/** Values outside of the service's forms, as PostgreSQL writes them into JSON. */
const alsoAccepts: Partial<Readonly<Record<ColumnType, RegExp>>> = {
  time: /^24:00:00$/,
  date: far(''),
  dateTime: far(clock),
  timestamp: far(`${clock}Z`),
};

/** Only the facts in which the column differs from a plain column of its type. */
export function readValueFacts(
  type: ColumnType,
  dataType: string,
  typmod: number,
  labels: readonly string[] | null,
  element: ElementFacts | null,
): OwnFacts {
  const keepsFraction = type === 'time' || type === 'dateTime' || type === 'timestamp';
  const others = alsoAccepts[type];
  const structure = isHstore(dataType) ? ({ kind: 'map' } as const) : element === null ? null : listOf(element, typmod);
  return {
    ...(keepsFraction ? { fraction: typmod < 0 ? clockDigits : typmod } : {}),
    ...(type === 'decimal' && typmod < 0 ? { keepsScale: true as const } : {}),
    ...(labels === null ? {} : { choices: labels }),
    ...(others === undefined ? {} : { alsoAccepts: others }),
    ...(structure === null ? {} : { structure }),
  };
}

function listOf([dataType, category, ownTypmod, labels]: ElementFacts, typmod: number): NonNullable<ValueFacts['structure']> {
  const size = ownTypmod ?? typmod;
  const { type, maxLength, precision, scale } = readType(dataType, dataType, size, category === 'E');
  return {
    kind: 'list',
    element: { type, facts: { ...noFacts, maxLength, precision, scale, ...readValueFacts(type, dataType, size, labels, null) } },
  };
}

const isHstore = (dataType: string): boolean => /^(?:.*\.)?hstore$/.test(dataType);

export const isEnum = (column: RawColumn | null): boolean => column?.vendor['category'] === 'E';

/** A citext column compares without case; a parameter of type text would override that. */
export const hasOwnText = (column: RawColumn | null): boolean => column !== null && /^(?:.*\.)?citext$/.test(column.dataType);

export const isAddress = (column: RawColumn | null): boolean => column?.vendor['exact'] === 'inet';

/** A float of four bytes. */
export const isSingle = (column: RawColumn | null): boolean => column?.vendor['exact'] === 'real';

/** Where PostGIS is installed and what the column is: `gis.geography` is `['gis.', 'geography']`; null for other types. */
export function postgisType(column: RawColumn | null): readonly [prefix: string, name: string] | null {
  const [, prefix = '', name] = /^(.*\.)?(geometry|geography)$/.exec(column?.dataType ?? '') ?? [];
  return name === undefined ? null : [prefix, name];
}

export const isComposite = (column: RawColumn | null): boolean => column?.vendor['category'] === 'C';

export const isDomain = ({ vendor }: RawColumn): boolean => vendor['sqlType'] !== vendor['exact'];

/** Whether the type has `<` and `=`. hstore has `=`, but its order operators have other names. */
export const hasOrder = (column: RawColumn | null): boolean => column?.vendor['ordered'] !== false && column?.structure?.kind !== 'map';

/** The base type with its length, for casts. A cast to a domain would check the domain's constraints on a value that is only compared. */
export const exactType = (column: RawColumn): string => String(column.vendor['exact']);

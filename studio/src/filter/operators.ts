// What can be asked of a field: the operators of its type, the parts of a moment, the number of items in a list.

import { nameOfStep } from '../schema/field-path.js';
import type { Collection, Field, Schema } from '../schema/model.js';
import type { Messages } from '../text/messages.js';
import { operandOf } from './filter-tree.js';

export type Operator = keyof Messages['operators'];

const presence: readonly Operator[] = ['_null', '_nnull'];
const blank: readonly Operator[] = ['_empty', '_nempty'];
const identity: readonly Operator[] = ['_eq', '_neq', '_in', '_nin'];
const order: readonly Operator[] = ['_gt', '_gte', '_lt', '_lte', '_between', '_nbetween'];
const words: readonly Operator[] = [
  '_icontains',
  '_nicontains',
  '_contains',
  '_ncontains',
  '_istarts_with',
  '_starts_with',
  '_nistarts_with',
  '_nstarts_with',
  '_iends_with',
  '_ends_with',
  '_niends_with',
  '_nends_with',
];
const comparable = [...identity, ...order, ...presence];
const numberTypes = ['integer', 'bigInteger', 'decimal', 'float'];
const momentTypes = ['date', 'time', 'dateTime', 'timestamp'];

const byType: Readonly<Record<string, readonly Operator[]>> = {
  string: [...words, ...identity, ...blank, ...presence],
  text: [...words, ...identity, ...blank, ...presence],
  csv: ['_contains', '_ncontains', ...blank, ...presence],
  boolean: ['_eq', ...presence],
  uuid: [...identity, ...presence],
  unknown: [...identity, ...presence],
  hash: [...blank, ...presence],
  ...Object.fromEntries([...numberTypes, ...momentTypes].map((type) => [type, comparable])),
};

/** A field, or what is computed of it, at the end of a condition's path. */
export interface Subject {
  /** The field; null when the path leads nowhere. */
  readonly field: Field | null;
  /** `year`, `count`, …: the operand is a number then. */
  readonly part: string | null;
  /** The collections that the path leads through, the list's own first. */
  readonly collections: readonly Collection[];
}

/** Follows a path from a collection. Names that are unknown end it. */
export function subjectOf(schema: Schema, collection: Collection, path: readonly string[]): Subject {
  const collections = [collection];
  let at: Collection | undefined = collection;
  let subject: Pick<Subject, 'field' | 'part'> = { field: null, part: null };
  for (const step of path.filter((name) => name !== '_none')) {
    const { name, part } = partOfStep(at, step);
    const field: Field | undefined = at?.fieldsByName.get(name);
    if (field === undefined) return { field: null, part: null, collections };
    subject = { field, part };
    at = part === null ? relatedTo(schema, field) : undefined;
    if (at !== undefined) collections.push(at);
  }
  return { ...subject, collections };
}

/** The name of the field that a step means, and the part of it. The whole step may be the name of a field. */
export function partOfStep(at: Collection | undefined, step: string): { readonly name: string; readonly part: string | null } {
  const isName = (name: string): boolean => at?.fieldsByName.has(name) === true;
  if (isName(step)) return { name: step, part: null };
  const { name, part } = splitPart(step);
  return { name: nameOfStep(name, isName), part };
}

/** `year(published)` → the part and the field. */
export function splitPart(step: string): { readonly name: string; readonly part: string | null } {
  const match = /^([a-z]+)\((.+)\)$/.exec(step);
  return match === null ? { name: step, part: null } : { name: match[2] ?? '', part: match[1] ?? '' };
}

/** Where a path goes on behind a relation; a list over a junction goes on in the junction. */
export function relatedTo(schema: Schema, { relation }: Field): Collection | undefined {
  if (relation === null || relation.kind === 'm2a') return undefined;
  return schema.get(relation.kind === 'm2m' ? relation.junction : relation.related);
}

export const isToMany = ({ relation }: Field): boolean => relation?.kind === 'o2m' || relation?.kind === 'm2m';

const dateParts = ['year', 'month', 'week', 'day', 'weekday'];
const timeParts = ['hour', 'minute', 'second'];

/** The functions that the API has for a field. */
export function partsOf(field: Field): readonly string[] {
  if (isToMany(field)) return ['count'];
  if (field.type === 'date') return dateParts;
  if (field.type === 'dateTime' || field.type === 'timestamp') return [...dateParts, ...timeParts];
  return field.type === 'time' ? timeParts : [];
}

/** The first one is offered first. */
export function operatorsOf({ field, part }: Subject): readonly Operator[] {
  if (field === null) return [];
  if (part !== null) return ['_eq', '_neq', ...order];
  if (isToMany(field)) return presence;
  const isSecret = field.special.includes('conceal') || field.type === 'hash';
  const all = isSecret ? [...blank, ...presence] : field.relation !== null ? byType['uuid'] : (byType[field.type] ?? presence);
  const chosen = field.choices !== null && field.relation === null && !isSecret && field.type !== 'csv' ? byType['uuid'] : all;
  return chosen ?? presence;
}

/**
 * What a condition begins with: the first that takes a value, since it asks nothing before it has one. "Is empty" would filter at once, so it
 * is for the person to choose.
 */
export const firstOperator = (subject: Subject): string => operatorsOf(subject).find((each) => operandOf(each) !== 'none') ?? '';

/** Fields a condition may begin with or go on to. */
export const filterableFields = ({ fields }: Collection): readonly Field[] =>
  fields.filter(
    (field) => (field.column !== null || isToMany(field)) && !field.special.includes('no-data') && (!field.hidden || field.isKey),
  );

export const isNumeric = ({ field, part }: Subject): boolean => part !== null || (field !== null && numberTypes.includes(field.type));
export const isMoment = ({ field, part }: Subject): boolean => part === null && field !== null && momentTypes.includes(field.type);

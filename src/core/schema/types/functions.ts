// Functions of fields: which of them fit which type, and the type of their result.

import type { FieldRef } from '../../query/query.js';
import type { ColumnType, FieldType } from './field-type.js';

export type DatePart = 'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second';

export type FieldFunction = DatePart | 'count' | 'json';

const dayParts: readonly FieldFunction[] = ['year', 'month', 'week', 'day', 'weekday'];
const timeParts: readonly FieldFunction[] = ['hour', 'minute', 'second'];

const byType: Partial<Record<FieldType, readonly FieldFunction[]>> = {
  date: dayParts,
  time: timeParts,
  dateTime: [...dayParts, ...timeParts],
  timestamp: [...dayParts, ...timeParts],
  json: ['count', 'json'],
};

const ofRelation: readonly FieldFunction[] = ['count'];
const none: readonly FieldFunction[] = [];

/** What a function is applied to. Concealed values have no functions. */
interface Subject {
  readonly kind: 'column' | 'reference' | 'relation' | 'presentation';
  readonly type: FieldType;
  readonly concealed?: boolean;
}

export function functionsOf(subject: Subject): readonly FieldFunction[] {
  if (subject.kind === 'relation') return ofRelation;
  return subject.kind === 'column' && subject.concealed !== true ? (byType[subject.type] ?? none) : none;
}

/** The function that a reference names, or null if there is none, it does not fit the field or its arguments are wrong. */
export function findFunction(ref: FieldRef, subject: Subject): FieldFunction | null {
  const found = functionsOf(subject).find((name) => name === ref.fn);
  if (found === undefined) return null;
  return ref.args.length === (found === 'json' ? 1 : 0) ? found : null;
}

/** `json` returns any JSON value; all others return an integer. */
export const functionType = (fn: FieldFunction): ColumnType => (fn === 'json' ? 'json' : 'integer');

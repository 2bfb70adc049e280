// Functions of fields (items.md 2.5): which fit which type, and what they give.

import type { FieldRef } from '../query/query.js';
import type { DatePart } from './date-part.js';
import type { ColumnType, FieldType } from './field-type.js';

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

/** What a function can be applied to: a field of a kind, of a type. Nothing is computed from a concealed value. */
interface Subject {
  readonly kind: 'column' | 'relation' | 'presentation';
  readonly type: FieldType;
  readonly concealed?: boolean;
}

export function functionsOf(subject: Subject): readonly FieldFunction[] {
  if (subject.kind === 'relation') return ofRelation;
  return subject.kind === 'column' && subject.concealed !== true ? (byType[subject.type] ?? none) : none;
}

/** The function a reference names, if it exists, fits the field and has the arguments it needs; else null. */
export function findFunction(ref: FieldRef, subject: Subject): FieldFunction | null {
  const found = functionsOf(subject).find((name) => name === ref.fn);
  if (found === undefined) return null;
  return ref.args.length === (found === 'json' ? 1 : 0) ? found : null;
}

/** `json` gives whatever stands at its path. */
export const functionType = (fn: FieldFunction): ColumnType => (fn === 'json' ? 'json' : 'integer');

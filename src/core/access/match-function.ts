// Computes functions of fields in memory with the results the database would give: `year(published)`, `count(tags)`, `json(specs, a.b)`.

import { type JsonPath, parseJsonPath } from '../query/json-path.js';
import type { FieldRef } from '../query/query.js';
import { coerceValue } from '../schema/types/coerce-value.js';
import { noFacts } from '../schema/types/coerced.js';
import type { FieldType } from '../schema/types/field-type.js';
import type { DatePart } from '../schema/types/functions.js';
import { tryParseJson } from '../util/try-parse-json.js';

/** Returns null when there is no value to compute from. */
export function computeFunction(ref: FieldRef, type: FieldType, value: unknown): unknown {
  if (value === null || value === undefined) return type === 'alias' ? 0 : null;
  if (ref.fn === 'count') return countEntries(readAt(value, []));
  if (ref.fn === 'json') return readAt(value, parseJsonPath(ref.args[0] ?? ''));
  const coerced = coerceValue(type, value, noFacts, 'operand');
  if (!coerced.ok || typeof coerced.value !== 'string') return null;
  return datePart(ref.fn, type === 'time' ? `1970-01-01T${coerced.value}` : coerced.value);
}

const countEntries = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);

/** The value of a JSON field may be the value itself or its JSON text. */
export function readAt(value: unknown, path: JsonPath): unknown {
  let place = typeof value === 'string' ? tryParseJson(value) : value;
  for (const step of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return null;
    if (Array.isArray(place) !== (typeof step === 'number')) return null;
    place = Reflect.get(place, step);
  }
  return place;
}

/** `text` is a canonical date or timestamp, read as UTC. */
function datePart(part: string | null, text: string): number | null {
  const moment = new Date(text.endsWith('Z') || text.length === 10 ? text : `${text}Z`);
  return Number.isNaN(moment.getTime()) || part === null || !Object.hasOwn(parts, part) ? null : parts[part as DatePart](moment);
}

const parts: Readonly<Record<DatePart, (moment: Date) => number>> = {
  year: (moment) => moment.getUTCFullYear(),
  month: (moment) => moment.getUTCMonth() + 1,
  week: isoWeek,
  day: (moment) => moment.getUTCDate(),
  weekday: (moment) => moment.getUTCDay(),
  hour: (moment) => moment.getUTCHours(),
  minute: (moment) => moment.getUTCMinutes(),
  second: (moment) => moment.getUTCSeconds(),
};

/** ISO 8601: week 1 is the week that contains the first Thursday of the year. */
function isoWeek(moment: Date): number {
  const thursday = new Date(moment);
  thursday.setUTCHours(0, 0, 0, 0);
  thursday.setUTCDate(moment.getUTCDate() + 4 - (moment.getUTCDay() || 7));
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.ceil(((thursday.getTime() - yearStart) / 86_400_000 + 1) / 7);
}

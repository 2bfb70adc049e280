// Compares two answers. Deliberate differences, which are the same for every project (docs/compatibility.md), are counted apart.

import { isPlainObject } from '../../core/util/plain-object.js';
import type { Read } from './derive-reads.js';
import type { Answer } from './server.js';

export interface Comparison {
  readonly outcome: 'equal' | 'meant' | 'different';
  /** The first differences, in words. */
  readonly samples: readonly string[];
}

const mostSamples = 3;

export function compareAnswers(read: Read, one: Answer, other: Answer): Comparison {
  const found = [...differences(comparable(read, one), comparable(read, other))];
  const unexpected = found.filter(([path, a, b]) => !isIntended(path, a, b));
  const shown = (unexpected.length > 0 ? unexpected : found)
    .slice(0, mostSamples)
    .map(([path, a, b]) => `${path}: ${brief(a)} → ${brief(b)}`);
  return { outcome: found.length === 0 ? 'equal' : unexpected.length === 0 ? 'meant' : 'different', samples: shown };
}

/** Errors are compared by their codes, not by their messages, and resized images by their type. */
function comparable({ ofContent }: Read, { status, body }: Answer): unknown {
  if (!isPlainObject(body)) return { status, body };
  if (Array.isArray(body['errors'])) return { status, errors: body['errors'].map(codeOf) };
  return { status, body: ofContent === 'type' && 'sha256' in body ? { type: body['type'] } : body };
}

const codeOf = (error: unknown): unknown => {
  const extensions = isPlainObject(error) ? error['extensions'] : null;
  return isPlainObject(extensions) ? extensions['code'] : null;
};

type Difference = readonly [path: string, one: unknown, other: unknown];

function* differences(one: unknown, other: unknown, path = ''): Generator<Difference> {
  if (Object.is(one, other)) return;
  const [a, b] = [entriesOf(one), entriesOf(other)];
  if (a === null || b === null || Array.isArray(one) !== Array.isArray(other)) {
    yield [path, one, other];
    return;
  }
  for (const key of new Set([...a.keys(), ...b.keys()])) yield* differences(a.get(key), b.get(key), path === '' ? key : `${path}.${key}`);
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((entry, index) => [String(index), entry]));
  return isPlainObject(value) ? new Map(Object.entries(value)) : null;
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value !== '' && Number.isFinite(Number(value)));

/** Whether a difference is deliberate: exact numbers as texts, flags joined into one text, and keys that only this service answers. */
function isIntended(path: string, one: unknown, other: unknown): boolean {
  if (isNumeric(one) && isNumeric(other)) return Number(one) === Number(other);
  if (path.endsWith('special')) return String(one) === String(other);
  return one === undefined && /(?:^|\.)(?:comment|column_comment|generation_expression|is_generated|is_indexed)$/.test(path);
}

const brief = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 120));

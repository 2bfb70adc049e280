// Typed values: every value of a payload and every operand of a filter is brought into the one canonical form of its field's type
// here, or refused, so that all vendors accept and refuse the same.

import { unreachable } from '../errors/service-error.js';
import { coerceBinary, coerceUuid } from './coerce-bytes.js';
import { coerceBigInteger, coerceBoolean, coerceDecimal, coerceFloat, coerceInteger } from './coerce-number.js';
import { coerceCsv, coerceJson } from './coerce-structure.js';
import { coerceText } from './coerce-text.js';
import { coerceDate, coerceDateTime, coerceTime, coerceTimestamp } from './coerce-time.js';
import { type Coerced, type CoerceMode, fits, misfit, noFacts, type ValueFacts } from './coerced.js';
import type { FieldType } from './field-type.js';
import { coerceGeometry } from './geometry.js';

/** null fits every type; whether the column takes it is another question. */
export function coerceValue(type: FieldType, value: unknown, facts: ValueFacts = noFacts, mode: CoerceMode = 'write'): Coerced {
  if (value === null) return fits(null);
  switch (type) {
    case 'string':
    case 'text':
    case 'unknown':
      return coerceText(value, facts, mode);
    case 'hash':
      return coerceText(value, noFacts, mode);
    case 'integer':
      return coerceInteger(value, facts, mode);
    case 'bigInteger':
      return coerceBigInteger(value, facts, mode);
    case 'float':
      return coerceFloat(value, mode);
    case 'decimal':
      return coerceDecimal(value, facts, mode);
    case 'boolean':
      return coerceBoolean(value);
    case 'date':
      return coerceDate(value);
    case 'time':
      return coerceTime(value, mode);
    case 'dateTime':
      return coerceDateTime(value);
    case 'timestamp':
      return coerceTimestamp(value);
    case 'json':
      return coerceJson(value);
    case 'csv':
      return coerceCsv(value, facts, mode);
    case 'uuid':
      return coerceUuid(value);
    case 'binary':
      return coerceBinary(value);
    case 'alias':
      return misfit('type', 'has no value of its own');
    default:
      return coerceOther(type, value);
  }
}

function coerceOther(type: Extract<FieldType, 'geometry' | `geometry.${string}`>, value: unknown): Coerced {
  switch (type) {
    case 'geometry':
    case 'geometry.Point':
    case 'geometry.LineString':
    case 'geometry.Polygon':
    case 'geometry.MultiPoint':
    case 'geometry.MultiLineString':
    case 'geometry.MultiPolygon':
      return coerceGeometry(type, value);
    default:
      return unreachable(type);
  }
}

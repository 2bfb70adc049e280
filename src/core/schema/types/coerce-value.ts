// Coercion by type: brings every value of a payload and every operand of a filter into the one canonical form of its field's type, or
// refuses it. Because this happens before any vendor is involved, all vendors accept and refuse the same values.

import { unreachable } from '../../errors/service-error.js';
import { coerceGeometry } from './coerce-geometry.js';
import { coerceCsv, coerceJson } from './coerce-json.js';
import { coerceBigInteger, coerceBoolean, coerceDecimal, coerceFloat, coerceInteger } from './coerce-number.js';
import { coerceBinary, coerceLoose, coerceText, coerceUuid } from './coerce-text.js';
import { coerceDate, coerceDateTime, coerceTime, coerceTimestamp } from './coerce-time.js';
import { coerceVendorStructure } from './coerce-vendor-structure.js';
import { type Coerced, type CoerceMode, fits, misfit, noFacts, type ValueFacts } from './coerced.js';
import type { FieldType } from './field-type.js';

/** null fits every type; whether the column accepts null is checked elsewhere. */
export function coerceValue(type: FieldType, value: unknown, facts: ValueFacts = noFacts, mode: CoerceMode = 'write'): Coerced {
  if (value === null) return fits(null);
  if (facts.alsoAccepts !== undefined && typeof value === 'string' && facts.alsoAccepts.test(value)) return fits(value);
  switch (type) {
    case 'string':
    case 'text':
      return coerceText(value, facts, mode);
    case 'unknown':
      if (facts.structure !== undefined) return coerceVendorStructure(value, facts.structure, mode, coerceValue);
      return facts.loose === true ? coerceLoose(value, facts, mode) : coerceText(value, facts, mode);
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
      return coerceTime(value, facts, mode);
    case 'dateTime':
      return coerceDateTime(value, facts, mode);
    case 'timestamp':
      return coerceTimestamp(value, facts, mode);
    case 'json':
      return coerceJson(value);
    case 'csv':
      return coerceCsv(value, facts, mode);
    case 'uuid':
      return coerceUuid(value);
    case 'binary':
      return coerceBinary(value);
    case 'alias':
      return misfit('type', 'no_value');
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

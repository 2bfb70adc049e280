// Geometries as GeoJSON (RFC 7946). The canonical form is the JSON text of the geometry; its positions are checked to be finite numbers.

import { isNestedTooDeeply } from '../../util/json-nesting.js';
import { tryParseJson } from '../../util/try-parse-json.js';
import { type Coerced, fits, misfit } from './coerced.js';

/** How many levels of lists enclose the positions of each kind. */
const nesting = new Map([
  ['Point', 0],
  ['MultiPoint', 1],
  ['LineString', 1],
  ['MultiLineString', 2],
  ['Polygon', 2],
  ['MultiPolygon', 3],
]);

export function coerceGeometry(type: string, value: unknown): Coerced {
  const geometry = typeof value === 'string' ? readJson(value) : value;
  if (!isGeometry(geometry, 0)) return misfit('type', 'geometry', { kind: '' });
  const wanted = type.slice('geometry.'.length);
  if (wanted !== '' && geometry.type !== wanted) return misfit('type', 'geometry', { kind: wanted });
  return fits(JSON.stringify(plain(geometry)));
}

interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** Drops foreign members. */
function plain(geometry: Geometry): Geometry {
  if (geometry.geometries) return { type: geometry.type, geometries: geometry.geometries.map(plain) };
  return { type: geometry.type, coordinates: geometry.coordinates };
}

function isGeometry(value: unknown, depth: number): value is Geometry {
  if (typeof value !== 'object' || value === null || !('type' in value) || typeof value.type !== 'string') return false;
  if (value.type === 'GeometryCollection') {
    return (
      depth < 3 && 'geometries' in value && Array.isArray(value.geometries) && value.geometries.every((part) => isGeometry(part, depth + 1))
    );
  }
  const lists = nesting.get(value.type);
  return lists !== undefined && 'coordinates' in value && arePositions(value.coordinates, lists);
}

function arePositions(value: unknown, lists: number): boolean {
  if (!Array.isArray(value)) return false;
  if (lists > 0) return value.every((part) => arePositions(part, lists - 1));
  return value.length >= 2 && value.length <= 3 && value.every((part) => typeof part === 'number' && Number.isFinite(part));
}

const readJson = (text: string): unknown => (isNestedTooDeeply(text) ? undefined : tryParseJson(text));

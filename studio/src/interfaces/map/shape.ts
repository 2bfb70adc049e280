// GeoJSON geometries as lists of positions that can be edited one by one. What is not edited stays as it is, altitudes included. Pure.

export type Position = readonly number[];

const forms = {
  Point: { form: 'point', depth: 0 },
  MultiPoint: { form: 'point', depth: 1 },
  LineString: { form: 'line', depth: 0 },
  MultiLineString: { form: 'line', depth: 1 },
  Polygon: { form: 'ring', depth: 1 },
  MultiPolygon: { form: 'ring', depth: 2 },
} as const;

export type Kind = keyof typeof forms;
type Form = (typeof forms)[Kind]['form'];

export interface Geometry {
  readonly type: Kind;
  readonly coordinates: readonly unknown[];
}

/** One point, line or ring of a geometry. A ring is without the position that closes it. */
export interface Part {
  /** Where its positions are in the coordinates. */
  readonly at: readonly number[];
  readonly form: Form;
  readonly positions: readonly Position[];
}

export const isKind = (name: unknown): name is Kind => typeof name === 'string' && Object.hasOwn(forms, name);
export const formOf = (kind: Kind): Form => forms[kind].form;
export const canGrow = (kind: Kind): boolean => kind.startsWith('Multi');

/** As few positions as make a part. */
export const leastOf: Readonly<Record<Form, number>> = { point: 1, line: 2, ring: 3 };

/** A geometry that can be edited on the map. */
export function isGeometry(value: unknown): value is Geometry {
  if (!isObject(value) || !isKind(value['type'])) return false;
  const { form, depth } = forms[value['type']];
  return areLists(value['coordinates'], form === 'point' ? depth : depth + 1);
}

/** The geometries of a collection as well; null for what is none. */
export function geometriesOf(value: unknown): readonly Geometry[] | null {
  if (isGeometry(value)) return [value];
  if (!isObject(value) || value['type'] !== 'GeometryCollection' || !Array.isArray(value['geometries'])) return null;
  const inside = value['geometries'].map(geometriesOf);
  return inside.every((each) => each !== null) ? inside.flat() : null;
}

export function partsOf({ type, coordinates }: Geometry): readonly Part[] {
  const { form, depth } = forms[type];
  return listsAt(coordinates, depth).map(({ at, list }) => ({ at, form, positions: readPositions(form, list) }));
}

/** Without the part when it has too few positions; null when nothing is left. */
export function withPart(geometry: Geometry, { at, form }: Part, positions: readonly Position[]): Geometry | null {
  const written = positions.length < leastOf[form] ? null : writePositions(form, positions);
  const coordinates = replaceAt(geometry.coordinates, at, form, written);
  return coordinates === null ? null : { type: geometry.type, coordinates };
}

/** The geometry with another part; of kinds that have one only, that part alone. */
export function addPart(geometry: Geometry | null, kind: Kind, positions: readonly Position[]): Geometry {
  const { form } = forms[kind];
  const written = writePositions(form, positions);
  const part = kind === 'Polygon' || kind === 'MultiPolygon' ? [written] : written;
  if (!canGrow(kind)) return { type: kind, coordinates: part };
  return { type: kind, coordinates: [...(geometry?.coordinates ?? []), part] };
}

/** Where a click adds a position: into the edge that is nearest, or behind the end of a line that it is further away from. */
export function placeFor(
  parts: readonly Part[],
  distance: (one: Position, other: Position) => number,
  near: number,
): [Part, number] | null {
  const places = parts.flatMap((part): readonly { part: Part; index: number; far: number }[] => {
    const { form, positions } = part;
    const edges = positions
      .map((one, index) => ({ part, index: index + 1, far: distance(one, positions[(index + 1) % positions.length] ?? one) }))
      .slice(0, form === 'ring' ? positions.length : -1);
    const end = positions.at(-1);
    return form === 'line' && end !== undefined
      ? [...edges.filter(({ far }) => far < near), { part, index: positions.length, far: distance(end, end) }]
      : edges;
  });
  const nearest = places.toSorted((one, other) => one.far - other.far)[0];
  return nearest === undefined ? null : [nearest.part, nearest.index];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

function areLists(value: unknown, depth: number): boolean {
  if (!Array.isArray(value)) return false;
  if (depth > 0) return value.every((each) => areLists(each, depth - 1));
  return value.length >= 2 && value.every((each) => Number.isFinite(each));
}

interface PlacedList {
  readonly at: readonly number[];
  readonly list: readonly unknown[];
}

const listsAt = (list: readonly unknown[], depth: number): readonly PlacedList[] =>
  depth === 0
    ? [{ at: [], list }]
    : list.flatMap((each, index) => listsAt(each as readonly unknown[], depth - 1).map(({ at, list }) => ({ at: [index, ...at], list })));

function readPositions(form: Form, list: readonly unknown[]): readonly Position[] {
  if (form === 'point') return [list as Position];
  const positions = list as readonly Position[];
  const isClosed = positions.length > 1 && JSON.stringify(positions[0]) === JSON.stringify(positions.at(-1));
  return form === 'ring' && isClosed ? positions.slice(0, -1) : positions;
}

function writePositions(form: Form, positions: readonly Position[]): readonly unknown[] {
  if (form === 'point') return positions[0] ?? [];
  return form === 'ring' ? [...positions, ...positions.slice(0, 1)] : positions;
}

/** Null: nothing is left. */
function replaceAt(
  list: readonly unknown[],
  [index, ...below]: readonly number[],
  form: Form,
  next: readonly unknown[] | null,
): readonly unknown[] | null {
  if (index === undefined) return next;
  const inside = replaceAt(list[index] as readonly unknown[], below, form, next);
  if (inside !== null) return list.with(index, inside);
  // A polygon without its outer ring is none.
  const isOuterRing = form === 'ring' && below.length === 0 && index === 0;
  return isOuterRing || list.length === 1 ? null : list.toSpliced(index, 1);
}

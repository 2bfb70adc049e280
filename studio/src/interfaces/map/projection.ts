// Where positions are on the map. Longitudes and latitudes are projected as Mercator did; coordinates of another system lie on a plain plane.
// Pure.

import type { Position } from './shape.js';

/** The map in units of its own; the page scales them. */
export const [mapWidth, mapHeight] = [640, 320];

export interface View {
  /** The projected position in the middle. */
  readonly x: number;
  readonly y: number;
  /** Units for a degree of longitude. */
  readonly scale: number;
}

export interface Projection {
  readonly isGlobe: boolean;
  readonly view: View;
  /** Units on the map. */
  readonly place: (position: Position) => readonly [number, number];
  readonly positionAt: (x: number, y: number) => Position;
}

const mostLatitude = 85;
const [leastScale, mostScale] = [mapWidth / 360, 500_000];
const degrees = 180 / Math.PI;

const isOnGlobe = ([x = 0, y = 0]: Position): boolean => Math.abs(x) <= 360 && Math.abs(y) <= 90;
const northing = (latitude: number): number =>
  Math.log(Math.tan(Math.PI / 4 + Math.min(mostLatitude, Math.max(-mostLatitude, latitude)) / 2 / degrees)) * degrees;
const latitudeAt = (y: number): number => (2 * Math.atan(Math.exp(y / degrees)) - Math.PI / 2) * degrees;

export function projectionOf(positions: readonly Position[], view: View): Projection {
  const isGlobe = positions.every(isOnGlobe);
  return {
    isGlobe,
    view,
    place: ([x = 0, y = 0]) => [
      mapWidth / 2 + (x - view.x) * view.scale,
      mapHeight / 2 - ((isGlobe ? northing(y) : y) - view.y) * view.scale,
    ],
    positionAt: (x, y) => {
      const up = view.y + (mapHeight / 2 - y) / view.scale;
      return [roundFor(view.scale, view.x + (x - mapWidth / 2) / view.scale), roundFor(view.scale, isGlobe ? latitudeAt(up) : up)];
    },
  };
}

/** As many digits as the map shows, and one more. */
function roundFor(scale: number, value: number): number {
  const digits = Math.min(7, Math.max(0, Math.ceil(Math.log10(scale)) + 1));
  return Number(value.toFixed(digits));
}

const world: View = { x: 10, y: 18, scale: leastScale };

/** All positions with a margin; a single point with its surroundings; without any, the other view or the world. */
export function viewOf(positions: readonly Position[], other: View | null): View {
  if (positions.length === 0) return other ?? world;
  const isGlobe = positions.every(isOnGlobe);
  const xs = positions.map(([x = 0]) => x);
  const ys = positions.map(([, y = 0]) => (isGlobe ? northing(y) : y));
  const [left, right, low, high] = [least(xs), most(xs), least(ys), most(ys)];
  const around = isGlobe ? 90 : 1;
  const size = Math.max((right - left) / mapWidth, (high - low) / mapHeight) * 1.3 || around / mapWidth;
  return { x: (left + right) / 2, y: (low + high) / 2, scale: Math.min(mostScale, 1 / size) };
}

const least = (values: readonly number[]): number => values.reduce((one, other) => Math.min(one, other));
const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other));

export const zoomed = (view: View, factor: number): View => ({
  ...view,
  scale: Math.min(mostScale, Math.max(Math.min(leastScale, view.scale), view.scale * factor)),
});

/** The view that metadata keeps: its zoom counts doublings of a world of 512 units. */
export function viewFrom(options: Readonly<Record<string, unknown>>): View | null {
  const { center, zoom } = (options['defaultView'] ?? {}) as { center?: { lng?: unknown; lat?: unknown }; zoom?: unknown };
  if (!Number.isFinite(center?.lng) || !Number.isFinite(center?.lat) || !Number.isFinite(zoom)) return null;
  return zoomed({ x: Number(center?.lng), y: northing(Number(center?.lat)), scale: (512 / 360) * 2 ** Number(zoom) }, 1);
}

export interface GridLine {
  readonly value: number;
  /** Units on the map. */
  readonly place: number;
}

/** Lines at round values, about six across. */
export function gridLines({ isGlobe, view, place, positionAt }: Projection): {
  readonly across: readonly GridLine[];
  readonly up: readonly GridLine[];
} {
  const step = roundStep(mapWidth / 6 / view.scale);
  const [left = 0, high = 0] = positionAt(0, 0);
  const [right = 0, low = 0] = positionAt(mapWidth, mapHeight);
  const bounded = (value: number, limit: number) => (isGlobe ? Math.min(limit, Math.max(-limit, value)) : value);
  return {
    across: multiples(step, left, right).map((value) => ({ value, place: place([value, 0])[0] })),
    up: multiples(step, bounded(low, 80), bounded(high, 80)).map((value) => ({ value, place: place([0, value])[1] })),
  };
}

function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const known = size > 20 ? [30, 45, 90] : [power, 2 * power, 5 * power, 10 * power];
  return known.find((step) => step >= size) ?? 10 * power;
}

function multiples(step: number, from: number, to: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.min(50, Math.max(0, Math.floor(to / step) - first + 1)) }, (_, index) =>
    Number(((first + index) * step).toPrecision(10)),
  );
}

/** How far a place is from an edge, in units of the map. */
export function distanceTo({ place }: Projection, x: number, y: number): (one: Position, other: Position) => number {
  return (one, other) => {
    const [[ax, ay], [bx, by]] = [place(one), place(other)];
    const [dx, dy] = [bx - ax, by - ay];
    const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - ax - share * dx, y - ay - share * dy);
  };
}

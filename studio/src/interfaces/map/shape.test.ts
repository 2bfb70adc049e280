import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceTo, projectionOf, viewFrom, viewOf } from './projection.js';
import { addPart, type Geometry, geometriesOf, isGeometry, partsOf, placeFor, withPart } from './shape.js';

const position = fc.tuple(fc.integer({ min: -170, max: 170 }), fc.integer({ min: -80, max: 80 }));
const line = fc.uniqueArray(position, { minLength: 2, maxLength: 5, selector: String });
const ring = fc.uniqueArray(position, { minLength: 3, maxLength: 5, selector: String }).map((open) => [...open, ...open.slice(0, 1)]);
const polygon = fc.array(ring, { minLength: 1, maxLength: 3 });
const many = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 });
const geometry = fc.oneof(
  position.map((coordinates) => ({ type: 'Point', coordinates })),
  many(position).map((coordinates) => ({ type: 'MultiPoint', coordinates })),
  line.map((coordinates) => ({ type: 'LineString', coordinates })),
  many(line).map((coordinates) => ({ type: 'MultiLineString', coordinates })),
  polygon.map((coordinates) => ({ type: 'Polygon', coordinates })),
  many(polygon).map((coordinates) => ({ type: 'MultiPolygon', coordinates })),
) as fc.Arbitrary<Geometry>;

describe('shapes on the map', () => {
  it('are the same after each part is taken out and put back', () => {
    fc.assert(
      fc.property(geometry, (shape) => {
        for (const part of partsOf(shape)) expect(withPart(shape, part, part.positions)).toEqual(shape);
      }),
    );
  });

  it('stay geometries when positions go, until nothing is left', () => {
    fc.assert(
      fc.property(geometry, (shape) => {
        let left: Geometry | null = shape;
        for (let count = 0; left !== null; count += 1) {
          expect([isGeometry(left), count < 100]).toEqual([true, true]);
          const part = partsOf(left).at(-1);
          left = part === undefined ? null : withPart(left, part, part.positions.slice(1));
        }
      }),
    );
  });

  it('have holes that go alone, and none without the ring around them', () => {
    const ringOf = (size: number) => [
      [0, 0],
      [size, 0],
      [size, size],
      [0, 0],
    ];
    const holed: Geometry = { type: 'Polygon', coordinates: [ringOf(9), ringOf(3)] };
    const [outer, hole] = partsOf(holed);
    if (outer === undefined || hole === undefined) throw new Error('no rings');
    expect(withPart(holed, hole, [])).toEqual({ type: 'Polygon', coordinates: [ringOf(9)] });
    expect(withPart(holed, outer, [])).toBeNull();
    const lines: Geometry = {
      type: 'MultiLineString',
      coordinates: [
        [
          [0, 0],
          [1, 1],
        ],
        [
          [2, 2],
          [3, 3],
        ],
      ],
    };
    expect(withPart(lines, { at: [0], form: 'line', positions: [] }, [])).toEqual({
      type: 'MultiLineString',
      coordinates: [
        [
          [2, 2],
          [3, 3],
        ],
      ],
    });
  });

  it('are begun by their positions', () => {
    expect(
      addPart(null, 'Polygon', [
        [0, 0],
        [1, 0],
        [1, 1],
      ]),
    ).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    });
    const points = addPart(addPart(null, 'MultiPoint', [[1, 2]]), 'MultiPoint', [[3, 4]]);
    expect(points).toEqual({
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  it('are distinguished from invalid ones', () => {
    const point = { type: 'Point', coordinates: [1, 2, 30] };
    expect(geometriesOf({ type: 'GeometryCollection', geometries: [point, point] })).toEqual([point, point]);
    for (const other of [
      {},
      'POINT(1 2)',
      { type: 'Point' },
      { type: 'Point', coordinates: ['1', 2] },
      { type: 'Circle', coordinates: [1, 2] },
    ])
      expect(geometriesOf(other)).toBeNull();
  });

  it('grow in the nearest edge, and lines at their end', () => {
    const parts = partsOf({
      type: 'LineString',
      coordinates: [
        [0, 0],
        [10, 0],
        [20, 0],
      ],
    });
    const projection = projectionOf([], { x: 0, y: 0, scale: 10 });
    const at = (longitude: number, latitude: number) => {
      const [x, y] = projection.place([longitude, latitude]);
      return placeFor(parts, distanceTo(projection, x, y), 14)?.[1];
    };
    expect([at(4, 0.5), at(14, 0.5), at(24, 0), at(5, 20)]).toEqual([1, 2, 3, 3]);
  });
});

describe('the map', () => {
  it('finds a position where it has put it', () => {
    fc.assert(
      fc.property(position, ([x, y]) => {
        const projection = projectionOf([[x, y]], viewOf([[x, y]], null));
        const [left, top] = projection.place([x + 0.5, y + 0.5]);
        const [longitude = 0, latitude = 0] = projection.positionAt(left, top);
        expect([Math.abs(longitude - x - 0.5) < 0.001, Math.abs(latitude - y - 0.5) < 0.001]).toEqual([true, true]);
      }),
    );
  });

  it('lays coordinates of another system on a plane', () => {
    const positions = [
      [389_000, 5_819_000],
      [390_000, 5_820_000],
    ];
    const projection = projectionOf(positions, viewOf(positions, null));
    expect(projection.isGlobe).toBe(false);
    expect(projection.positionAt(...projection.place([389_500, 5_819_500]))).toEqual([389_500, 5_819_500]);
  });

  it('begins where metadata says', () => {
    const view = viewFrom({ defaultView: { center: { lng: 13.4, lat: 0.0001 }, zoom: 9 } });
    expect([view?.x, view?.y.toFixed(3), view?.scale.toFixed(1)]).toEqual([13.4, '0.000', '728.2']);
    expect(viewFrom({ defaultView: { zoom: 'far' } })).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { columnsOf, freePlace, onGrid, overlaps, type Place, type Places, settle, usualColumns } from './layout.js';

const place = (x: number, y: number, width: number, height: number): Place => ({ x, y, width, height });
/** Numbers that look random and are the same in every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

describe('places of panels', () => {
  it('a panel that is moved pushes those it meets down, and the others stay', () => {
    const places: Places = new Map([
      ['a', place(1, 1, 12, 6)],
      ['b', place(13, 1, 12, 6)],
      ['c', place(13, 7, 12, 6)],
    ]);
    const after = settle(places, 'a', place(13, 1, 12, 6));
    expect([...after]).toEqual([
      ['a', place(13, 1, 12, 6)],
      ['b', place(13, 7, 12, 6)],
      ['c', place(13, 13, 12, 6)],
    ]);
  });

  it('never cover each other and never leave the grid, whatever is moved where', () => {
    const next = random(7);
    const number = (limit: number) => Math.floor(next() * limit);
    for (let trial = 0; trial < 300; trial += 1) {
      let places: Places = new Map();
      for (let id = 0; id < 8; id += 1) {
        const size = { width: 4 + number(20), height: 3 + number(10) };
        places = new Map([...places, [String(id), freePlace(places, size)]]);
      }
      for (let move = 0; move < 5; move += 1)
        places = settle(places, String(number(8)), place(number(80) - 10, number(40) - 10, number(70), number(30)));
      const all = [...places.values()];
      expect(all.some((one, index) => all.slice(index + 1).some((other) => overlaps(one, other)))).toBe(false);
      expect(all.every(({ x, y, width }) => x >= 1 && y >= 1 && x + width - 1 <= usualColumns)).toBe(true);
      expect(columnsOf(places)).toBe(usualColumns);
    }
  });

  it('a wider grid that is stored is kept', () => {
    const places: Places = new Map([['a', place(61, 1, 12, 6)]]);
    expect(columnsOf(places)).toBe(72);
    expect(onGrid(place(70, 1, 12, 6), 72)).toEqual(place(61, 1, 12, 6));
  });
});

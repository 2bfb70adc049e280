import { describe, expect, it } from 'vitest';
import { labelPlaces, roundScale } from './axis-chart.js';

describe('scales of charts', () => {
  it('have round steps around all values', () => {
    expect(roundScale([3, 97])).toEqual([0, 50, 100]);
    expect(roundScale([0.1, 0.35])).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(roundScale([-20, 55])).toEqual([-20, 0, 20, 40, 60]);
    expect(roundScale([])).toEqual([0, 1]);
    expect(roundScale([100])).toEqual([0, 50, 100]);
  });

  it('label as many places as have room', () => {
    expect(labelPlaces(30, 300, 60)).toEqual([0, 6, 12, 18, 24]);
    expect(labelPlaces(3, 300, 60)).toEqual([0, 1, 2]);
    expect(labelPlaces(3, 20, 60)).toEqual([0]);
  });
});

import { describe, expect, it } from 'vitest';
import { scrollScale } from './scroll-scale.js';

describe('the scale of scrolling', () => {
  it('is none for a list that browsers draw', () => {
    const { height, toOffset, toScrollTop } = scrollScale(20_000_000, 800);
    expect([height, toOffset(1234), toScrollTop(1234)]).toEqual([20_000_000, 1234, 1234]);
  });

  it('leads from the beginning to the very end of a longer one, and back', () => {
    const { height, toOffset, toScrollTop } = scrollScale(120_000_000, 800);
    expect([height, toOffset(0), toOffset(height - 800)]).toEqual([30_000_000, 0, 120_000_000 - 800]);
    for (const offset of [0, 36, 59_999_964, 119_999_200]) expect(toOffset(toScrollTop(offset))).toBeCloseTo(offset, 3);
  });
});

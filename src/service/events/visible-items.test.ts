import { describe, expect, it } from 'vitest';
import { VisibleItems } from './visible-items.js';

const item = (key: number | string, text: string) => ({ key, text });

describe('what is visible', () => {
  it('is compared without being changed: a difference that could not be sent is found again', () => {
    const visible = new VisibleItems();
    visible.add([item(1, 'a'), item(2, 'b'), item(3, 'c')]);
    const compare = () => visible.compare([1, 2, 4, 9], [item(2, 'B'), item(4, 'd')]);
    const difference = compare();
    expect(difference).toEqual({ create: [item(4, 'd')], update: [item(2, 'B')], delete: [1] });
    expect(compare()).toEqual(difference);
    visible.take(difference);
    expect(compare()).toEqual({ create: [], update: [], delete: [] });
    expect(visible.keys()).toEqual([2, 3, 4]);
  });

  it('a reading that fails half-way leaves it as it was', () => {
    const visible = new VisibleItems();
    visible.add([item(1, 'a'), item(2, 'b')]);
    expect(visible.startReading().see([item(1, 'A'), item(3, 'c')])).toBe(2);
    const reading = visible.startReading();
    reading.see([item(1, 'A')]);
    reading.see([item(3, 'c')]);
    expect(reading.end()).toEqual({ create: [item(3, 'c')], update: [item(1, 'A')], delete: [2] });
    expect(visible.size).toBe(2);
  });

  it('finds other spellings of a key, also of items that came later', () => {
    const visible = new VisibleItems();
    visible.add([item('Ann', 'a')]);
    expect(visible.spellingsOf(' ann')).toEqual(['Ann']);
    visible.take({ create: [item('ANN ', 'b')], update: [], delete: ['Ann'] });
    expect(visible.spellingsOf('ann')).toEqual(['ANN ']);
    expect(visible.spellingsOf('bob')).toEqual([]);
  });
});

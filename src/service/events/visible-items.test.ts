import { describe, expect, it } from 'vitest';
import { type EventKind, GroupEvent } from './event-log.js';
import { digestOf, VisibleItems } from './visible-items.js';

const item = (key: number | string, text: string, rest = '') => ({ key, text, rest });

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

describe('what was visible before events', () => {
  const event = (kind: EventKind, keys: readonly number[], ...texts: readonly string[]): GroupEvent =>
    new GroupEvent({ kind, items: [], keys, former: texts.map(digestOf), meta: null, number: 0, cursorAt: () => '' });
  const present = new VisibleItems();
  present.add([item(1, 'a'), item(2, 'b'), item(3, 'c')]);
  const differenceFrom = (...events: readonly GroupEvent[]): unknown => {
    const before = present.before(events);
    return before === null ? null : { differing: present.differingFrom(before), seen: before.keys() };
  };

  it('lacks what was created, has what was deleted, and has the former texts', () => {
    expect(differenceFrom()).toEqual({ differing: [], seen: [1, 2, 3] });
    const events = [event('create', [3]), event('update', [2], 'B'), event('delete', [4], 'd')];
    expect(differenceFrom(...events)).toEqual({ differing: [2, 3, 4], seen: [1, 2, 4] });
    expect(present.keys()).toEqual([1, 2, 3]);
  });

  it('is found from the last event to the first', () => {
    const same = { differing: [] };
    expect(differenceFrom(event('create', [4]), event('delete', [4], 'd'))).toMatchObject(same);
    expect(differenceFrom(event('update', [1], 'a'), event('update', [1], 'A'))).toMatchObject(same);
    expect(differenceFrom(event('delete', [1], 'A'), event('create', [1]))).toMatchObject({ differing: [1] });
    expect(differenceFrom(event('delete', [1], 'a'), event('create', [1]))).toMatchObject(same);
  });

  it('leaves out the part of an event that was received', () => {
    expect(differenceFrom(event('update', [1, 2, 3], 'A', 'B', 'C').after(2))).toMatchObject({ differing: [3] });
  });

  it('is unknown before a reset', () => {
    expect(differenceFrom(event('reset', [1, 2, 3]), event('create', [3]))).toBeNull();
  });
});

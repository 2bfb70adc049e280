import { describe, expect, it } from 'vitest';
import { EventLog, GroupEvent } from './event-log.js';

const eventOf = (number: number, keys: readonly number[]): GroupEvent =>
  new GroupEvent({
    kind: 'create',
    items: keys.map((key) => ({ key, rest: '', text: `{"id":${key}}` })),
    keys,
    meta: null,
    number,
    cursorAt: (received) => `${number}/${received ?? 'all'}`,
  });
const keysOf = (events: readonly GroupEvent[] | null): unknown => events?.map(({ keys }) => keys) ?? null;

describe('events after a place', () => {
  const log = new EventLog({ events: 3, size: () => 1_000 });
  for (let number = 1; number <= 4; number += 1) log.add(eventOf(number, [10 * number, 10 * number + 1, 10 * number + 2]));

  it('are those that follow, or unknown when one of them is forgotten', () => {
    expect(keysOf(log.after({ number: 4, received: null }))).toEqual([]);
    expect(keysOf(log.after({ number: 3, received: null }))).toEqual([[40, 41, 42]]);
    expect(log.after({ number: 1, received: null })).toHaveLength(3);
    expect(log.after({ number: 0, received: null })).toBeNull();
    expect(log.after({ number: 5, received: null })).toBeNull();
  });

  it('begin with the rest of an event that was received in part', () => {
    expect(keysOf(log.after({ number: 3, received: 1 }))).toEqual([
      [31, 32],
      [40, 41, 42],
    ]);
    expect(log.after({ number: 1, received: 1 })).toBeNull();
    const rest = log.after({ number: 4, received: 1 })?.[0];
    expect([rest?.data, rest?.cursorAfter(1), rest?.cursorAfter(2), rest?.cursor]).toEqual([
      '[{"id":41},{"id":42}]',
      '4/2',
      '4/all',
      '4/all',
    ]);
  });

  it('are forgotten beyond the size of the moment', () => {
    let size = 100;
    const bounded = new EventLog({ events: 100, size: () => size });
    for (let number = 1; number <= 4; number += 1) bounded.add(eventOf(number, [number]));
    expect(bounded.after({ number: 0, received: null })).toHaveLength(4);
    size = 25;
    bounded.add(eventOf(5, [5]));
    expect(bounded.after({ number: 3, received: null })).toHaveLength(2);
    expect(bounded.after({ number: 2, received: null })).toBeNull();
  });
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WaitingData } from './waiting-data.js';

const dropped: string[] = [];
const waiter = (name: string, owner: string) => ({ owner, drop: () => dropped.push(name) });

beforeEach(() => {
  vi.useFakeTimers();
  dropped.length = 0;
});
afterEach(() => vi.useRealTimers());

it('beyond the bound of a user, those that have taken nothing for longest are dropped, and no others', () => {
  const data = new WaitingData({ user: 100, together: 1_000 });
  const [first, second, third, other] = [waiter('1', 'ann'), waiter('2', 'ann'), waiter('3', 'ann'), waiter('4', 'bob')];
  data.note(first, 50);
  data.note(other, 90);
  vi.advanceTimersByTime(2_000);
  data.note(second, 40);
  data.note(third, 40);
  expect(dropped).toEqual([]);
  // The first takes something, so the second is the slowest.
  vi.advanceTimersByTime(500);
  data.note(first, 45);
  vi.advanceTimersByTime(600);
  expect(dropped).toEqual(['2']);
  data.close();
});

it('what was just sent to many is not slow, unless it is twice as much', () => {
  const data = new WaitingData({ user: 100, together: 150 });
  const all = ['1', '2', '3', '4'].map((name) => waiter(name, 'ann'));
  for (const each of all) data.note(each, 40);
  for (const each of all) data.note(each, 0);
  vi.advanceTimersByTime(5_000);
  expect(dropped).toEqual([]);
  for (const each of all) data.note(each, 51);
  expect(dropped).toEqual(['1', '2', '3']);
  data.close();
});

it('the bound of the process is for all users together', () => {
  const data = new WaitingData({ user: 100, together: 150 });
  for (const name of ['1', '2', '3']) data.note(waiter(name, name), 60);
  expect(dropped).toEqual([]);
  vi.advanceTimersByTime(1_100);
  expect(dropped).toEqual(['1']);
  data.close();
});

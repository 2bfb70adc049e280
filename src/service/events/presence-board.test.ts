import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PresenceBoard, type PresentUsers } from './presence-board.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('lists each user once, from here and elsewhere', () => {
  const board = new PresenceBoard();
  const [one, two] = [Symbol('one'), Symbol('two')];
  board.enter('a', one, 'ada');
  board.enter('a', two, 'ada');
  board.receive('other', [{ place: 'a', users: ['bea', 'ada'] }]);
  expect(board.usersAt('a')).toEqual(['ada', 'bea']);
  board.leave('a', one);
  expect(board.usersAt('a')).toEqual(['ada', 'bea']);
  board.leave('a', two);
  board.receive('other', [{ place: 'a', users: [] }]);
  expect(board.usersAt('a')).toEqual([]);
  expect(board.all()).toEqual([]);
});

it('notifies watchers of a place together, and nobody else', () => {
  const board = new PresenceBoard();
  const notified: string[] = [];
  board.watch('a', () => notified.push('a'));
  const stop = board.watch('b', () => notified.push('b'));
  for (const name of ['ada', 'bea', 'cy']) board.enter('a', Symbol(name), name);
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual(['a']);
  stop();
  board.receive('other', [{ place: 'b', users: ['ada'] }]);
  board.receive('other', [{ place: 'a', users: ['dan'] }]);
  board.receive('other', [{ place: 'a', users: ['dan'] }]);
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual(['a', 'a']);
});

it('notifies the other processes of every change of users here', () => {
  const board = new PresenceBoard();
  const announced: PresentUsers[] = [];
  board.connect((present) => announced.push(present));
  const visit = Symbol('visit');
  board.enter('a', visit, 'ada');
  board.enter('a', visit, 'ada');
  board.leave('a', visit);
  board.leave('a', visit);
  expect(announced).toEqual([
    { place: 'a', users: ['ada'] },
    { place: 'a', users: [] },
  ]);
});

it('forgets a process that says nothing any more within 30 seconds, and keeps one that repeats', () => {
  const board = new PresenceBoard();
  let notified = 0;
  board.watch('a', () => {
    notified += 1;
  });
  board.receive('killed', [{ place: 'a', users: ['ada'] }]);
  for (let second = 0; second < 30; second += 1) {
    if (second % 8 === 0) board.receive('alive', [{ place: 'a', users: ['bea'] }]);
    if (second % 8 === 0) board.sweep();
    vi.advanceTimersByTime(1_000);
  }
  expect(board.usersAt('a')).toEqual(['bea']);
  expect(notified).toBe(2);
});

it('ignores what does not look like presence, and more than its bounds', () => {
  const board = new PresenceBoard();
  const long = 'x'.repeat(1_001);
  const many = Array.from({ length: 51 }, (_, index) => `user ${index}`);
  for (const received of [
    null,
    'a',
    [null],
    [{ place: 1, users: [] }],
    [{ place: 'a' }],
    [{ place: 'a', users: [1] }],
    [{ place: long, users: ['a'] }],
  ])
    board.receive('other', received);
  board.receive('other', [{ place: 'a', users: many }]);
  expect(board.usersAt('a')).toEqual([]);
  board.receive(
    'other',
    Array.from({ length: 20_001 }, (_, index) => ({ place: `p${index}`, users: ['ada'] })),
  );
  expect(board.usersAt('p19999')).toEqual(['ada']);
  expect(board.usersAt('p20000')).toEqual([]);
});

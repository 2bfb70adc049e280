import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StageClock } from './stage-clock.js';

const read = (clock: StageClock): Readonly<Record<string, number>> =>
  Object.fromEntries(
    clock
      .header()
      .split(', ')
      .map((entry) => entry.split(';dur='))
      .map(([stage = '', ms]) => [stage, Number(ms)]),
  );

it('lists the stages in the order of the pipeline and leaves out those that were not needed', () => {
  const clock = new StageClock();
  clock.start('sql');
  clock.start('plan');
  clock.stop();
  clock.start('parse');
  clock.stop();
  expect(clock.header()).toMatch(/^parse;dur=\d+\.\d{3}, plan;dur=\d+\.\d{3}, sql;dur=\d+\.\d{3}, answer;dur=\d+\.\d{3}$/);
});

it('counts statements that run side by side once, and what follows them as the answer', async () => {
  const clock = new StageClock();
  const startedAt = performance.now();
  await Promise.all([clock.run(() => wait(30)), clock.run(() => wait(30)), clock.run(() => wait(20))]);
  const elapsed = performance.now() - startedAt;
  await wait(10);
  const { run = 0, answer = 0 } = read(clock);
  expect(run).toBeGreaterThan(25);
  expect(run).toBeLessThanOrEqual(elapsed);
  expect(answer).toBeGreaterThan(5);
});

it('ends a statement that fails', async () => {
  const clock = new StageClock();
  await expect(clock.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await clock.run(() => wait(5));
  expect(read(clock)['run']).toBeGreaterThan(3);
});

it('notifies a listener of each stretch, and which of them failed', async () => {
  const reported: string[] = [];
  const clock = new StageClock(({ stage, from, to, statement, failure }) => {
    expect(to).toBeGreaterThanOrEqual(from);
    reported.push([stage, statement?.text ?? '', failure === undefined ? '' : String(failure.error)].join('|'));
  });
  const statement = (text: string) => ({ kind: 'read', text, values: [] }) as const;
  clock.start('plan');
  clock.start('sql');
  await Promise.allSettled([clock.run(() => wait(1), statement('a')), clock.run(() => Promise.reject('no'), statement('b'))]);
  // Not answered at once, so it is sent.
  expect(clock.runAtOnce(() => null, statement('c'))).toBeNull();
  expect(clock.runAtOnce(() => [1], statement('d'))).toEqual([1]);
  clock.start('bind');
  clock.fail('wrong');
  clock.end();
  expect(reported).toEqual(['plan||', 'sql||', 'run|b|no', 'run|a|', 'run|d|', 'bind||wrong', 'answer||']);
});

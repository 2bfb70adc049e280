import { expect, it } from 'vitest';
import { AfterCommits } from './after-commits.js';

it('runs so many at once, lets so many wait, drops the rest and says how many', async () => {
  const reported: string[] = [];
  const commits = new AfterCommits((error) => reported.push(String(error)));
  const releases: (() => void)[] = [];
  let ended = 0;
  for (let count = 0; count < 1_060; count += 1)
    commits.start(`place ${count}`, async () => {
      await new Promise<void>((release) => releases.push(release));
      ended += 1;
    });
  expect(releases).toHaveLength(50);
  expect(reported).toEqual(['Error: 1000 functions of extensions wait after commits, so 1 were dropped, the last one place 1050']);
  const closed = commits.close();
  while (ended < 1_050) {
    for (const release of releases.splice(0)) release();
    await Promise.resolve();
  }
  await closed;
  expect(ended).toBe(1_050);
});

it('reports what fails, and goes on', async () => {
  const reported: unknown[] = [];
  const commits = new AfterCommits((error) => reported.push(error));
  const failure = new Error('no');
  commits.start('here', () => Promise.reject(failure));
  let isDone = false;
  commits.start('there', async () => {
    isDone = true;
  });
  await commits.close();
  expect([reported, isDone]).toEqual([[failure], true]);
});

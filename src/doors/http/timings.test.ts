import { expect, it } from 'vitest';
import { Timings } from './timings.js';

it('writes the stages in the order of the pipeline', () => {
  const timings = new Timings();
  timings.add('run', 2);
  timings.add('parse', 0.5);
  timings.add('run', 1);
  expect(timings.toHeader()).toBe('parse;dur=0.50, run;dur=3.00');
});

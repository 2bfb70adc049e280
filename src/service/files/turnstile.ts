// Lets a few through at a time; the rest waits in line, and a line that is too long turns newcomers away.

import { serviceError } from '../../core/errors/service-error.js';

export interface Turnstile {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function makeTurnstile(atOnce: number, longestLine: number): Turnstile {
  const line: (() => void)[] = [];
  let inside = 0;
  const enter = async (): Promise<void> => {
    if (inside < atOnce) {
      inside += 1;
      return;
    }
    if (line.length >= longestLine)
      throw serviceError('SERVICE_UNAVAILABLE', 'Too many images are waiting to be transformed.', { service: 'assets' });
    await new Promise<void>((resolve) => line.push(resolve));
  };
  const leave = (): void => {
    const next = line.shift();
    if (next === undefined) inside -= 1;
    else next();
  };
  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

import { expect, it } from 'vitest';
import { stopUntilEnded } from './stop-until-ended.js';

it('what does not end by being asked once is asked again, and no longer than until it has ended', async () => {
  let asked = 0;
  let end = (): void => undefined;
  const running = new Promise<void>((_resolve, reject) => {
    end = () => reject(new Error('stopped'));
  });
  running.catch(() => undefined);
  await stopUntilEnded(running, async () => {
    asked += 1;
    if (asked === 3) end();
  });
  expect(asked).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(asked).toBe(3);
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { serviceError } from '../../core/errors/service-error.js';
import { ExtensionFault } from './fault.js';
import { type Part, runPart } from './run-part.js';

const options = { extension: 'shop', where: 'before of orders', deadlineMs: 40 };

it('resolves to what the function returns, at once or later', async () => {
  expect(await runPart(options, () => 1)).toBe(1);
  expect(await runPart(options, async () => pause(5).then(() => 2))).toBe(2);
});

it('ends a function at its deadline, fires its signal, and refuses what it asks for afterwards', async () => {
  const later: unknown[] = [];
  const run = runPart(options, async (part) => {
    part.signal.addEventListener('abort', () => later.push('aborted'));
    await pause(80);
    await part.inTurn(async () => later.push('written')).catch((error: unknown) => later.push(error));
  });
  await expect(run).rejects.toThrow('the extension "shop" did not end before of orders within 0.04 s');
  await expect.poll(() => later).toHaveLength(2);
  expect(later).toEqual(['aborted', expect.any(ExtensionFault)]);
});

it('lets refusals through, and says of anything else whose fault it is', async () => {
  const refusal = serviceError('FORBIDDEN', 'no');
  await expect(runPart(options, () => Promise.reject(refusal))).rejects.toBe(refusal);
  const cause = new Error('reason');
  const failing = runPart(options, () => {
    throw cause;
  });
  await expect(failing).rejects.toMatchObject({ message: 'the extension "shop" failed in before of orders: reason', cause });
});

it('does what is asked for in turns one after the other, and other things beside each other', async () => {
  const order: string[] = [];
  const step = (name: string, ms: number) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await pause(ms);
    order.push(`${name} ends`);
  };
  await runPart(options, (part) => Promise.all([part.inTurn(step('a', 8)), part.inTurn(step('b', 1))]));
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  order.length = 0;
  await runPart(options, (part) => Promise.all([part.beside(step('a', 8)), part.beside(step('b', 1))]));
  expect(order).toEqual(['a begins', 'b begins', 'b ends', 'a ends']);
});

it('waits for what was begun, and does not accept that it was not awaited', async () => {
  const done: string[] = [];
  const begin = (part: Part): void => void part.beside(async () => pause(5).then(() => done.push('done')));
  await expect(runPart(options, begin)).rejects.toThrow('returned from before of orders before what it had asked for was done: await it');
  expect(done).toEqual(['done']);
});

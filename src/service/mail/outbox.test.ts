import { describe, expect, it } from 'vitest';
import { openOutbox } from './outbox.js';

describe('the outbox', () => {
  it('sends in order, some at a time, and continues after a failure', async () => {
    const sent: (readonly number[])[] = [];
    const errors: unknown[] = [];
    const outbox = openOutbox<number>({
      deliver: async (letters) => {
        sent.push(letters);
        if (sent.length === 1) throw new Error('away');
      },
      report: (error) => errors.push(error),
    });
    outbox.add(Array.from({ length: 150 }, (_, index) => index));
    outbox.add([150]);
    await outbox.close();
    expect(sent.map(({ length }) => length)).toEqual([100, 51]);
    expect(sent.flat()).toEqual(Array.from({ length: 151 }, (_, index) => index));
    expect(errors).toEqual([new Error('away')]);
    outbox.add([151]);
    await outbox.close();
    expect(sent.at(-1)).toEqual([151]);
  });

  it('H17: holds a bounded number of letters, and counts those that found no room', async () => {
    const errors: unknown[] = [];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const sent: number[] = [];
    const outbox = openOutbox<number>({
      deliver: async (letters) => {
        await held;
        sent.push(...letters);
      },
      report: (error) => errors.push(error),
      maxWaiting: 10,
    });
    outbox.add([0]);
    outbox.add(Array.from({ length: 15 }, (_, index) => index + 1));
    release();
    await outbox.close();
    expect(sent).toEqual(Array.from({ length: 11 }, (_, index) => index));
    expect(errors).toEqual([new Error('5 mails were left out: 10 are waiting already')]);
  });
});

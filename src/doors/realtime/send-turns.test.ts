import { expect, it } from 'vitest';
import { SendTurns } from './send-turns.js';

it('what is sent to many at once is sent in order, some in each turn, and a few are sent at once', async () => {
  const turns = new SendTurns();
  const sent: number[] = [];
  for (let at = 0; at < 230; at += 1) turns.send(() => sent.push(at));
  const perTurn = [sent.length];
  for (let before = -1; before < sent.length; ) {
    before = sent.length;
    await new Promise(setImmediate);
    turns.send(() => undefined);
    perTurn.push(sent.length - before);
  }
  expect(perTurn.slice(0, 6)).toEqual([50, 50, 50, 50, 30, 0]);
  expect(sent).toEqual(Array.from({ length: 230 }, (_, at) => at));
  turns.send(() => sent.push(230));
  expect(sent.at(-1), 'at once').toBe(230);
});

it('what is sent while others are written to waits for its turn', async () => {
  const turns = new SendTurns();
  const sent: string[] = [];
  for (let at = 0; at < 60; at += 1) turns.send(() => turns.send(() => sent.push(`answer ${at}`)));
  expect(sent.length).toBeLessThan(60);
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
  expect(new Set(sent).size).toBe(60);
});

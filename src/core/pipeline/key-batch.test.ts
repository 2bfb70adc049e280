import { expect, it } from 'vitest';
import { isPending, PendingText } from '../sql/pending-key.js';
import { KeyBatch } from './key-batch.js';

it('a pending key represents itself until its batch is settled', () => {
  const batch = new KeyBatch(3, 2);
  const [first, second] = [batch.key(0), batch.key(1)];
  expect([first.current(), isPending(first)]).toEqual([first, true]);
  batch.settle([7, 8]);
  expect([first.current(), second.current()]).toEqual([7, 8]);
});

it('keys are named by batch, row and size: what the SQL of a reference depends on', () => {
  const names = [new KeyBatch(3, 2).key(1), new KeyBatch(3, 1).key(0), new KeyBatch(4, 2).key(1)].map(({ name }) => name);
  expect(names).toEqual(['3.1/2', '3.0/1', '4.1/2']);
  expect(new KeyBatch(3, 2).key(1).name).toBe(names[0]);
});

it('a text knows the keys in it and can be written as a template', () => {
  const batch = new KeyBatch(0, 2);
  const text = new PendingText(['{"a":', batch.key(1), ',"b":"5 %","c":', batch.key(0), '}']);
  expect(text.keys.map(({ row }) => row)).toEqual([1, 0]);
  expect(
    text.template(
      (part) => part.toUpperCase(),
      (place) => `<${place}>`,
    ),
  ).toBe('{"A":<0>,"B":"5 %","C":<1>}');
});

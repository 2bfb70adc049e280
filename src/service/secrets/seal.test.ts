import { expect, it } from 'vitest';
import { createSeal } from './seal.js';

const seal = createSeal('a secret', 'cursor');

it('opens what was sealed about the same thing', () => {
  expect(seal.open(seal.seal('["é",1]', 'articles'), 'articles')).toBe('["é",1]');
});

it('never seals the same text in the same way', () => {
  expect(seal.seal('x', 'a')).not.toBe(seal.seal('x', 'a'));
});

it('opens nothing else', () => {
  const token = seal.seal('text', 'articles');
  const changed = Buffer.from(token, 'base64url');
  changed[20] = (changed[20] ?? 0) ^ 1;
  expect(seal.open(token, 'authors')).toBeNull();
  expect(seal.open(changed.toString('base64url'), 'articles')).toBeNull();
  expect(seal.open('', 'articles')).toBeNull();
  expect(seal.open('not a token at all, though long enough to be one', 'articles')).toBeNull();
  expect(createSeal('another secret', 'cursor').open(token, 'articles')).toBeNull();
  expect(createSeal('a secret', 'something else').open(token, 'articles')).toBeNull();
});

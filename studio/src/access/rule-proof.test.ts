import { expect, it } from 'vitest';
import { mentionsCaller, withCaller } from './rule-proof.js';

const person = { id: 'u1', first_name: 'Emma', last_name: null, email: null };
const rule = { _or: [{ owner: { _eq: '$CURRENT_USER' } }, { editors: { _in: ['$CURRENT_USER', 'u2'] } }, { date: { _lt: '$NOW' } }] };

it('asks for a person instead of the one who writes the rule', () => {
  expect(withCaller(rule, person)).toEqual({
    _or: [{ owner: { _eq: 'u1' } }, { editors: { _in: ['u1', 'u2'] } }, { date: { _lt: '$NOW' } }],
  });
  expect(withCaller(rule, null)).toBe(rule);
});

it('knows rules that depend on the person', () => {
  expect(mentionsCaller(rule)).toBe(true);
  expect(mentionsCaller({ date: { _lt: '$NOW' } })).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { leastTime } from '../../../test/harness/least-time.js';
import type { Accountability } from './accountability.js';
import { type DynamicContext, neededCallerPaths, resolveDynamicValue, resolveDynamicValues } from './dynamic-values.js';

const accountability: Accountability = {
  user: 'u1',
  role: 'r1',
  roles: ['r1', 'r0'],
  policies: ['p1'],
  admin: false,
  app: true,
  session: null,
  share: null,
  viewer: null,
  accessKey: null,
  ip: null,
  userAgent: null,
  origin: null,
};
const values = new Map<string, unknown>([
  ['$CURRENT_USER.email', 'a@ex.test'],
  ['$CURRENT_USER.teams.id', [4, 5]],
  ['$CURRENT_ROLE.name', null],
]);
const context: DynamicContext = { accountability, values, now: new Date('2024-01-31T12:00:00.000Z') };
const nobody: DynamicContext = {
  ...context,
  accountability: { ...accountability, user: null, role: null, roles: [], policies: [] },
  values: new Map(),
};

describe('dynamic values', () => {
  it('come back as the same array when there are none', () => {
    const literals = ['a', 5, ['b', null], { $NOW: 1 }];
    expect(resolveDynamicValues(literals, context)).toBe(literals);
  });

  it.each([
    ['$NOW', '2024-01-31T12:00:00.000Z'],
    ['$NOW(-1 day)', '2024-01-30T12:00:00.000Z'],
    ['$NOW(+10 years)', '2034-01-31T12:00:00.000Z'],
    ['$NOW( 10 years)', '2034-01-31T12:00:00.000Z'],
    ['$NOW(-1 hour)', '2024-01-31T11:00:00.000Z'],
    ['$NOW(2)', '2024-02-02T12:00:00.000Z'],
    ['$NOW(+1 month)', '2024-02-29T12:00:00.000Z'],
    ['$NOW(-11 months)', '2023-02-28T12:00:00.000Z'],
    ['$NOW(90m)', '2024-01-31T13:30:00.000Z'],
    ['$NOW(-1.5 h)', '2024-01-31T10:30:00.000Z'],
    ['$NOW(1 week)', '2024-02-07T12:00:00.000Z'],
    ['$NOW(250 ms)', '2024-01-31T12:00:00.250Z'],
    ['$CURRENT_USER', 'u1'],
    ['$CURRENT_ROLE', 'r1'],
    ['$CURRENT_ROLES', ['r1', 'r0']],
    ['$CURRENT_POLICIES', ['p1']],
    ['$CURRENT_USER.email', 'a@ex.test'],
    ['$CURRENT_ROLE.name', null],
    ['$CURRENT_USER.phone', null],
    ['$5 off', '$5 off'],
    ['$NOWHERE', '$NOWHERE'],
    ['plain', 'plain'],
    [7, 7],
  ])('%j stands for %j', (value, expected) => {
    expect(resolveDynamicValue(value, context)).toEqual(expected);
  });

  it.each([
    '$NOW(soon)',
    '$NOW(-1 aeon)',
    '$NOW()',
    '$NOW(99999999 years)',
    '$NOW(1.5 months)',
    '$NOW(1 constructor)',
    '$CURRENT_USER.',
    '$CURRENT_USER.a..b',
  ])('refuses %s', (value) => {
    expect(() => resolveDynamicValue(value, context)).toThrow('Invalid query');
  });

  it.each([' ', '1', 'a', '-', '.', '. ', '$NOW('])('D07: no text of %j takes long to refuse', (part) => {
    for (const head of ['$NOW(', '$NOW(-', '$NOW(1', '$CURRENT_USER.', '$CURRENT_USER.a'])
      for (const end of ['', ')', '!)'])
        expect(leastTime(() => resolveDynamicValue(head + part.repeat(100_000 / part.length) + end, context), 50)).toBeLessThan(50);
  });

  it('are flattened in lists, and an empty list matches nothing', () => {
    expect(resolveDynamicValues([['x', '$CURRENT_ROLES', '$CURRENT_USER.teams.id', '$CURRENT_ROLE.name']], context)).toEqual([
      ['x', 'r1', 'r0', 4, 5],
    ]);
    expect(resolveDynamicValues([['$CURRENT_ROLES'], ['$CURRENT_USER.teams.id'], '$CURRENT_USER'], nobody)).toEqual([[null], [null], null]);
  });

  it('name the values of the caller they need', () => {
    expect(neededCallerPaths(['$CURRENT_USER.email', ['$CURRENT_ROLE.name', '$CURRENT_USER.email'], '$CURRENT_USER', '$NOW', 5])).toEqual([
      '$CURRENT_USER.email',
      '$CURRENT_ROLE.name',
    ]);
  });
});

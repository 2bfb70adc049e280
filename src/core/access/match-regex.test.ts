import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastTime } from '../../../test/harness/least-time.js';
import { matchesRegex } from './match-regex.js';

const password = "(?=^.{8,}$)(?=.*\\d)(?=.*[!@#$%^&*()_+}{';'?>.<,])(?!.*\\s).*$";

describe('matchesRegex', () => {
  it.each<[string, string]>([
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'ada@ex.test'],
    ['^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$', 'ada@ex'],
    ['^\\d{3}-\\d{4}$', '555-1234'],
    ['^\\d{3}-\\d{4}$', '555-123'],
    ['colou?r', 'my color'],
    ['^(a|bc)*$', 'abcbca'],
    ['^(a|bc)*$', 'abcb'],
    ['\\bcat\\b', 'a cat!'],
    ['\\bcat\\b', 'concat'],
    ['^\\p{Lu}', 'Ärger'],
    ['^.$', '👋'],
    [password, 'Passw0rd!'],
    [password, 'Passw0rd'],
    [password, 'Pass w0rd!'],
    ['^$', ''],
    ['(?<year>\\d{4})', 'in 2024'],
    ['a{2,3}?b', 'aab'],
    ['a{,3}', 'a{,3}'],
    ['[\\w\\-.]+', '-'],
    ['^(?:a*)*$', 'aaaa'],
    ['x|', ''],
    ['\\u0041', 'A'],
    ['[]]', ']'],
    ['^[a-c]{0}$', ''],
  ])('%s on %j is what the language says', (pattern, text) => {
    expect(matchesRegex(pattern, text)).toBe(new RegExp(pattern, pattern.includes('\\p') || text === '👋' ? 'u' : '').test(text));
  });

  it('takes flags between slashes', () => {
    expect(matchesRegex('/^ADA/i', 'ada')).toBe(true);
    expect(matchesRegex('/^b$/m', 'a\nb')).toBe(true);
    expect(matchesRegex('/a.b/s', 'a\nb')).toBe(true);
    expect(matchesRegex('a.b', 'a\nb')).toBe(false);
  });

  it.each(['(', 'a)', '*a', '[a', '\\', '(a)\\1', '(?<=a)b', '\\k<x>', `${'('.repeat(60)}a${')'.repeat(60)}`, '((a{1000}){1000}){1000}'])(
    'refuses %s',
    (pattern) => {
      expect(matchesRegex(pattern, 'a')).toBe(false);
    },
  );

  it('is the language on random patterns', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '\\w', '(a|b)', '(?:ab)', '^', '$', '(?=a)', '(?!b)');
    const part = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}'))
      .map(([base, times]) => (/^[\^$]|\(\?[=!]/.test(base) ? base : base + times));
    const pattern = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }), (source, text) => {
        expect(matchesRegex(source, text)).toBe(new RegExp(source).test(text));
      }),
    );
  });

  it.each(['(a+)+$', '^(a|aa)*$', '^(a|a?)+$', '^((?=.*b)?a)*$', '^((?=(a*)*c)?a)*$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'takes linear time on %s',
    (pattern) => {
      const match = () => matchesRegex(pattern, `${'a'.repeat(3000)}!`);
      expect(match()).toBe(false);
      expect(leastTime(match, 250)).toBeLessThan(250);
    },
  );
});

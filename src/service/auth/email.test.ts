import { describe, expect, it } from 'vitest';
import { isSameEmail, readEmail } from './email.js';

describe('email addresses of accounts', () => {
  it.each(['ann@example.com', 'a.b+c@sub.example.co', 'jörg@exämple.de', "o'neil@example.org"])('%s is one', (text) => {
    expect(readEmail(text)).toBe(text);
  });

  it.each([
    'ann',
    'ann@',
    '@example.com',
    'ann@example',
    'a b@example.com',
    'a@b@example.com',
    'a@example.com\nbcc:x@y.zz',
    '',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(130)}.com`,
  ])('%s is none', (text) => {
    expect(readEmail(text)).toBeNull();
  });

  it('C11: ignore case and nothing else', () => {
    expect(readEmail(' Ann@Example.COM ')).toBe('ann@example.com');
    expect(isSameEmail('JULIAN@cure53.de', 'julian@Cure53.de')).toBe(true);
    expect(isSameEmail('julian@cüre53.de', 'julian@cure53.de')).toBe(false);
    expect(isSameEmail('julian@cure53.de ', 'julian@cure53.d\u0435')).toBe(false);
  });
});

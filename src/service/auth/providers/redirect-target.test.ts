import { describe, expect, it } from 'vitest';
import { checkRedirect, withReason } from './redirect-target.js';

const rules = { own: ['https://data.example.com/api'], listed: ['https://app.example.com/after', 'not an address'] };

describe('checkRedirect', () => {
  it.each([
    ['/admin', '/admin'],
    ['/admin/content?a=b#c', '/admin/content?a=b#c'],
    ['admin', '/admin'],
    ['/', '/'],
    ['https://data.example.com/anything?x=1', 'https://data.example.com/anything?x=1'],
    ['https://app.example.com/after', 'https://app.example.com/after'],
    ['https://app.example.com/after?from=here', 'https://app.example.com/after?from=here'],
  ])('takes %s', (redirect, target) => {
    expect(checkRedirect(redirect, rules)).toBe(target);
  });

  it.each([
    ['//evil.example'],
    ['///evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/.//evil.example'],
    ['/a/..//evil.example'],
    ['/\t/evil.example'],
    [' https://evil.example'],
    ['https://evil.example'],
    ['https:evil.example'],
    ['https:/evil.example'],
    ['https://data.example.com@evil.example'],
    ['https://user@data.example.com/'],
    ['https://data.example.com.evil.example'],
    ['http://data.example.com/'],
    ['https://data.example.com:444/'],
    ['https://app.example.com/after/more'],
    ['https://app.example.com/'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
  ])('open redirect: refuses %s', (redirect) => {
    expect(() => checkRedirect(redirect, rules)).toThrow("can't be used to redirect after login");
  });
});

describe('withReason', () => {
  it('adds the reason to what is there', () => {
    expect(withReason('/admin/login?a=b#c', 'INVALID_OTP')).toBe('/admin/login?a=b&reason=INVALID_OTP#c');
    expect(withReason('https://app.example.com/after?reason=old', 'FORBIDDEN')).toBe('https://app.example.com/after?reason=FORBIDDEN');
  });
});

import { describe, expect, it } from 'vitest';
import { chooseLinkTarget, withToken } from './allowed-url.js';

const allowed = ['https://good.example.com/reset', 'https://app.example.com'];
const choose = (asked: string | null) => chooseLinkTarget(asked, allowed, 'https://data.example.com/reset-password', 'reset_url');

describe('links in mails', () => {
  it('lead to the service unless another address is requested', () => {
    expect(choose(null)).toBe('https://data.example.com/reset-password');
  });

  it('may lead to a listed address and to paths below it', () => {
    expect(choose('https://good.example.com/reset')).toBe('https://good.example.com/reset');
    expect(choose('https://good.example.com/reset/de?x=1')).toBe('https://good.example.com/reset/de?x=1');
    expect(choose('https://APP.example.com/anything')).toBe('https://app.example.com/anything');
  });

  it.each([
    '//evil.example.org',
    'https://good.example.com@evil.example.org/reset',
    'https://good.example.com:pw@evil.example.org/reset',
    'https://good.example.com.evil.example.org/reset',
    'https://good.example.com\\@evil.example.org/reset',
    'https:\\\\evil.example.org',
    '\\\\evil.example.org',
    '/%09/evil.example.org',
    'https://good.example.com/reset\t/../x',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://good.example.com/reset',
    'https://good.example.com:8443/reset',
    'https://good.example.com/resetter',
    'https://good.example.com/reset/../admin',
    'https:///good.example.com/reset',
    '',
  ])('C12: never to %s', (asked) => {
    expect(() => choose(asked)).toThrowError(expect.objectContaining({ code: 'INVALID_PAYLOAD' }));
  });

  it('carry the token in the query beside other parameters', () => {
    expect(withToken('https://app.example.com/x?lang=de#top', 'a.b.c')).toBe('https://app.example.com/x?lang=de&token=a.b.c#top');
  });
});

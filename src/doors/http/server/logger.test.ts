import { expect, it } from 'vitest';
import { redactUrl } from './logger.js';

it.each([
  ['/items/a?access_token=abc&limit=1', '/items/a?access_token=[redacted]&limit=1'],
  ['/users/register/verify-email?token=abc', '/users/register/verify-email?token=[redacted]'],
  ['/items/a?limit=1', '/items/a?limit=1'],
])('hides the secrets of %s', (url, logged) => {
  expect(redactUrl(url)).toBe(logged);
});

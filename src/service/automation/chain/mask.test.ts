import { expect, it } from 'vitest';
import { maskSecrets } from './mask.js';

it('masks by name anywhere, and the same values wherever they were copied to', () => {
  const run = {
    $trigger: {
      headers: { authorization: 'Bearer abc-123-def', cookie: 'a=b', 'x-own': '1' },
      body: { password: 'open sesame', note: 'x' },
    },
    copied: { auth: 'Bearer abc-123-def', text: 'it was abc-123-def', list: ['open sesame', 1, null] },
    $env: { KEY: 'from-the-environment' },
  };
  const text = JSON.stringify(maskSecrets(run, ['from-the-environment']));
  for (const secret of ['abc-123', 'sesame', 'environment', 'a=b']) expect(text).not.toContain(secret);
  expect(maskSecrets(run)).toMatchObject({
    $trigger: {
      headers: { authorization: '--redacted--', cookie: '--redacted--', 'x-own': '1' },
      body: { password: '--redacted--', note: 'x' },
    },
    copied: { text: 'it was --redacted--', list: ['--redacted--', 1, null] },
  });
  expect(maskSecrets({ token: null, secret: 'x', other: 'x' })).toEqual({ token: null, secret: '--redacted--', other: 'x' });
});

import { describe, expect, it } from 'vitest';
import { nameFrom, readForm } from './provider-fields.js';

describe('readForm', () => {
  it('keeps secrets that were not typed, and takes away what was emptied', () => {
    const form = new FormData();
    const typed = { LABEL: ' The house ', ISSUER_URL: 'https://login.example.com', CLIENT_ID: 'tain', CLIENT_SECRET: '', SCOPE: ' ' };
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    form.set('ALLOW_PUBLIC_REGISTRATION', 'on');
    const read = readForm(form, 'openid');
    expect(read).toMatchObject({
      LABEL: 'The house',
      CLIENT_ID: 'tain',
      SCOPE: null,
      ALLOW_PUBLIC_REGISTRATION: true,
      SYNC_USER_INFO: null,
    });
    expect(read).not.toHaveProperty('CLIENT_SECRET');
    expect(read).not.toHaveProperty('BIND_DN');
  });
});

describe('nameFrom', () => {
  it.each([
    ['The Company', 'the-company'],
    ['  Café & Söhne ', 'cafe-so-hne'],
    ['!!!', ''],
  ])('%s', (label, name) => expect(nameFrom(label)).toBe(name));
});

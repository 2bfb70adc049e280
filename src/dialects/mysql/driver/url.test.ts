import { describe, expect, it } from 'vitest';
import { collationOf, hasUuidType, parseServer } from '../types/server.js';
import { parseUrl } from './url.js';

describe('the url', () => {
  it('is read part by part', () => {
    expect(parseUrl('mysql://us%40er:p%2Fw@db.example:3307/my%20data?ssl=true')).toEqual({
      host: 'db.example',
      port: 3307,
      user: 'us@er',
      password: 'p/w',
      database: 'my data',
      socketPath: null,
      tls: 'verify',
    });
    expect(parseUrl('mariadb://[::1]/data?ssl=no-verify&socketPath=%2Frun%2Fdb.sock')).toMatchObject({
      host: '::1',
      port: 3306,
      socketPath: '/run/db.sock',
      tls: 'encrypt',
    });
  });

  it('is refused with a reason, and without its password', () => {
    expect(() => parseUrl('postgres://u:secret@h/d')).toThrow(/^(?!.*secret).*mysql:\/\//);
    expect(() => parseUrl('mysql://u:secret@h')).toThrow('names no database');
    expect(() => parseUrl('mysql://h/d?ssl=maybe')).toThrow('"maybe"');
  });
});

describe('the server', () => {
  it('is known by its version', () => {
    expect(parseServer('5.5.5-10.6.4-MariaDB-log')).toEqual({ mariadb: true, major: 10, minor: 6 });
    expect(parseServer('8.0.36')).toEqual({ mariadb: false, major: 8, minor: 0 });
    expect(['10.6.4-MariaDB', '10.11.2-MariaDB', '8.4.0'].map((version) => hasUuidType(parseServer(version)))).toEqual([
      false,
      true,
      false,
    ]);
    expect(collationOf(parseServer('8.4.0'))).toBe('utf8mb4_0900_bin');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settings } from './config.js';

const linesOf = (variables: Record<string, string>): readonly string[] => {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.lines : [String(error)];
  }
};

describe('configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 8055,
      databaseUrl: 'sqlite:./tain.db',
      adminPassword: null,
      accessTokenTtl: 900_000,
      refreshTokenTtl: 604_800_000,
      bodyLimit: 1_048_576,
      rateLimit: 50,
      trustProxy: false,
      corsOrigin: [],
      history: true,
    });
  });

  it('reads what is written', () => {
    const config = readConfig({
      PORT: '9000',
      RATE_LIMIT: 'off',
      BODY_LIMIT: '2mb',
      SESSION_TTL: '12h',
      TRUST_PROXY: '1',
      CORS_ORIGIN: 'https://a, https://b',
      HISTORY: 'off',
    });
    expect(config).toMatchObject({
      port: 9000,
      rateLimit: null,
      bodyLimit: 2_097_152,
      sessionTtl: 43_200_000,
      trustProxy: 1,
      corsOrigin: ['https://a', 'https://b'],
      history: false,
    });
  });

  it('prefers what an application gives', () => {
    expect(readConfig({ PORT: '9000' }, { port: 1, host: undefined } as never)).toMatchObject({ port: 1, host: '127.0.0.1' });
  });

  it('refuses options that it does not know', () => {
    expect(() => readConfig({}, { prot: 1 } as never)).toThrow(/"prot" is no option of createService/);
  });

  it.each(['foo', 'oracle://host/x', 'postgres:shop', 'mysql://', 'http://x/y.db'])('refuses %s as a database', (databaseUrl) => {
    expect(linesOf({ DATABASE_URL: databaseUrl })).toEqual([expect.stringMatching(/^DATABASE_URL: ".*" is not sqlite:/)]);
    expect(() => readConfig({}, { databaseUrl })).toThrow(ConfigError);
  });

  it.each(['./shop.db', 'shop.sqlite', '/var/lib/shop', 'C:\\data\\shop.db', 'sqlite:shop', 'postgresql://host/x', 'mariadb://u:p@host/x'])(
    'takes %s for a database',
    (databaseUrl) => {
      expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
    },
  );

  it('refuses a secret that can be guessed, and does not show it', () => {
    expect(linesOf({ SECRET: 'short' })).toEqual(['SECRET: "…" is not a text of at least 16 characters']);
    expect(() => readConfig({}, { secret: 'short' })).toThrow(ConfigError);
  });

  it('takes a path of plain segments as the base path, without the slash at its end', () => {
    for (const [written, read] of [
      ['/data', '/data'],
      ['/a/b-1.0/', '/a/b-1.0'],
      ['/', ''],
    ])
      expect(readConfig({ BASE_PATH: written }).basePath).toBe(read);
    for (const written of ['data', '//data', '/a/../b', '/a b', '/a;b', '/a?b', 'https://example.com/data'])
      expect(linesOf({ BASE_PATH: written })).toEqual([`BASE_PATH: "${written}" is not a path such as /data`]);
  });

  it('refuses a second database that is the first', () => {
    expect(linesOf({ DATABASE_URL: './a.db', SYSTEM_DATABASE_URL: './a.db' })).toEqual([expect.stringContaining('leave it out')]);
  });

  it('refuses cookies for other sites without HTTPS', () => {
    expect(linesOf({ COOKIE_SAME_SITE: 'none' })).toEqual([expect.stringContaining('COOKIE_SECURE=on')]);
    expect(readConfig({ COOKIE_SAME_SITE: 'none', COOKIE_SECURE: 'on' })).toMatchObject({ cookieSameSite: 'none', cookieSecure: true });
  });

  it('says in one line what is wrong with each value', () => {
    expect(linesOf({ PORT: 'abc', LOG_LEVEL: 'loud', BODY_LIMIT: '1', MAIL_URL: 'http://u:secret@x' })).toEqual([
      'PORT: "abc" is not a whole number from 0 to 65535',
      'BODY_LIMIT: "1" is not a size such as 500KB, 1MB or 2GB',
      'MAIL_URL: "…" is not an address beginning with smtp:// or smtps://',
      'LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, fatal, silent',
    ]);
  });

  it('is documented setting by setting', () => {
    const page = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8');
    const rows = Object.values(settings).map(
      ({ name, default: preset, about }) => `| ${name} | ${preset ? `\`${preset}\`` : ''} | ${about} |`,
    );
    expect(page).toContain(rows.join('\n'));
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.js';
import { readPeerVariables } from './read-variables.js';
import { settingsFile, translateSettings } from './translate-settings.js';

describe('the settings of Directus', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tain_test_env_'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const translate = (text: string) => {
    writeFileSync(join(folder, '.env'), text);
    const { settings, unmatched } = translateSettings(readPeerVariables(join(folder, '.env')));
    return { settings: Object.fromEntries(settings), unmatched };
  };

  it('become settings of the service, which it takes at its start', () => {
    writeFileSync(join(folder, 'password'), 'p@ss:word#1\n');
    const { settings, unmatched } = translate(`
KEY="d5e6"
SECRET="a-secret-of-some-length"
PUBLIC_URL="https://cms.example.com"
DB_CLIENT="pg"
DB_HOST="db"
DB_PORT="5433"
DB_DATABASE="shop"
DB_USER="shop"
DB_PASSWORD_FILE="./password"
DB_POOL__MAX=20
ACCESS_TOKEN_TTL="15m"
REFRESH_TOKEN_TTL="7 days"
SESSION_COOKIE_TTL=86400000
SESSION_COOKIE_SECURE="true"
SESSION_COOKIE_SAME_SITE="none"
CORS_ENABLED="true"
CORS_ORIGIN="array:https://a.example.com,https://b.example.com"
RATE_LIMITER_ENABLED="true"
RATE_LIMITER_POINTS=100
RATE_LIMITER_DURATION=5
REDIS="redis://cache:6379"
EMAIL_FROM="us@example.com"
EMAIL_TRANSPORT="smtp"
EMAIL_SMTP_HOST="mail"
EMAIL_SMTP_PORT=465
EMAIL_SMTP_USER="us"
EMAIL_SMTP_PASSWORD="pw"
STORAGE_LOCATIONS="amazon,disk"
STORAGE_AMAZON_DRIVER="s3"
STORAGE_AMAZON_KEY="key"
STORAGE_AMAZON_SECRET="sec/ret"
STORAGE_AMAZON_BUCKET="bucket"
STORAGE_AMAZON_REGION="eu-central-1"
STORAGE_DISK_DRIVER="local"
STORAGE_DISK_ROOT="./files"
MAX_PAYLOAD_SIZE="2mb"
QUERY_LIMIT_MAX=-1
PASSWORD_RESET_URL_ALLOW_LIST="https://a.example.com/reset"
WEBSOCKETS_ENABLED="true"
WEBSOCKETS_HEARTBEAT_PERIOD=30
CACHE_ENABLED="true"
`);
    expect(settings).toEqual({
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://cms.example.com',
      SECRET: 'a-secret-of-some-length',
      ACCESS_TOKEN_TTL: '15m',
      REFRESH_TOKEN_TTL: '7d',
      SESSION_TTL: '86400000ms',
      BODY_LIMIT: '2MB',
      QUERY_LIMIT_MAX: 'off',
      MAIL_FROM: 'us@example.com',
      WEBSOCKETS: 'on',
      POOL_SIZE: '20',
      DATABASE_URL: 'postgres://shop:p%40ss%3Aword%231@db:5433/shop',
      COOKIE_SECURE: 'on',
      COOKIE_SAME_SITE: 'none',
      CORS_ORIGIN: 'https://a.example.com,https://b.example.com',
      RATE_LIMIT: '20',
      REDIS_URL: 'redis://cache:6379',
      MAIL_URL: 'smtps://us:pw@mail:465',
      ALLOWED_URLS: 'https://a.example.com/reset',
      WEBSOCKETS_HEARTBEAT: '30s',
      STORAGE_URL: 's3://key:sec%2Fret@bucket?region=eu-central-1',
      STORAGE_ROOT: join(folder, 'files'),
      STORAGE_NAMES: 'disk,amazon',
    });
    expect(unmatched).toEqual([]);
    expect(readConfig(parseEnv(settingsFile(new Map(Object.entries(settings)))))).toMatchObject({ sessionTtl: 86_400_000, poolSize: 20 });
  });

  it('are named where they have no counterpart, with the reason', () => {
    const { settings, unmatched } = translate(`
SECRET=short
DB_CLIENT=mssql
DB_SSL__CA=x
EMAIL_TRANSPORT=mailgun
EMAIL_MAILGUN_API_KEY=k
STORAGE_LOCATIONS=local,gone
STORAGE_GONE_DRIVER=gcs
FLOWS_EXEC_ALLOWED_MODULES=a
FLOWS_ENV_ALLOW_LIST=REGION,SHOP
TUS_ENABLED=true
ACCESS_TOKEN_TTL=soon
NOTHING_FILE=./nowhere
`);
    expect(settings).toMatchObject({ FLOWS_ENV_ALLOW_LIST: 'REGION,SHOP' });
    expect(Object.keys(settings)).toEqual(['HOST', 'FLOWS_ENV_ALLOW_LIST', 'STORAGE_ROOT']);
    expect(unmatched).toEqual([
      'ACCESS_TOKEN_TTL: "soon" is not taken for ACCESS_TOKEN_TTL',
      'DB_CLIENT: there is no "mssql" here; PostgreSQL, MariaDB, MySQL and SQLite can be served',
      'DB_SSL__CA: add the parameters of TLS to DATABASE_URL',
      'EMAIL_MAILGUN_API_KEY',
      'EMAIL_TRANSPORT: mails are sent by SMTP only, not by "mailgun"',
      'FLOWS_EXEC_ALLOWED_MODULES: scripts of flows load no modules',
      'NOTHING_FILE: its file cannot be read',
      'SECRET: "…" is not a text of at least 16 characters',
      'STORAGE_GONE_DRIVER: one folder and one S3 bucket can be used; "gone" (gcs) is left out',
      'TUS_ENABLED',
    ]);
  });

  it('name a file of SQLite relative to their own place', () => {
    expect(translate('DB_CLIENT=sqlite3\nDB_FILENAME=./data.db').settings['DATABASE_URL']).toBe(`sqlite:${join(folder, 'data.db')}`);
  });

  it('are quoted so that any content is read back unchanged', () => {
    const odd = new Map([
      ['SECRET', 'a # "b" \\n $c'],
      ['MAIL_FROM', "it's us"],
    ]);
    expect(parseEnv(settingsFile(odd))).toEqual(Object.fromEntries(odd));
  });
});

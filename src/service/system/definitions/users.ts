// Users. Passwords and static tokens are kept as hashes and read as stars; what sign-in keeps for itself is no field at all.

import { bigInteger, boolean, define, hash, integer, json, listedAs, pointsAt, string, text, timestamp, uuid, uuidKey } from './define.js';

export const users = define('service_users', {
  note: 'Users',
  fields: [
    uuidKey(),
    string('first_name', 50),
    string('last_name', 50),
    string('email', 128, { unique: true }),
    hash('password'),
    string('location'),
    string('title', 50),
    text('description'),
    json('tags'),
    uuid('avatar'),
    string('language'),
    string('tfa_secret', 255, { special: ['conceal'] }),
    string('status', 16, { nullable: false, default: 'active' }),
    uuid('role', { indexed: true }),
    string('token', 255, { unique: true, special: ['conceal'] }),
    timestamp('last_access'),
    string('last_page'),
    string('provider', 128, { nullable: false, default: 'default' }),
    string('external_identifier', 255, { unique: true }),
    boolean('email_notifications', true, { nullable: true }),
    string('appearance'),
    string('theme_dark'),
    string('theme_light'),
    json('theme_light_overrides'),
    json('theme_dark_overrides'),
    string('text_direction', 255, { nullable: false, default: 'auto' }),
    json('auth_data', { hidden: true }),
    bigInteger('tfa_last_step', { hidden: true }),
    integer('failed_logins', { hidden: true, nullable: false, default: 0 }),
  ],
  relations: [pointsAt('avatar', 'service_files', 'SET NULL'), pointsAt('role', 'service_roles', 'SET NULL', listedAs('users'))],
});

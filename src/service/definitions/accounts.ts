// Users, their roles, and the sessions and shares that grant access to a request.

import {
  bigInteger,
  boolean,
  clock,
  collectionName,
  dateCreated,
  define,
  hash,
  integer,
  json,
  listedAs,
  pointsAt,
  string,
  text,
  timestamp,
  userCreated,
  uuid,
  uuidKey,
} from './define.js';

/** Passwords and static tokens are stored as hashes and read as asterisks. Hidden columns belong to sign-in alone; no caller can name them. */
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
  ],
  relations: [pointsAt('avatar', 'service_files', null), pointsAt('role', 'service_roles', 'SET NULL', listedAs('users'))],
});

/** A role also has the policies of its parents. */
export const roles = define('service_roles', {
  note: 'Roles of users',
  kept: 'configuration',
  fields: [
    uuidKey(),
    string('name', 100, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'supervised_user_circle' }),
    text('description'),
    uuid('parent'),
  ],
  relations: [pointsAt('parent', 'service_roles', 'SET NULL', listedAs('children'))],
});

/**
 * One row per refresh or session token, stored as a digest. All tokens that descend from one login form a family. A rotated token names its
 * successor, so that reuse of a stolen token can be distinguished from a repeated request. A login by a provider names the identity that
 * was proved, and holds the provider's refresh token, sealed, and the digest of what the provider calls its own session; a login by passkey
 * names the passkey. `signed_in` is the time of the login itself, which every successor of a token keeps.
 */
export const sessions = define('service_sessions', {
  note: 'Sessions of users and shares',
  kept: 'moment',
  internal: true,
  accountability: null,
  primaryKey: ['token'],
  fields: [
    string('token', 64, { nullable: false }),
    string('family', 64, { nullable: false, indexed: true }),
    uuid('user', { indexed: true }),
    uuid('share', { indexed: true }),
    clock('created', { nullable: false }),
    timestamp('expires', { nullable: false, indexed: true }),
    timestamp('rotated_at'),
    string('next_token', 64),
    string('ip'),
    text('user_agent'),
    string('origin'),
    string('identity', 64, { indexed: true }),
    text('provider_token'),
    string('provider_session', 64, { indexed: true }),
    string('passkey', 64, { indexed: true }),
    timestamp('signed_in'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE'), pointsAt('share', 'service_shares', 'CASCADE')],
});

/**
 * Who a user is at a provider: one row per provider, issuer and subject, of which the digest is the key. Subjects differ by their case, which
 * the collation of a column may not.
 */
export const identities = define('service_identities', {
  note: 'Who users are at the providers they log in by',
  internal: true,
  accountability: null,
  primaryKey: ['digest'],
  fields: [
    string('digest', 64, { nullable: false }),
    uuid('user', { nullable: false, indexed: true }),
    string('provider', 128, { nullable: false }),
    text('issuer', { nullable: false }),
    text('subject', { nullable: false }),
    string('email'),
    clock('created', { nullable: false }),
    timestamp('last_used'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE')],
});

/** One row per passkey. The digest of the credential's id is the key: ids may be longer than an index takes, and differ by their case. */
export const passkeys = define('service_passkeys', {
  note: 'Passkeys of users',
  internal: true,
  accountability: null,
  primaryKey: ['digest'],
  fields: [
    string('digest', 64, { nullable: false }),
    uuid('user', { nullable: false, indexed: true }),
    text('credential', { nullable: false }),
    text('public_key', { nullable: false }),
    // An authenticator that does not count always says 0.
    bigInteger('counter', { nullable: false }),
    json('transports'),
    boolean('backed_up', false),
    string('name', 100, { nullable: false }),
    clock('created', { nullable: false }),
    timestamp('last_used'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE')],
});

/**
 * Keys by which programs act for a user, each with less than the user's rights if it says so: those of a policy, some collections, reading only.
 * `ending` is the end of the token, by which its owner recognizes it. A key goes with its policy, since without it the key would do more.
 */
export const accessKeys = define('service_keys', {
  note: 'Access keys of users',
  internal: true,
  accountability: null,
  fields: [
    uuidKey(),
    uuid('user', { nullable: false, indexed: true }),
    string('name', 100, { nullable: false }),
    string('digest', 64, { nullable: false, unique: true }),
    string('ending', 4, { nullable: false }),
    uuid('policy', { indexed: true }),
    boolean('write', false),
    json('collections', { names: true }),
    json('addresses'),
    // In milliseconds since 1970: a TIMESTAMP of MariaDB and MySQL ends in 2038.
    bigInteger('expires'),
    clock('created', { nullable: false }),
    timestamp('last_used'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE'), pointsAt('policy', 'service_policies', 'CASCADE')],
});

/**
 * Providers to log in by that administrators added; those of the environment are not here. `settings` and, sealed, `secrets` are objects of
 * JSON with the texts of settings by their names; the former has stars for the latter.
 */
export const providers = define('service_providers', {
  note: 'Providers to log in by',
  internal: true,
  accountability: null,
  primaryKey: ['name'],
  fields: [
    string('name', 64, { nullable: false }),
    text('settings', { nullable: false }),
    text('secrets', { nullable: false }),
    timestamp('changed', { nullable: false }),
  ],
});

/** Digests of single-use values that were used, until they expire: states of logins by a provider, challenges of passkeys. */
export const spent = define('service_spent', {
  note: 'What can be used once and has been',
  internal: true,
  accountability: null,
  primaryKey: ['digest'],
  fields: [string('digest', 64, { nullable: false }), timestamp('expires', { nullable: false, indexed: true })],
});

/** One item, opened to anyone who has the link. */
export const shares = define('service_shares', {
  note: 'Items opened to everyone who has the link',
  fields: [
    uuidKey(),
    string('name'),
    collectionName('collection', { nullable: false }),
    string('item', 255, { nullable: false }),
    uuid('role'),
    hash('password'),
    userCreated(),
    dateCreated(),
    timestamp('date_start'),
    timestamp('date_end'),
    integer('times_used', { default: 0 }),
    integer('max_uses'),
  ],
  relations: [pointsAt('role', 'service_roles', 'CASCADE'), pointsAt('user_created', 'service_users', 'SET NULL')],
});

// What the admin application stores: project settings, presets, translations, dashboards and notifications.

import {
  boolean,
  clock,
  collectionName,
  counterKey,
  dateCreated,
  define,
  integer,
  json,
  listedAs,
  pointsAt,
  string,
  text,
  userCreated,
  uuid,
  uuidKey,
} from './define.js';

/** Settings of the project: one item with the key 1. */
export const settings = define('service_settings', {
  note: 'Settings of the project',
  singleton: true,
  fields: [
    integer('id', { nullable: false }),
    string('project_name', 100, { nullable: false, default: 'Tain' }),
    string('project_descriptor', 100),
    string('project_url'),
    string('project_color', 255, { nullable: false, default: '#3b5bdb' }),
    uuid('project_logo'),
    uuid('public_foreground'),
    uuid('public_background'),
    uuid('public_favicon'),
    text('public_note'),
    string('default_language', 255, { nullable: false, default: 'en-US' }),
    string('default_appearance', 255, { nullable: false, default: 'auto' }),
    string('default_theme_light'),
    string('default_theme_dark'),
    json('theme_light_overrides'),
    json('theme_dark_overrides'),
    integer('auth_login_attempts', { default: 25 }),
    string('auth_password_policy'),
    string('storage_asset_transform', 7, { default: 'all' }),
    json('storage_asset_presets'),
    uuid('storage_default_folder'),
    text('custom_css'),
    json('basemaps'),
    string('mapbox_key', 255, { special: ['conceal'] }),
    json('module_bar'),
    json('custom_aspect_ratios'),
    string('report_error_url'),
    string('report_bug_url'),
    string('report_feature_url'),
    boolean('public_registration', false),
    boolean('public_registration_verify_email', true),
    uuid('public_registration_role'),
    json('public_registration_email_filter'),
    json('visual_editor_urls'),
    uuid('project_id'),
  ],
  relations: [
    pointsAt('project_logo', 'service_files', 'SET NULL'),
    pointsAt('public_foreground', 'service_files', 'SET NULL'),
    pointsAt('public_background', 'service_files', 'SET NULL'),
    pointsAt('public_favicon', 'service_files', 'SET NULL'),
    pointsAt('storage_default_folder', 'service_folders', 'SET NULL'),
    pointsAt('public_registration_role', 'service_roles', 'SET NULL'),
  ],
});

/** Presets and bookmarks of the admin application. */
export const presets = define('service_presets', {
  note: 'Presets and bookmarks',
  accountability: null,
  fields: [
    counterKey(),
    string('bookmark'),
    uuid('user', { indexed: true }),
    uuid('role', { indexed: true }),
    collectionName('collection'),
    string('search', 100),
    string('layout', 100, { default: 'tabular' }),
    json('layout_query'),
    json('layout_options'),
    integer('refresh_interval'),
    json('filter'),
    string('icon', 64, { default: 'bookmark' }),
    string('color'),
  ],
  relations: [pointsAt('user', 'service_users', 'CASCADE'), pointsAt('role', 'service_roles', 'CASCADE')],
});

/** Texts of the admin application in several languages. */
export const translations = define('service_translations', {
  note: 'Texts in several languages',
  fields: [
    uuidKey(),
    string('language', 255, { nullable: false }),
    string('key', 255, { nullable: false }),
    text('value', { nullable: false }),
  ],
  uniques: [['language', 'key']],
});

export const dashboards = define('service_dashboards', {
  note: 'Dashboards of panels',
  fields: [
    uuidKey(),
    string('name', 255, { nullable: false }),
    string('icon', 64, { nullable: false, default: 'dashboard' }),
    text('note'),
    dateCreated(),
    userCreated(),
    string('color'),
  ],
  relations: [pointsAt('user_created', 'service_users', 'SET NULL')],
});

export const panels = define('service_panels', {
  note: 'Panels of dashboards',
  fields: [
    uuidKey(),
    uuid('dashboard', { nullable: false, indexed: true }),
    string('name'),
    string('icon', 64),
    string('color', 10),
    boolean('show_header', false),
    text('note'),
    string('type', 255, { nullable: false }),
    integer('position_x', { nullable: false }),
    integer('position_y', { nullable: false }),
    integer('width', { nullable: false }),
    integer('height', { nullable: false }),
    json('options'),
    dateCreated(),
    userCreated(),
  ],
  relations: [
    pointsAt('dashboard', 'service_dashboards', 'CASCADE', listedAs('panels', 'delete')),
    pointsAt('user_created', 'service_users', 'SET NULL'),
  ],
});

export const notifications = define('service_notifications', {
  note: 'Messages to users',
  accountability: null,
  fields: [
    counterKey(),
    clock('timestamp', { special: ['date-created'] }),
    string('status', 255, { default: 'inbox' }),
    uuid('recipient', { nullable: false, indexed: true }),
    uuid('sender', { special: ['user-created'] }),
    string('subject', 255, { nullable: false }),
    text('message'),
    collectionName('collection'),
    string('item'),
  ],
  relations: [pointsAt('recipient', 'service_users', 'CASCADE'), pointsAt('sender', 'service_users', 'SET NULL')],
});

// Presets and bookmarks of the admin application.

import { collectionName, counterKey, define, integer, json, pointsAt, string, uuid } from './define.js';

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

// What files and versions have besides their items.

import { may, onSome } from '../asker.js';
import { any, group, listOf, object, open, switchSchema, text } from '../fixed-operation.js';
import { content, data } from '../operation.js';
import { writtenParameters } from '../parameters.js';

const imageParameters = ['width', 'height', 'fit', 'format', 'quality', 'withoutEnlargement', 'key', 'download'];
const readsVersions = may('read', 'service_versions');

export const fileOperations = group('service_files', {
  importFile: open(may('create', 'service_files'))('post /files/import', 'Fetch a file by its address', {
    parameters: [...writtenParameters, 'idempotency'],
    body: object({ url: { type: 'string', format: 'uri' }, data: any }, 'url'),
    answer: data(any),
  }),
  readAsset: open(may('read', 'service_files'))('get /assets/{id}', 'The content of a file, as it is or transformed', {
    parameters: imageParameters,
    answer: content('*/*', {}),
  }),
});

export const versionOperations = group('service_versions', {
  saveVersion: open(readsVersions, may('update', 'service_versions'))('post /versions/{id}/save', 'Keep changes in a version', {
    parameters: ['idempotency'],
    body: any,
    answer: data(any),
  }),
  compareVersion: open(readsVersions)('get /versions/{id}/compare', 'Compare a version with its item', {
    answer: data(object({ outdated: switchSchema, mainHash: text, current: any, main: any })),
  }),
  promoteVersion: open(readsVersions, onSome('update'))('post /versions/{id}/promote', "Make a version's changes the item's own", {
    parameters: ['idempotency'],
    body: object({ mainHash: text, fields: listOf(text) }, 'mainHash'),
    answer: data({ type: ['string', 'integer'] }),
  }),
});

// Small tools, and what moves many items at once.

import { exportFormats } from '../../../../core/query/query.js';
import { may, onSome } from '../asker.js';
import { any, group, listOf, object, oneOfTexts, open, switchSchema, text } from '../fixed-operation.js';
import { content, data, empty, nothing } from '../operation.js';

const key = { type: ['string', 'integer'] };
const users = open('users');
const step = object({ id: text, method: oneOfTexts('GET', 'POST', 'PATCH', 'DELETE'), path: text, body: {} }, 'method', 'path');
const document = object({ query: text, variables: any, operationName: text }, 'query');
const graphqlAnswer = content('application/json', object({ data: any, errors: listOf(any) }));

export const utilityOperations = group('utilities', {
  batch: open('granted')('post /batch', 'Several operations as one: all of them or none', {
    parameters: ['idempotency'],
    body: object({ operations: listOf(step), dry_run: switchSchema }, 'operations'),
    answer: data(listOf(object({ status: { type: 'integer' }, body: {} }))),
  }),
  randomString: open('everybody')('get /utils/random/string', 'A random text', { parameters: ['length'], answer: data(text) }),
  generateHash: users('post /utils/hash/generate', 'Hash a text', { body: object({ string: text }, 'string'), answer: data(text) }),
  verifyHash: users('post /utils/hash/verify', 'Compare a text with a hash', {
    body: object({ string: text, hash: text }, 'string', 'hash'),
    answer: data(switchSchema),
  }),
  sortItems: open(onSome('update'))('post /utils/sort/{collection}', 'Move an item to the place of another', {
    parameters: ['idempotency'],
    body: object({ item: key, to: key }, 'item', 'to'),
    answer: empty,
  }),
  revert: open(may('read', 'service_revisions'), onSome('update'))('post /utils/revert/{id}', 'Take an item back to a revision', {
    parameters: ['idempotency'],
    answer: nothing,
  }),
  importItems: open(onSome('create'))('post /utils/import/{collection}', 'Create items from a file: CSV, JSON or NDJSON', {
    parameters: ['idempotency'],
    form: object({ file: { type: 'string', contentMediaType: 'application/octet-stream' } }, 'file'),
    answer: empty,
  }),
  importCollections: open(onSome('create'))('post /utils/import', 'Create or update items of several collections', {
    parameters: ['importMode', 'dryRun', 'idempotency'],
    body: listOf(object({ collection: text, items: listOf(any) }, 'collection', 'items')),
    answer: data(any),
  }),
  exportItems: open(onSome('read'), may('create', 'service_files'))('post /utils/export/{collection}', 'Export items into a file', {
    parameters: ['idempotency'],
    body: object({ query: any, format: oneOfTexts(...exportFormats), file: object({ title: text, folder: text }) }, 'query', 'format'),
    answer: nothing,
  }),
  clearCache: open('administrators')('post /utils/cache/clear', 'Forget what was remembered of the database', { answer: empty }),
});

export const graphqlOperations = group('graphql', {
  ...endpoint('', '/graphql', 'the items'),
  ...endpoint('System', '/graphql/system', 'everything else'),
});

function endpoint(name: string, path: string, what: string) {
  const everybody = open('everybody');
  return {
    [`query${name}`]: everybody(`get ${path}`, `Ask for ${what} in GraphQL`, {
      parameters: ['document', 'variables'],
      answer: graphqlAnswer,
    }),
    [`operate${name}`]: everybody(`post ${path}`, `Ask for ${what} in GraphQL, or change it`, {
      parameters: ['idempotency'],
      body: document,
      answer: graphqlAnswer,
    }),
  };
}

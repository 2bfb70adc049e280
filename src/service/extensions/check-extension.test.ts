import { expect, it } from 'vitest';
import { faultsOf } from './check-extension.js';
import { shapes } from './shapes.js';

const run = (): null => null;
const right = { output: shapes.json, open: 'users', run };

it('accepts what is right', () => {
  expect(faultsOf({ name: 'a' })).toEqual([]);
  const endpoints = { 'GET /a/{id}': { ...right, input: { id: shapes.key } }, 'POST /b-c': { ...right, transaction: false, id: 'b' } };
  expect(faultsOf({ name: 'web-shop', version: '1', hooks: { orders: { before: run }, '*': {} }, endpoints })).toEqual([]);
});

it.each([
  [null, 'is no object: export what defineExtension returns as the default'],
  [{ name: 'Web Shop' }, 'name has to be lower-case letters, digits and hyphens, at most 40'],
  [{ name: 'a', hook: {} }, 'hook means nothing here; there are name, version, hooks and endpoints'],
  [
    { name: 'a', hooks: { orders: { beforeAll: run } } },
    'hooks["orders"].beforeAll means nothing here; there are before, after, committed and durable',
  ],
  [{ name: 'a', hooks: { orders: { before: 'x' } } }, 'hooks["orders"].before has to be a function'],
  [{ name: 'a', hooks: { orders: run } }, 'hooks["orders"] has to be an object with before, after, committed and durable'],
  [{ name: 'a', hooks: [] }, 'hooks has to be an object'],
  [
    { name: 'a', endpoints: { '/x': right } },
    'endpoints["/x"] is no address: "POST /quote", with GET, POST, PATCH or DELETE, lower-case words, and {names} of the input',
  ],
  [{ name: 'a', endpoints: { 'GET /{id}': right } }, 'endpoints["GET /{id}"] has {id} in its path and not in its input'],
  [
    { name: 'a', endpoints: { 'GET /a': { ...right, output: 'text' } } },
    'endpoints["GET /a"].output has to be a shape, shapes.nothing if there is nothing to answer',
  ],
  [
    { name: 'a', endpoints: { 'GET /a': { ...right, open: [] } } },
    'endpoints["GET /a"].open says who may call it: "everybody", "users", "administrators", or { collection, action }',
  ],
  [
    { name: 'a', endpoints: { 'GET /a': { ...right, transaction: true } } },
    'endpoints["GET /a"].transaction: GET only reads, so it has none',
  ],
  [
    { name: 'a', endpoints: { 'GET /a': { ...right, input: { id: 'text' } } } },
    'endpoints["GET /a"].input.id has to be a shape: shapes.text(), shapes.integer(0, 9)',
  ],
  [{ name: 'a', endpoints: { 'GET /a': { ...right, run: 1 } } }, 'endpoints["GET /a"].run has to be a function'],
])('says what is wrong with %j', (extension, fault) => {
  expect(faultsOf(extension)).toEqual([fault]);
});

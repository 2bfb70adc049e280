import { expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { addressKey, keyFields, keyOfAddress, keySegment, keyText, keyValue } from './item-key.js';

const column = (name: string, schema: object) => ({
  collection: 'casts',
  field: name,
  type: 'string',
  meta: null,
  schema: { is_nullable: false, default_value: null, ...schema },
});
const casts = buildSchema(
  [{ collection: 'casts', meta: null, schema: {} }],
  [
    column('role', {}),
    column('actor', { is_primary_key: true, primary_key_position: 2 }),
    column('film', { is_primary_key: true, primary_key_position: 1 }),
  ],
  [],
  'en',
).get('casts');
if (casts === undefined) throw new Error('no collection');

it('has the parts of a key in the order of the key, whatever they contain', () => {
  expect([casts.key, casts.keys]).toEqual([null, ['film', 'actor']]);
  const item = { film: 'a,b/c', actor: 3, role: 'x' };
  const text = keyText(casts, item) ?? '';
  expect(text).toBe('a%2Cb%2Fc,3');
  expect([keyValue(casts, item), keySegment(casts, text)]).toEqual([text, text]);
  expect(keyFields(casts, text)).toEqual({ film: 'a,b/c', actor: '3' });
  expect(keyText(casts, { film: 'a' })).toBe(null);
});

it('is the value itself of a key of one field', () => {
  const collection = { keys: ['id'] };
  expect([keyText(collection, { id: 7 }), keyValue(collection, { id: 7 }), keySegment(collection, 'a/b')]).toEqual(['7', 7, 'a%2Fb']);
  expect(keyFields(collection, 7)).toEqual({ id: 7 });
  expect([keyText(collection, {}), keyText({ keys: [] }, { id: 1 })]).toEqual([null, null]);
});

it.each(['a%2Cb%2Fc,3', '50 %', '~25', '~7E%', 'ä/b', '7'])('%s goes through an address, however often that is decoded', (key) => {
  const address = addressKey(key);
  expect(keyOfAddress(address)).toBe(key);
  expect(keyOfAddress(decodeURI(address))).toBe(key);
});

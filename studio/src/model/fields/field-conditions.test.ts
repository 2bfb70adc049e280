import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/build-schema.js';
import { newCondition, readConditions, storeCondition } from './field-conditions.js';

const stored = {
  name: 'paid',
  rule: { _and: [{ kind: { _eq: 'paid' } }] },
  hidden: false,
  required: true,
  clear_hidden_value_on_save: true,
};
const column = { is_nullable: true, default_value: null };
const schema = buildSchema(
  [{ collection: 'articles', meta: null, schema: {} }],
  [
    { collection: 'articles', field: 'title', type: 'string', meta: null, schema: column },
    { collection: 'articles', field: 'featured', type: 'boolean', meta: null, schema: column },
    { collection: 'articles', field: 'price', type: 'decimal', meta: { conditions: [stored] }, schema: column },
  ],
  [],
  'en',
);
const articles = schema.get('articles');
const price = articles?.fieldsByName.get('price');
if (articles === undefined || price === undefined) throw new Error('no price');

it('stores what it read, with what it does not know', () => {
  expect(readConditions(price).map(storeCondition)).toEqual([stored]);
});

it('stores an effect only where there is one', () => {
  const [condition] = readConditions(price);
  if (condition === undefined) throw new Error('no condition');
  const changed = storeCondition({ ...condition, name: '', effects: { hidden: null, readonly: true, required: null } });
  expect(changed).toEqual({ rule: stored.rule, readonly: true, clear_hidden_value_on_save: true });
});

it('begins with a switch of the form', () => {
  expect(storeCondition(newCondition(articles, price, 1))).toEqual({ rule: { _and: [{ featured: { _eq: true } }] }, hidden: false });
});

import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/build-schema.js';
import { loadLanguage } from '../../text/use-text.js';
import { planItems } from './import-plan.js';
import { readTable } from './read-table.js';

const text = (field: string, schema: object) => ({ collection: 'notes', field, type: 'string', meta: null, schema: { ...schema } });
const schema = buildSchema(
  [{ collection: 'notes', meta: null, schema: {} }],
  [
    text('free', { is_nullable: true, default_value: null }),
    text('state', { is_nullable: false, default_value: 'draft' }),
    text('name', { is_nullable: false, default_value: null }),
  ],
  [],
  'en',
);

it('says what becomes of empty cells, and never makes empty texts of them', async () => {
  const collection = schema.get('notes');
  if (collection === undefined) throw new Error('no collection');
  const table = readTable('notes.csv', 'free,state,name\n,,a\nx, ,\n');
  const planned = planItems(collection, table, ['free', 'state', 'name'], await loadLanguage('en'), () => undefined);
  expect(planned.items).toEqual([{ free: null, name: 'a' }, { free: 'x' }]);
  expect(planned.refusals).toEqual([{ row: 1, field: 'name', message: 'This field needs a value.' }]);
  expect(planned.empty.map(({ field, becomes, count }) => [field.name, becomes, count])).toEqual([
    ['free', 'null', 1],
    ['state', 'default', 2],
  ]);
});

it('keeps an empty text that JSON states', async () => {
  const collection = schema.get('notes');
  if (collection === undefined) throw new Error('no collection');
  const table = readTable('notes.json', '[{"name": ""}]');
  expect(planItems(collection, table, ['name'], await loadLanguage('en'), () => undefined)).toMatchObject({
    items: [{ name: '' }],
    refusals: [],
  });
});

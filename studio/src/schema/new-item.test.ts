import { expect, it } from 'vitest';
import { checkDraft } from '../draft/check-draft.js';
import { buildSchema } from './build-schema.js';
import { isOffered } from './form-fields.js';
import { makerOf, newItem } from './new-item.js';

const field = (name: string, type: string, schema: object, meta: object = {}) => ({
  collection: 'things',
  field: name,
  type,
  meta: { ...meta },
  schema: { is_nullable: true, default_value: null, ...schema },
});

const schema = buildSchema(
  [{ collection: 'things', meta: null, schema: {} }],
  [
    field('id', 'integer', { is_nullable: false, is_primary_key: true, has_auto_increment: true }),
    field('status', 'string', { is_nullable: false, default_value: 'draft' }, { required: true }),
    field('on', 'boolean', { default_value: 'true' }),
    field('count', 'integer', { default_value: '12' }),
    field('document', 'json', { default_value: '{"a":1}' }),
    field('off', 'boolean', { default_value: false }),
    field('words', 'string', { default_value: 'now()' }),
    field('made', 'timestamp', { is_nullable: false, default_value: 'now()', default_is_expression: true }),
    field('list', 'unknown', { default_value: '{}' }),
    field('plain', 'string', {}),
    field('author', 'uuid', {}, { special: 'user-created' }),
    field('seen', 'timestamp', { default_value: '2020-01-01T00:00:00.000Z' }),
  ],
  [],
  'en',
);
const things = schema.get('things');
if (things === undefined) throw new Error('no collection');
const made = (permissions = {}) => things.fields.flatMap((each) => (makerOf(each, things, permissions) === null ? [] : [each.name]));

it('holds the defaults that are values; an expression is made when it is stored', () => {
  expect(newItem(things, {})).toEqual({
    status: 'draft',
    on: true,
    count: 12,
    document: { a: 1 },
    off: false,
    words: 'now()',
    seen: '2020-01-01T00:00:00.000Z',
  });
  expect(made()).toEqual(['id', 'made', 'list', 'author']);
  expect(things.fields.map((each) => makerOf(each, things, {})?.expression ?? null).filter((text) => text !== null)).toEqual([
    'now()',
    '{}',
  ]);
});

it('holds presets over defaults, but for those that get their values later', () => {
  const permissions = {
    things: { create: { access: 'partial' as const, presets: { status: 'new', on: null, seen: '$NOW', plain: 'x' } } },
  };
  expect(newItem(things, permissions)).toEqual({
    status: 'new',
    on: null,
    count: 12,
    document: { a: 1 },
    off: false,
    words: 'now()',
    plain: 'x',
  });
  expect(made(permissions)).toEqual(['id', 'made', 'list', 'author', 'seen']);
});

it('is complete without what is filled in', () => {
  const draft = { collection: things, base: newItem(things, {}), edits: { plain: 'x' }, isNew: true, filled: null };
  const faults = { number: '', digits: '', boolean: '', moment: '', json: '', unknown: '', choose: '', length: '', part: '' };
  const texts = { missing: 'missing', invalid: 'invalid', faults };
  expect(checkDraft({ schema, user: 'me', now: new Date() }, draft, texts)).toEqual([]);
});

it('offers a key that nobody makes', () => {
  const keys = buildSchema(
    [{ collection: 'things', meta: null, schema: {} }],
    [
      field('counted', 'integer', { is_primary_key: true, has_auto_increment: true }),
      field('given', 'integer', { is_primary_key: true, is_nullable: false }),
    ],
    [],
    'en',
  ).get('things');
  expect(keys?.fields.filter((each) => isOffered(each, true)).map(({ name }) => name)).toEqual(['given']);
});

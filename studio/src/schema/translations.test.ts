import { expect, it } from 'vitest';
import { buildSchema } from './build-schema.js';
import { translateAll, translator, untranslated } from './translations.js';

const rows = [
  { key: 'title', language: 'en-US', value: 'Title' },
  { key: 'title', language: 'de-AT', value: 'Titel (AT)' },
  { key: 'title', language: 'de', value: 'Titel' },
  { key: 'author', language: 'de-AT', value: 'Autor (AT)' },
  { key: 'author', language: 'en-GB', value: 'Author' },
  { key: 'only', language: 'fr-FR', value: 'Seulement' },
];

it.each([
  ['de-AT', '$t:title', 'Titel (AT)'],
  ['de-DE', '$t:title', 'Titel'],
  ['de-DE', '$t:author', 'Autor (AT)'],
  ['DE-at', '$t:title', 'Titel (AT)'],
  ['fr-CA', '$t:title', 'Title'],
  ['fr-CA', '$t:author', 'Author'],
  ['fr-CA', '$t:only', 'Seulement'],
  ['de-DE', '$t:only', 'only'],
  ['de-DE', '$t:nothing', 'nothing'],
  ['de-DE', 'It costs $t:title', 'It costs $t:title'],
])('reads in %s %s as %s', (language, value, text) => {
  expect(translator(rows, [language, 'en-US'])(value)).toBe(text);
});

it('finds texts however deep, and leaves what holds none as it is', () => {
  const plain = { choices: [{ value: 'a', text: 'A' }] };
  expect(translateAll(untranslated, plain)).toBe(plain);
  const options = { placeholder: '$t:title', choices: [{ value: '$x', text: '$t:author' }, 7, null], nested: plain };
  const translated = translateAll(translator(rows, ['de']), options);
  expect(translated).toEqual({ placeholder: 'Titel', choices: [{ value: '$x', text: 'Autor (AT)' }, 7, null], nested: plain });
  expect(translated.nested).toBe(plain);
});

it('shows names, notes, placeholders and choices by their texts, and keeps what is stored', () => {
  const meta = {
    translations: [{ language: 'de-DE', translation: '$t:title' }],
    note: '$t:author',
    options: { placeholder: '$t:title', choices: [{ value: 'a', text: '$t:author' }] },
    conditions: [{ rule: {}, options: { placeholder: '$t:author' } }],
  };
  const field = { collection: 'books', field: 'name', type: 'string', meta, schema: { is_nullable: true } };
  const collections = [{ collection: 'books', meta: { translations: meta.translations, note: '$t:author' }, schema: {} }];
  const books = buildSchema(collections, [field], [], 'de-DE', translator(rows, ['de-DE'])).get('books');
  expect([books?.title, books?.note]).toEqual(['Titel', 'Autor (AT)']);
  const name = books?.fieldsByName.get('name');
  expect([name?.title, name?.note, name?.options['placeholder'], name?.choices?.[0]?.text]).toEqual([
    'Titel',
    'Autor (AT)',
    'Titel',
    'Autor (AT)',
  ]);
  expect(name?.conditions).toEqual([{ rule: {}, options: { placeholder: 'Autor (AT)' } }]);
  expect(name?.stored).toBe(meta);
});

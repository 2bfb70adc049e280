import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import { type Language, loadLanguage } from '../text/use-text.js';
import { textOfMarks } from './mark.js';
import { relativeText, showValue, sizeText } from './show-value.js';

const language: Language = {
  ...(await loadLanguage('en')),
  dateTime: new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
};

/** The marks of a value in a field with this display. */
function show(display: string | null, value: unknown, display_options: object = {}, type = 'string') {
  const schema = buildSchema(
    [{ collection: 'things', meta: null, schema: {} }],
    [
      {
        collection: 'things',
        field: 'one',
        type,
        meta: { display, display_options },
        schema: { is_nullable: true, default_value: null, numeric_scale: 5 },
      },
    ],
    [],
    'en',
  );
  const field = schema.get('things')?.fieldsByName.get('one');
  if (field === undefined) throw new Error('no field');
  return showValue({ schema, language }, field, value);
}

describe('displays', () => {
  it.each<[string | null, unknown, object, string, string]>([
    ['raw', 'plain', {}, 'string', 'plain'],
    ['unheard-of', 12, {}, 'integer', '12'],
    [null, 1234, {}, 'integer', '1,234'],
    [null, '9007199254740993', {}, 'bigInteger', '9,007,199,254,740,993'],
    [null, '1234.50000', {}, 'decimal', '1,234.50'],
    [null, 0.125, {}, 'float', '0.125'],
    [null, '2026-02-03', {}, 'date', 'Feb 3, 2026'],
    [null, 'line\nbreak', {}, 'text', 'line break'],
    [null, 'secret', {}, 'hash', '••••••••'],
    ['formatted-value', 'in_review', { format: true, prefix: '<', suffix: '>' }, 'string', '<In Review>'],
    ['formatted-json-value', [{ a: 1 }, { a: 2 }], { format: 'no {{ a }}' }, 'json', 'no 1, no 2'],
    ['boolean', false, { labelOff: 'closed' }, 'boolean', 'closed'],
    ['datetime', '2026-02-03T04:05:06Z', {}, 'timestamp', 'Feb 3, 2026, 4:05 AM'],
    ['labels', ['a', 'b'], { choices: [{ value: 'a', text: 'Alpha' }] }, 'json', 'Alpha, b'],
    ['rating', 3, {}, 'integer', '★★★☆☆'],
    ['color', '#ff0000', {}, 'string', '#ff0000'],
    ['icon', 'home', {}, 'string', 'home'],
    ['image', { id: 'f', title: 'A cat' }, {}, 'uuid', 'A cat'],
    ['file', { id: 'f', title: 'A cat', type: 'text/plain' }, {}, 'uuid', 'A cat'],
    ['filesize', '1536000', {}, 'bigInteger', '1.5 MB'],
    ['mime-type', 'image/png', { showAsExtension: true }, 'string', 'png'],
    ['hash', 'anything', {}, 'string', '••••••••'],
    ['user', { first_name: 'Ada', last_name: 'Byron' }, {}, 'uuid', 'Ada Byron'],
    ['related-values', [{ n: 'x' }, { n: 'y' }], { template: '{{n}}' }, 'alias', 'x, y'],
    ['related-values', [1, 2, 3], {}, 'alias', '3 items'],
    ['translations', [{ title: 'Hallo' }], { template: '{{title}}' }, 'alias', 'Hallo'],
    ['collection', 'things', {}, 'string', 'Things'],
    ['labels', null, {}, 'string', ''],
  ])('%s of %j with %j is “%s” as text', (display, value, options, type, text) => {
    expect(textOfMarks(show(display, value, options, type))).toBe(text);
  });

  it('take colours from metadata, and nothing that is not a colour', () => {
    const choices = [{ value: 'a', background: '#fff', foreground: 'url(https://elsewhere.example)' }];
    expect(show('labels', 'a', { choices })).toEqual([{ kind: 'chip', text: 'a', background: '#fff' }]);
    const rules = [{ operator: 'gt', value: 5, color: 'red', text: 'many' }];
    expect(show('formatted-value', 6, { conditionalFormatting: rules })).toEqual([{ kind: 'text', text: 'many', color: 'red' }]);
    expect(show('image', 'f1', { circle: true })).toEqual([{ kind: 'image', text: '', file: 'f1', isRound: true }]);
  });

  it('say how long ago and how large', () => {
    const now = new Date('2026-02-03T00:00:00Z');
    expect(relativeText(language, new Date('2026-02-01T00:00:00Z'), now)).toBe('2 days ago');
    expect(relativeText(language, now, now)).toBe('now');
    expect([0, 999, 1000, 25_000_000].map((bytes) => sizeText(language, bytes))).toEqual(['0 byte', '999 byte', '1 kB', '25 MB']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import type { Field } from '../schema/model.js';
import { faultIn, typedText } from '../schema/typed.js';
import { loadLanguage } from '../text/use-text.js';
import { printJson, readJson } from './read-json.js';
import { printValue, readText, readValue } from './read-value.js';

const [english, german] = await Promise.all([loadLanguage('en-US'), loadLanguage('de-DE')]);

function fieldOf(type: string, options: Readonly<Record<string, unknown>> = {}, nullable = true): Field {
  const raw = { collection: 'c', field: 'f', type, meta: { options }, schema: { is_nullable: nullable, default_value: null } };
  const field = buildSchema([{ collection: 'c', meta: null, schema: {} }], [raw], [], 'en').get('c')?.fields[0];
  if (field === undefined) throw new Error('no field');
  return field;
}

describe('text as a value', () => {
  it.each([
    ['integer', '1,234', english, 1234],
    ['integer', '1.234', german, 1234],
    ['float', '1,5', german, 1.5],
    ['float', '-0.5', english, -0.5],
    ['decimal', '12345678901234567890.10', english, '12345678901234567890.10'],
    ['bigInteger', ' 9007199254740993 ', english, '9007199254740993'],
    ['boolean', 'Yes', english, true],
    ['boolean', 'nein', german, false],
    ['date', '2026-01-31', english, '2026-01-31'],
    ['date', '1/31/2026', english, '2026-01-31'],
    ['date', '31.1.2026', german, '2026-01-31'],
    ['dateTime', '31.01.2026 14:05', german, '2026-01-31T14:05:00'],
    ['csv', 'a, b', english, ['a', 'b']],
    ['json', '{"a":1}', english, { a: 1 }],
    ['string', ' kept ', english, ' kept '],
    ['integer', '', english, null],
  ])('of type %s: %j', (type, text, language, value) => {
    expect(readValue(fieldOf(type), text, language)).toEqual({ value, fault: null });
  });

  it.each([
    ['integer', '1.5', 'number'],
    ['integer', 'many', 'number'],
    ['boolean', 'maybe', 'boolean'],
    ['date', 'soon', 'moment'],
    ['date', '2026-13-31', 'moment'],
    ['json', '{', 'json'],
  ])('that is no %s stays as it is: %j', (type, text, fault) => {
    expect(readValue(fieldOf(type), text, english)).toEqual({ value: text, fault });
  });

  it('finds a choice by its value or its label, and is empty text where null is not allowed', () => {
    const field = fieldOf('string', { choices: [{ value: 'd', text: 'Draft' }] });
    expect([readValue(field, 'draft', english).value, readValue(field, 'd', english).value]).toEqual(['d', 'd']);
    expect(readValue(fieldOf('string', {}, false), '', english).value).toBe('');
  });
});

describe('whatever is typed', () => {
  const types = [
    'string',
    'text',
    'integer',
    'bigInteger',
    'decimal',
    'float',
    'boolean',
    'date',
    'time',
    'dateTime',
    'timestamp',
    'json',
    'csv',
    'uuid',
  ];
  const typed = fc.oneof(
    fc.string(),
    fc.json(),
    fc.stringMatching(/^[-+]?[\d.,e' ]{1,24}$/),
    fc.constantFrom(
      '{"stalls": 12',
      '12,5',
      '1.234,5',
      '31.12.2026 10:00',
      '2026-02-30',
      'yes',
      '-',
      '-0',
      '[1,]',
      '9'.repeat(400),
      '{"id":12345678901234567890}',
    ),
  );

  it.each(types)('is a value that stays what it is, or is kept as it was typed: %s', (type) => {
    const field = fieldOf(type);
    for (const language of [english, german])
      fc.assert(
        fc.property(typed, (text) => {
          const { value, fault } = readValue(field, text, language);
          if (fault !== null) {
            expect([text, text.trim()]).toContain(value);
            return;
          }
          // Nothing that JSON cannot carry, and no other value once it is shown and read again.
          expect(JSON.parse(JSON.stringify(value))).toEqual(value);
          const again = readValue(field, type === 'json' ? printJson(value) : printValue(field, value, language), language);
          if (type !== 'csv' && typeof value !== 'boolean') expect(again).toEqual({ value: value, fault: null });
        }),
      );
  });

  it('as a text is that text, or too long for its column', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const raw = { collection: 'c', field: 'f', type: 'string', meta: {}, schema: { is_nullable: false, max_length: 8 } };
        const [field] = buildSchema([{ collection: 'c', meta: null, schema: {} }], [raw], [], 'en').get('c')?.fields ?? [];
        if (field === undefined) throw new Error('no field');
        expect(readText(field, text)).toEqual({ value: text, fault: [...text].length > 8 ? 'length' : null });
      }),
    );
  });

  it('as JSON is what JSON reads, unless a whole number would lose digits', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text), fault: null });
      }),
    );
    expect(readJson('{"id":12345678901234567890}').fault).toBe('digits');
    expect(readJson('{"id":"12345678901234567890"}').fault).toBe(null);
    expect(readJson('{"id":').fault).toBe('json');
  });

  it('is found in a value, and in the records of a list', () => {
    const broken = typedText('{', 'json');
    expect([broken, [{ a: 1 }, { a: broken }], [{ a: 1 }], { a: broken }, null].map(faultIn)).toEqual(['json', 'json', null, null, null]);
  });
});

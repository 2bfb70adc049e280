import { describe, expect, it } from 'vitest';
import { buildSchema } from '../../schema/build-schema.js';
import type { Field } from '../../schema/model.js';
import { loadLanguage } from '../../text/use-text.js';
import { readCell } from './read-cell.js';

const [english, german] = await Promise.all([loadLanguage('en-US'), loadLanguage('de-DE')]);

function fieldOf(type: string, options: Readonly<Record<string, unknown>> = {}, nullable = true): Field {
  const raw = { collection: 'c', field: 'f', type, meta: { options }, schema: { is_nullable: nullable, default_value: null } };
  const field = buildSchema([{ collection: 'c', meta: null, schema: {} }], [raw], [], 'en').get('c')?.fields[0];
  if (field === undefined) throw new Error('no field');
  return field;
}

describe('text in a cell', () => {
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
    expect(readCell(fieldOf(type), text, language)).toEqual({ value, fault: null });
  });

  it.each([
    ['integer', '1.5', 'number'],
    ['integer', 'many', 'number'],
    ['boolean', 'maybe', 'boolean'],
    ['date', 'soon', 'moment'],
    ['date', '2026-13-31', 'moment'],
    ['json', '{', 'json'],
  ])('that is no %s stays as it is: %j', (type, text, fault) => {
    expect(readCell(fieldOf(type), text, english)).toEqual({ value: text, fault });
  });

  it('finds a choice by its value or its label, and is empty text where null is not allowed', () => {
    const field = fieldOf('string', { choices: [{ value: 'd', text: 'Draft' }] });
    expect([readCell(field, 'draft', english).value, readCell(field, 'd', english).value]).toEqual(['d', 'd']);
    expect(readCell(fieldOf('string', {}, false), '', english).value).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { buildSchema } from '../schema/build-schema.js';
import { refusalsEnglish } from './english/refusals.js';
import { refusalsGerman } from './german/refusals.js';
import { loadLanguage } from './use-text.js';
import { wordRefusal } from './word-refusal.js';

const schema = buildSchema(
  [{ collection: 'books', meta: { translations: [{ language: 'de-DE', translation: 'Bücher' }] }, schema: {} }],
  [
    {
      collection: 'books',
      field: 'list_price',
      type: 'decimal',
      meta: { translations: [{ language: 'de-DE', translation: 'Preis' }], validation_message: null },
      schema: {},
    },
    { collection: 'books', field: 'pages', type: 'integer', meta: { validation_message: 'Too thin.' }, schema: {} },
  ],
  [],
  'de-DE',
);

const at = { collection: 'books', field: 'list_price' };
const german = await loadLanguage('de-DE');
const english = await loadLanguage('en-US');
const say = (extensions: object, message = 'as the service says it') =>
  wordRefusal({ language: german, schema }, refusalsGerman, { message, extensions: { code: 'INVALID_PAYLOAD', ...extensions } });

describe('a refusal in words', () => {
  it.each<[object, string]>([
    [{ ...at, refusal: 'decimal_number' }, '„Preis“ muss eine Zahl sein.'],
    [{ ...at, refusal: 'range', min: '-2147483648', max: '9' }, '„Preis“ muss zwischen -2.147.483.648 und 9 liegen.'],
    [{ ...at, refusal: 'whole_number', of_entry: true }, 'Ein Eintrag von „Preis“ muss eine ganze Zahl sein.'],
    [{ ...at, refusal: 'number', of_default: true }, 'Der Vorgabewert von „Preis“ muss eine Zahl sein.'],
    [{ ...at, code: 'RECORD_NOT_UNIQUE' }, '„Preis“ muss eindeutig sein: Ein anderer Eintrag hat diesen Wert.'],
    [{ ...at, code: 'NOT_NULL_VIOLATION' }, '„Preis“ braucht einen Wert.'],
    [{ ...at, code: 'FAILED_VALIDATION', type: 'required' }, '„Preis“ braucht einen Wert.'],
    [{ ...at, code: 'FAILED_VALIDATION', type: 'gte', valid: 1000 }, '„Preis“: Die Regel „ist mindestens 1.000“ ist nicht erfüllt.'],
    [{ ...at, code: 'FAILED_VALIDATION', type: 'check', constraint: 'c' }, '„Preis“ verletzt die Regel „c“ der Datenbank.'],
    [{ collection: 'books', field: 'pages', code: 'FAILED_VALIDATION', type: 'gte', valid: 5 }, 'Too thin.'],
    [
      { ...at, code: 'FORBIDDEN', refusal: 'forbidden_field' },
      'Für „Preis“ in „Bücher“ fehlt Ihnen die Berechtigung, oder es existiert nicht.',
    ],
    [{ ...at, code: 'FORBIDDEN', refusal: 'a name of a newer service' }, 'Dazu fehlt Ihnen die Berechtigung, oder es existiert nicht.'],
    [{ code: 'FAILED_VALIDATION', type: 'trigger' }, 'as the service says it'],
    [{ reason: 'Something rare.' }, 'Der Dienst lehnt ab: Something rare.'],
  ])('%j', (extensions, words) => expect(say(extensions)).toBe(words));

  it('is English for everybody else, with titles guessed where none are known', () => {
    const entry = {
      message: '',
      extensions: { code: 'VALUE_TOO_LONG', refusal: 'too_long', max: 1200, collection: 'x', field: 'first_name' },
    };
    expect(wordRefusal({ language: english, schema }, refusalsEnglish, entry)).toBe('“First Name” is longer than 1,200 characters.');
  });
});

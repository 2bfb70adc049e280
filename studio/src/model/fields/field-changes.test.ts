import { expect, it } from 'vitest';
import { changesOf, columnOf, metaOf, otherOptions, printChoices } from './field-changes.js';

function formOf(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

it('changes nothing when nothing was changed', () => {
  const stored = { is_nullable: true, is_unique: false, default_value: null, max_length: 255 };
  const form = formOf({ is_nullable: 'on', default_value: '', max_length: '255' });
  expect(changesOf(columnOf(form, 'string'), stored)).toEqual({});
  expect(changesOf(metaOf(formOf({ width: 'full' }), null), null)).toEqual({});
});

it('names what differs', () => {
  const form = formOf({ is_unique: 'on', default_value: 'x', max_length: '10' });
  expect(changesOf(columnOf(form, 'string'), { is_nullable: true, is_unique: false, default_value: null, max_length: 255 })).toEqual({
    is_nullable: false,
    is_unique: true,
    default_value: 'x',
    max_length: 10,
  });
});

it('makes a list of choices a dropdown', () => {
  expect(metaOf(formOf({ choices: 'draft\n published \n' }), null)).toMatchObject({
    interface: 'select-dropdown',
    options: {
      choices: [
        { text: 'draft', value: 'draft' },
        { text: 'published', value: 'published' },
      ],
    },
  });
});

it('writes choices with their texts, and keeps what they and the options have besides', () => {
  const choices = [
    { value: 'draft', text: '$t:draft', color: '#f00' },
    { value: 'live', text: 'live' },
  ];
  const stored = { width: 'full', interface: 'select-dropdown', options: { choices, placeholder: '$t:choose' } };
  expect(printChoices(stored)).toBe('draft = $t:draft\nlive');
  const form = { width: 'full', interface: 'select-dropdown', options: JSON.stringify(otherOptions(stored)) };
  expect(changesOf(metaOf(formOf({ ...form, choices: printChoices(stored) }), stored), stored)).toEqual({});
  expect(changesOf(metaOf(formOf({ ...form, choices: 'draft = Draft\nlive = On = air' }), stored), stored)).toEqual({
    options: {
      placeholder: '$t:choose',
      choices: [
        { value: 'draft', text: 'Draft', color: '#f00' },
        { value: 'live', text: 'On = air' },
      ],
    },
  });
});

it('changes options, names and the validation only where the form has them', () => {
  const stored = {
    width: 'full',
    options: { placeholder: 'x' },
    translations: [{ language: 'de-DE', translation: 'Titel' }],
    validation: { title: { _nnull: true } },
    display: 'raw',
  };
  expect(changesOf(metaOf(formOf({ width: 'full' }), stored), stored)).toEqual({});
  const emptied = { width: 'full', options: ' ', translations: '', validation: '', display: '' };
  expect(changesOf(metaOf(formOf(emptied), stored), stored)).toEqual({
    options: null,
    translations: null,
    validation: null,
    display: null,
  });
});

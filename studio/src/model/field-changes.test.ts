import { expect, it } from 'vitest';
import { changesOf, columnOf, metaOf } from './field-changes.js';

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

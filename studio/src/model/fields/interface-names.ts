// The interfaces that suit a type of field, by the names that metadata stores. Pure.

const byType: Readonly<Record<string, readonly string[]>> = {
  string: [
    'input',
    'input-multiline',
    'select-dropdown',
    'select-radio',
    'select-color',
    'select-icon',
    'input-rich-text-md',
    'input-code',
  ],
  text: ['input-multiline', 'input-rich-text-html', 'input-rich-text-md', 'input-code', 'input'],
  integer: ['input', 'slider', 'select-dropdown'],
  bigInteger: ['input'],
  decimal: ['input', 'slider'],
  float: ['input', 'slider'],
  boolean: ['boolean'],
  date: ['datetime'],
  time: ['datetime'],
  dateTime: ['datetime'],
  timestamp: ['datetime'],
  json: ['input-code', 'list', 'tags', 'select-multiple-checkbox', 'select-multiple-dropdown', 'map'],
  csv: ['tags', 'select-multiple-checkbox', 'select-multiple-dropdown'],
  hash: ['input-hash'],
  uuid: ['input'],
  geometry: ['map', 'input-code'],
};

export const groupInterfaces = ['group-detail', 'group-raw', 'group-accordion', 'group-tabs'] as const;

/** One that is stored already stays among them. */
export function interfacesOf(type: string, stored: string | null): readonly string[] {
  const suited = stored?.startsWith('group-') === true ? groupInterfaces : (byType[type.split('.', 1)[0] ?? ''] ?? []);
  return stored === null || suited.some((each) => each === stored) ? suited : [stored, ...suited];
}

const displays = [
  'raw',
  'formatted-value',
  'formatted-json-value',
  'boolean',
  'collection',
  'color',
  'datetime',
  'file',
  'filesize',
  'hash',
  'icon',
  'image',
  'labels',
  'mime-type',
  'rating',
  'related-values',
  'translations',
  'user',
];

/** One that is stored already stays among them. */
export const displaysWith = (stored: string): readonly string[] =>
  stored === '' || displays.includes(stored) ? displays : [stored, ...displays];

// The texts of the screens about translations. Only those screens load them.

export const translationsEnglish = {
  hint: 'Wherever a name, a note, a placeholder or a choice is written, $t:key stands for the text of that key in the language of the reader.',
  add: 'New translation',
  find: 'Find a key or a text',
  key: 'Key',
  keyHint: 'Written as $t:key where the text belongs.',
  none: 'No translations yet',
  noneHint: 'Texts of forms, lists and dashboards that differ from language to language are kept here.',
  missing: 'No text',
  edit: (key: string) => `Change ${key}`,
  another: 'Another language',
  anotherHint: 'A tag, such as fr-FR.',
  addLanguage: 'Add language',
  save: 'Save',
  saved: 'Translation saved',
  delete: 'Delete',
  deleteAsk: (key: string) => `Delete the translation “${key}”?`,
  deleteHint: (count: number) =>
    `${count === 1 ? 'Its text is' : `Its ${count} texts are`} lost. Where the key is used, the key itself is shown.`,
  deleted: 'Translation deleted',
  failed: 'The translations cannot be read.',
  more: 'Show more',
  pick: 'Use a translated text',
  use: (key: string) => `Use ${key}`,
  nothingFound: 'Nothing matches.',
};

export type TranslationsMessages = typeof translationsEnglish;

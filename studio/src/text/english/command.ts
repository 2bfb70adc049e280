// The texts of the command menu.

export const commandEnglish = {
  commands: 'Commands',
  signOn: 'Sign-on providers',
  translations: 'Translations',
  pickTranslation: 'Use a translated text',
  shownAs: (text: string) => `Shown as “${text}”`,
  findAnything: 'Find a collection or a command',
  goTo: 'Go to',
  create: 'Create',
  searchIn: 'Search',
  actions: 'Actions',
  newIn: (collection: string) => `New item in ${collection}`,
  searchFor: (sought: string, collection: string) => `Search “${sought}” in ${collection}`,
  lightAppearance: 'Light appearance',
  darkAppearance: 'Dark appearance',
  systemAppearance: 'Appearance of the system',
  more: 'More',
  showRequest: 'Show as request',
  modelDiagram: 'Model: diagram',
  compareSnapshot: 'Model: compare with a snapshot',
};

// Die Texte des Befehlsmenüs auf Deutsch.

import type { commandEnglish } from '../english/command.js';

export const commandGerman: typeof commandEnglish = {
  signOn: 'Anmelde-Anbieter',
  translations: 'Übersetzungen',
  api: 'API',
  graphiql: 'GraphiQL',
  slowStatements: 'Langsame Anweisungen',
  keys: 'Schlüssel',
  storage: 'Speicher',
  pickTranslation: 'Übersetzten Text verwenden',
  shownAs: (text) => `Erscheint als „${text}“`,
  commands: 'Befehle',
  findAnything: 'Sammlung oder Befehl finden',
  goTo: 'Gehe zu',
  create: 'Anlegen',
  searchIn: 'Suchen',
  actions: 'Aktionen',
  newIn: (collection) => `Neuer Eintrag in ${collection}`,
  searchFor: (searchText, collection) => `„${searchText}“ in ${collection} suchen`,
  lightAppearance: 'Helle Darstellung',
  darkAppearance: 'Dunkle Darstellung',
  systemAppearance: 'Darstellung des Systems',
  more: 'Mehr',
  showRequest: 'Als Anfrage zeigen',
  modelDiagram: 'Modell: Diagramm',
  compareSnapshot: 'Modell: mit Schnappschuss vergleichen',
};

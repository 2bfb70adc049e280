// Die Texte der Seiten über Übersetzungen auf Deutsch.

import type { TranslationsMessages } from '../english/translations.js';

export const translationsGerman: TranslationsMessages = {
  hint: 'Wo ein Name, eine Notiz, ein Platzhalter oder eine Auswahl steht, bedeutet $t:Schlüssel den Text dieses Schlüssels in der Sprache der Person, die hinsieht.',
  add: 'Neue Übersetzung',
  find: 'Schlüssel oder Text finden',
  key: 'Schlüssel',
  keyHint: 'Als $t:Schlüssel dort geschrieben, wo der Text hingehört.',
  none: 'Noch keine Übersetzungen',
  noneHint: 'Hier stehen Texte von Formularen, Listen und Übersichten, die je nach Sprache anders lauten.',
  missing: 'Kein Text',
  edit: (key) => `${key} ändern`,
  another: 'Weitere Sprache',
  anotherHint: 'Ein Kürzel wie fr-FR.',
  addLanguage: 'Sprache hinzufügen',
  save: 'Speichern',
  saved: 'Übersetzung gespeichert',
  delete: 'Löschen',
  deleteAsk: (key) => `Übersetzung „${key}“ löschen?`,
  deleteHint: (count) =>
    `${count === 1 ? 'Ihr Text geht' : `Ihre ${count} Texte gehen`} verloren. Wo der Schlüssel verwendet wird, erscheint der Schlüssel selbst.`,
  deleted: 'Übersetzung gelöscht',
  failed: 'Die Übersetzungen lassen sich nicht lesen.',
  more: 'Mehr zeigen',
  pick: 'Übersetzten Text verwenden',
  use: (key) => `${key} verwenden`,
  nothingFound: 'Nichts gefunden.',
};

// The French texts of the screens about translations.

import type { TranslationsMessages } from '../english/translations.js';

export const translationsFrench: TranslationsMessages = {
  hint: 'Partout où l’on écrit un nom, une note, un texte indicatif ou un choix, $t:clé tient la place du texte de cette clé, dans la langue du lecteur.',
  add: 'Nouvelle traduction',
  find: 'Chercher une clé ou un texte',
  key: 'Clé',
  keyHint: 'S’écrit $t:clé là où va le texte.',
  none: 'Aucune traduction pour l’instant',
  noneHint: 'Les textes de formulaires, de listes et de tableaux de bord qui changent d’une langue à l’autre se trouvent ici.',
  missing: 'Aucun texte',
  edit: (key) => `Modifier ${key}`,
  another: 'Une autre langue',
  anotherHint: 'Un code, par exemple fr-FR.',
  addLanguage: 'Ajouter la langue',
  save: 'Enregistrer',
  saved: 'Traduction enregistrée',
  delete: 'Supprimer',
  deleteAsk: (key) => `Supprimer la traduction « ${key} » ?`,
  deleteHint: (count) =>
    `${count === 1 ? 'Son texte est perdu' : `Ses ${count} textes sont perdus`}. Là où la clé est utilisée, c’est elle qui s’affiche.`,
  deleted: 'Traduction supprimée',
  failed: 'Impossible de lire les traductions.',
  more: 'Afficher plus',
  pick: 'Utiliser un texte traduit',
  use: (key) => `Utiliser ${key}`,
  nothingFound: 'Aucun résultat.',
};

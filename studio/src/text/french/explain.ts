// The French texts of "Explain this list".

import type { ExplainMessages } from '../english/explain.js';
import { counted, of } from './words.js';

export const explainFrench: ExplainMessages = {
  title: (name) => `Comment « ${name} » est lu`,
  asking: 'Interrogation de la base…',
  scan: 'Parcours',
  search: 'Recherche',
  readsAll: (rows, collection) => `Lit la totalité ${of(collection)} : ${counted(rows, 'ligne', 'lignes')}`,
  readsAllUnknown: (collection) => `Lit toutes les lignes ${of(collection)}`,
  readsFirst: (rows, collection) => `Lit ${counted(rows, 'ligne', 'lignes')} ${of(collection)}, depuis le début`,
  readsInOrder: (collection, index) => `Lit ${collection} dans l’ordre de l’index ${index}`,
  finds: (collection, index) => `Trouve les lignes ${of(collection)} par l’index ${index}`,
  findsByKey: (collection) => `Trouve les lignes ${of(collection)} par leur clé`,
  noIndex: (fields) => `aucun index sur ${fields}`,
  sorts: 'Trie ce qui est trouvé avant de répondre',
  suggestion: (collection, fields) => `Un index sur ${fields} dans ${collection} trouverait ces lignes directement.`,
  cost: 'Un index prend de la place et ralentit un peu les écritures.',
  add: 'Ajouter cet index…',
  fine: 'Il ne manque aucun index.',
  better: (before, now) => `Le plan a changé. Avant : ${before}. Maintenant : ${now}.`,
  statement: 'Instruction',
  rawPlan: 'Plan de la base de données',
};

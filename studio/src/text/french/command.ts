// The French texts of the command menu.

import type { commandEnglish } from '../english/command.js';

export const commandFrench: typeof commandEnglish = {
  commands: 'Commandes',
  signOn: 'Fournisseurs de connexion',
  translations: 'Traductions',
  api: 'API',
  graphiql: 'GraphiQL',
  slowStatements: 'Instructions lentes',
  keys: 'Jetons',
  storage: 'Stockage',
  pickTranslation: 'Utiliser un texte traduit',
  shownAs: (text) => `Affiché comme « ${text} »`,
  findAnything: 'Chercher une collection ou une commande',
  goTo: 'Aller à',
  create: 'Créer',
  searchIn: 'Rechercher',
  actions: 'Actions',
  newIn: (collection) => `Nouvel élément dans ${collection}`,
  searchFor: (searchText, collection) => `Rechercher « ${searchText} » dans ${collection}`,
  lightAppearance: 'Apparence claire',
  darkAppearance: 'Apparence sombre',
  systemAppearance: 'Apparence du système',
  more: 'Plus',
  showRequest: 'Afficher comme requête',
  modelDiagram: 'Modèle : diagramme',
  compareSnapshot: 'Modèle : comparer avec un instantané',
};

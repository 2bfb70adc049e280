// The French texts of the drawer that shows a request.

import type { MirrorMessages } from '../english/mirror.js';

export const mirrorFrench: MirrorMessages = {
  title: 'Cette page comme requête',
  hint: 'Ce que lit cette page, pour vos propres programmes. La réponse dépend des droits du jeton.',
  tokenHint: 'TOKEN est un jeton statique à vous, ou celui d’un compte créé dans ce but.',
  viewAs: (header) => `Vous voyez comme un autre utilisateur : envoyez aussi l’en-tête ${header}.`,
  kinds: 'Langage de la requête',
  copy: 'Copier',
  copied: 'Copié',
  sentTo: (address) => `Pour ${address}`,
  noGraphql: 'GraphQL n’a pas de lecture de ce genre. GraphiQL montre ce qui existe.',
  openGraphiql: 'Ouvrir GraphiQL',
};

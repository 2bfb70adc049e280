import type { MirrorMessages } from '../english/mirror.js';

export const mirrorGerman: MirrorMessages = {
  title: 'Diese Seite als Anfrage',
  hint: 'Was diese Seite liest, für eigene Programme. Die Antwort hängt von den Rechten des Tokens ab.',
  tokenHint: 'TOKEN ist ein statisches Token von Ihnen oder von einem eigens angelegten Konto.',
  viewAs: (header) => `Sie sehen durch fremde Augen: Senden Sie auch den Header ${header}.`,
  kinds: 'Sprache der Anfrage',
  copy: 'Kopieren',
  copied: 'Kopiert',
  sentTo: (address) => `Für ${address}`,
  noGraphql: 'GraphQL hat keine solche Abfrage. GraphiQL zeigt, was es gibt.',
  openGraphiql: 'GraphiQL öffnen',
};

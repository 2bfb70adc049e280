import type { ExplainMessages } from '../english/explain.js';

export const explainGerman: ExplainMessages = {
  title: (name) => `Wie „${name}“ gelesen wird`,
  asking: 'Die Datenbank wird gefragt …',
  scan: 'Alles gelesen',
  search: 'Gesucht',
  readsAll: (rows, collection) => `Liest alle ${rows} Zeilen von ${collection}`,
  readsAllUnknown: (collection) => `Liest alle Zeilen von ${collection}`,
  readsFirst: (rows, collection) => `Liest ${rows} Zeilen von ${collection}, vom Anfang an`,
  readsInOrder: (collection, index) => `Liest ${collection} in der Reihenfolge des Index ${index}`,
  finds: (collection, index) => `Findet Zeilen von ${collection} mit dem Index ${index}`,
  findsByKey: (collection) => `Findet Zeilen von ${collection} über ihren Schlüssel`,
  noIndex: (fields) => `kein Index auf ${fields}`,
  sorts: 'Sortiert das Gefundene, bevor es antwortet',
  suggestion: (collection, fields) => `Ein Index auf ${fields} in ${collection} würde diese Zeilen direkt finden.`,
  cost: 'Ein Index braucht Platz und macht Schreiben etwas langsamer.',
  add: 'Diesen Index anlegen …',
  fine: 'Es fehlt kein Index.',
  better: (before, now) => `Der Plan hat sich geändert. Vorher: ${before}. Jetzt: ${now}.`,
  statement: 'Anweisung',
  rawPlan: 'Plan der Datenbank',
};

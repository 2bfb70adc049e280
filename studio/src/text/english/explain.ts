// The texts of "Explain this list". Only its drawer loads them.

export const explainEnglish = {
  title: (name: string) => `How “${name}” is read`,
  asking: 'Asking the database…',
  scan: 'Scan',
  search: 'Search',
  readsAll: (rows: string, collection: string) => `Reads all ${rows} rows of ${collection}`,
  readsAllUnknown: (collection: string) => `Reads all rows of ${collection}`,
  readsFirst: (rows: string, collection: string) => `Reads ${rows} rows of ${collection}, from its beginning`,
  readsInOrder: (collection: string, index: string) => `Reads ${collection} in the order of the index ${index}`,
  finds: (collection: string, index: string) => `Finds rows of ${collection} by the index ${index}`,
  findsByKey: (collection: string) => `Finds rows of ${collection} by their key`,
  noIndex: (fields: string) => `no index on ${fields}`,
  sorts: 'Sorts what it found before it answers',
  suggestion: (collection: string, fields: string) => `An index on ${fields} in ${collection} would find these rows directly.`,
  cost: 'An index takes space and makes writes a little slower.',
  add: 'Add this index…',
  fine: 'No index is missing.',
  better: (before: string, now: string) => `The plan has changed. Before: ${before}. Now: ${now}.`,
  statement: 'Statement',
  rawPlan: 'Plan of the database',
};

export type ExplainMessages = typeof explainEnglish;

// A book without a price gets one by its pages. `before` runs in the transaction of the write, for a single book, a list, an import, GraphQL and
// flows alike.

import { defineExtension } from 'tain';

const [base, perPage] = [4, 0.02];

export default defineExtension({
  name: 'list-price',
  hooks: {
    books: {
      before({ action, items }) {
        if (action !== 'create') return;
        for (const { values } of items) values.price ??= (base + perPage * (values.pages ?? 0)).toFixed(2);
      },
    },
  },
});

// Keeps a search index beside the database. `durable` is stored with the write, so nothing is missed while the index is away; what is sent again
// finds the document already there.

import { defineExtension } from 'tain';

const address = process.env.SEARCH_URL ?? 'http://127.0.0.1:7700';

async function send(method, path, signal, body) {
  const answer = await fetch(`${address}/indexes/books/documents${path}`, {
    method,
    signal,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // An error is what makes the service call again.
  if (!answer.ok) throw new Error(`the index answers ${answer.status}`);
}

export default defineExtension({
  name: 'search-index',
  hooks: {
    books: {
      async durable({ action, items }, { asService, signal }) {
        const keys = items.map(({ key }) => key);
        if (action === 'delete') {
          await send('POST', '/delete-batch', signal, keys);
          return;
        }
        // What is there by now, and not what the write had: it may be called long after it, and again.
        const books = asService().items('books');
        const found = await books.read({ filter: { id: { _in: keys } }, fields: ['id', 'title', 'summary', 'author.name'], limit: -1 });
        if (found.length > 0) await send('POST', '', signal, found);
      },
    },
  },
});

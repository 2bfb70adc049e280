// What an author has written and how it is liked, in one answer. It reads with the rights of whoever asks: reviews that they may not see do not count.

import { defineExtension, endpoint, shapes } from 'tain';

const book = shapes.object({
  title: shapes.text(),
  published: shapes.optional(shapes.integer(0, 9999)),
  reviews: shapes.integer(0, 1_000_000),
  rating: shapes.optional(shapes.number(0, 5)),
});

export default defineExtension({
  name: 'author-shelf',
  endpoints: {
    'GET /authors/{author}': endpoint({
      summary: 'The books of an author, and how they are liked',
      input: { author: shapes.key },
      output: shapes.object({ name: shapes.text(), books: shapes.list(book) }),
      open: { collection: 'books', action: 'read' },
      agents: true,
      async run({ author }, { items, refuse }) {
        const found = await items('authors').readOne(author, { fields: ['name'] });
        if (found === null) return refuse('FORBIDDEN', 'There is no such author, or you may not see them.');
        const books = await items('books').read({
          filter: { author: { _eq: author } },
          fields: ['title', 'published', 'reviews.rating'],
          deep: { reviews: { _limit: -1 } },
          sort: ['published', 'title'],
          limit: -1,
        });
        return { name: found.name, books: books.map(describe) };
      },
    }),
  },
});

function describe({ title, published, reviews }) {
  const ratings = reviews.map(({ rating }) => Number(rating));
  const sum = ratings.reduce((whole, rating) => whole + rating, 0);
  return { title, published, reviews: ratings.length, rating: ratings.length === 0 ? null : sum / ratings.length };
}

// The bookshop of `tain demo`, defined like the system collections: authors and their books, tags (many-to-many), reviews
// (one-to-many), pages made of blocks (many-to-any), and the shop itself (a singleton).

import type { SystemDefinition } from '../../../core/schema/system-definition.js';
import { ownHome } from '../../../core/schema/system-home.js';
import {
  boolean,
  counterKey,
  dateCreated,
  decimal,
  define,
  integer,
  json,
  listedAs,
  pointsAt,
  string,
  text,
  uuidKey,
} from '../../definitions/define.js';

export const authors = define('authors', {
  note: 'Who wrote the books',
  fields: [
    counterKey(),
    string('name', 100, { nullable: false, unique: true }),
    string('country', 60),
    integer('born'),
    integer('died'),
    text('biography'),
  ],
});

export const books = define('books', {
  note: 'What the shop sells',
  fields: [
    counterKey(),
    string('title', 200, { nullable: false }),
    string('slug', 100, { nullable: false, unique: true }),
    integer('author', { indexed: true }),
    integer('published', { indexed: true }),
    integer('pages'),
    decimal('price', 8, 2),
    boolean('in_stock', true),
    text('summary'),
  ],
  relations: [pointsAt('author', 'authors', 'SET NULL', listedAs('books'))],
});

export const tags = define('tags', {
  note: 'What the books are about',
  fields: [counterKey(), string('name', 60, { nullable: false, unique: true })],
});

export const bookTags = define('book_tags', {
  note: 'Tags of books',
  fields: [counterKey(), integer('book', { indexed: true }), integer('tag', { indexed: true })],
  relations: [
    pointsAt('book', 'books', 'CASCADE', listedAs('tags', 'delete', 'tag')),
    pointsAt('tag', 'tags', 'CASCADE', listedAs('books', 'delete', 'book')),
  ],
});

export const reviews = define('reviews', {
  note: 'What readers say',
  fields: [
    uuidKey(),
    integer('book', { nullable: false, indexed: true }),
    string('reader', 60, { nullable: false }),
    integer('rating', { nullable: false }),
    text('comment'),
    dateCreated(),
  ],
  relations: [pointsAt('book', 'books', 'CASCADE', listedAs('reviews', 'delete'))],
});

export const pages = define('pages', {
  note: 'Pages of the shop, made of blocks',
  fields: [counterKey(), string('title', 120, { nullable: false }), string('slug', 60, { nullable: false, unique: true })],
});

export const blockTexts = define('block_texts', {
  note: 'A heading with a text',
  fields: [counterKey(), string('heading', 120), text('body')],
});

export const blockQuotes = define('block_quotes', {
  note: 'A quotation',
  fields: [counterKey(), text('quote', { nullable: false }), string('source', 120)],
});

export const pageBlocks = define('page_blocks', {
  note: 'Which block stands where on a page',
  fields: [counterKey(), integer('page', { indexed: true }), integer('sort'), string('collection', 64), string('item', 64)],
  relations: [pointsAt('page', 'pages', 'CASCADE', listedAs('blocks', 'delete', 'item'))],
});

export const shop = define('shop', {
  note: 'The shop itself',
  singleton: true,
  fields: [
    counterKey(),
    string('name', 100, { nullable: false }),
    string('motto'),
    string('street', 100),
    string('city', 60),
    json('opening_hours'),
  ],
});

export const demoDefinitions: readonly SystemDefinition[] = [
  authors,
  books,
  tags,
  bookTags,
  reviews,
  pages,
  blockTexts,
  blockQuotes,
  pageBlocks,
  shop,
];

/** Collections whose items may be blocks of a page. */
export const blockCollections: readonly string[] = ['block_texts', 'block_quotes', 'books'];

/** The demo's tables are those of any user: they lie in the connection's default schema. */
export const demoHome = ownHome(demoDefinitions);

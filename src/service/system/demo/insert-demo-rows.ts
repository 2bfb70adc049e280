// Writes the demo's items. Keys are the database's own: what refers to another item finds it by its name.

import { definitionOf } from '../../../core/engine/definition-of.js';
import { systemRows } from '../../../core/engine/system-rows.js';
import type { PlainRow } from '../../../core/sql/plain-rows.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { demoAuthors, demoBooks } from './demo-books.js';
import { type DemoBlock, demoPages, demoReviews, demoShop } from './demo-content.js';
import { demoDefinitions } from './demo-definitions.js';

export async function insertDemoRows(dialect: Dialect, connection: Connection): Promise<void> {
  const insert = (collection: string, rows: readonly PlainRow[]): Promise<void> => rowsOf(dialect, collection).insert(connection, rows);
  const keys = (collection: string, by: string): Promise<Keys> => readKeys(dialect, connection, collection, by);

  await insert(
    'authors',
    demoAuthors.map((author) => ({ ...author })),
  );
  const authors = await keys('authors', 'name');
  await insert(
    'books',
    demoBooks.map(({ tags: _, author, ...book }) => ({ ...book, slug: slugOf(book.title), author: authors(author), in_stock: true })),
  );
  const books = await keys('books', 'title');

  await insert(
    'tags',
    [...new Set(demoBooks.flatMap((book) => book.tags))].toSorted().map((name) => ({ name })),
  );
  const tags = await keys('tags', 'name');
  await insert(
    'book_tags',
    demoBooks.flatMap((book) => book.tags.map((tag) => ({ book: books(book.title), tag: tags(tag) }))),
  );
  await insert(
    'reviews',
    demoReviews.map((review) => ({ ...review, id: crypto.randomUUID(), book: books(review.book) })),
  );

  await insert(
    'pages',
    demoPages.map(({ title, slug }) => ({ title, slug })),
  );
  const blocks = demoPages.flatMap((page) => page.blocks);
  await insert(
    'block_texts',
    blocks.flatMap((block) => (block.kind === 'block_texts' ? [{ heading: block.heading, body: block.body }] : [])),
  );
  await insert(
    'block_quotes',
    blocks.flatMap((block) => (block.kind === 'block_quotes' ? [{ quote: block.quote, source: block.source }] : [])),
  );
  const pages = await keys('pages', 'slug');
  const placed = { block_texts: await keys('block_texts', 'heading'), block_quotes: await keys('block_quotes', 'quote'), books };
  await insert(
    'page_blocks',
    demoPages.flatMap((page) => page.blocks.map((block, index) => placeBlock(block, pages(page.slug), index + 1, placed))),
  );
  await insert('shop', [demoShop]);
}

type Keys = (name: string) => unknown;

const rowsOf = (dialect: Dialect, collection: string) => systemRows(dialect.syntax, definitionOf(demoDefinitions, collection), null);

async function readKeys(dialect: Dialect, connection: Connection, collection: string, by: string): Promise<Keys> {
  const found = new Map((await rowsOf(dialect, collection).read(connection, ['id', by])).map((row) => [row[by], row.id]));
  return (name) => {
    if (!found.has(name)) throw new Error(`the demo has no ${collection} "${name}"`);
    return found.get(name);
  };
}

function placeBlock(block: DemoBlock, page: unknown, sort: number, placed: Readonly<Record<DemoBlock['kind'], Keys>>): PlainRow {
  const name = block.kind === 'block_texts' ? block.heading : block.kind === 'block_quotes' ? block.quote : block.title;
  return { page, sort, collection: block.kind, item: String(placed[block.kind](name)) };
}

const slugOf = (title: string): string =>
  title
    .normalize('NFD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');

// Inserts the items of the demo. The database generates the keys, so references are looked up by name.

import { systemRows } from '../../../core/engine/own-rows/system-rows.js';
import type { RowOf, SystemDefinition } from '../../../core/schema/system-definition.js';
import type { PlainRow } from '../../../core/sql/plain-rows.js';
import type { Dialect } from '../../../core/vendor/dialect.js';
import type { Connection } from '../../../core/vendor/driver.js';
import { demoAuthors, demoBooks } from './demo-books.js';
import { type DemoBlock, demoPages, demoReviews, demoShop } from './demo-content.js';
import * as demo from './demo-definitions.js';

export async function insertDemoRows(dialect: Dialect, connection: Connection): Promise<void> {
  const insert = <Row extends PlainRow>(definition: SystemDefinition<Row>, rows: readonly Partial<Row>[]): Promise<void> =>
    systemRows(dialect.syntax, definition, demo.demoHome).insert(connection, rows);
  const keys = <Row extends Keyed>(definition: SystemDefinition<Row>, by: keyof Row & string): Promise<Keys> =>
    readKeys(dialect, connection, definition, by);

  await insert(demo.authors, demoAuthors);
  const authors = await keys(demo.authors, 'name');
  await insert(
    demo.books,
    demoBooks.map(({ tags: _, author, ...book }) => ({ ...book, slug: slugOf(book.title), author: authors(author), in_stock: true })),
  );
  const books = await keys(demo.books, 'title');

  await insert(
    demo.tags,
    [...new Set(demoBooks.flatMap((book) => book.tags))].toSorted().map((name) => ({ name })),
  );
  const tags = await keys(demo.tags, 'name');
  await insert(
    demo.bookTags,
    demoBooks.flatMap((book) => book.tags.map((tag) => ({ book: books(book.title), tag: tags(tag) }))),
  );
  await insert(
    demo.reviews,
    demoReviews.map((review) => ({ ...review, id: crypto.randomUUID(), book: books(review.book) })),
  );

  await insert(
    demo.pages,
    demoPages.map(({ title, slug }) => ({ title, slug })),
  );
  const blocks = demoPages.flatMap((page) => page.blocks);
  await insert(
    demo.blockTexts,
    blocks.flatMap((block) => (block.kind === 'block_texts' ? [{ heading: block.heading, body: block.body }] : [])),
  );
  await insert(
    demo.blockQuotes,
    blocks.flatMap((block) => (block.kind === 'block_quotes' ? [{ quote: block.quote, source: block.source }] : [])),
  );
  const pages = await keys(demo.pages, 'slug');
  const placed = { block_texts: await keys(demo.blockTexts, 'heading'), block_quotes: await keys(demo.blockQuotes, 'quote'), books };
  await insert(
    demo.pageBlocks,
    demoPages.flatMap((page) => page.blocks.map((block, index) => placeBlock(block, pages(page.slug), index + 1, placed))),
  );
  await insert(demo.shop, [demoShop]);
}

type Keyed = PlainRow & { readonly id: number };
type Keys = (name: string) => number;

/** The keys of a collection by the unique name of their item. */
async function readKeys<Row extends Keyed>(
  dialect: Dialect,
  connection: Connection,
  definition: SystemDefinition<Row>,
  by: keyof Row & string,
): Promise<Keys> {
  const rows = await systemRows(dialect.syntax, definition, demo.demoHome).read(connection, ['id', by]);
  const found = new Map(rows.map((row) => [String(row[by]), row.id]));
  return (name) => {
    const key = found.get(name);
    if (key === undefined) throw new Error(`the demo has no ${definition.collection} "${name}"`);
    return key;
  };
}

function placeBlock(
  block: DemoBlock,
  page: number,
  sort: number,
  placed: Readonly<Record<DemoBlock['kind'], Keys>>,
): Partial<RowOf<typeof demo.pageBlocks>> {
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

// `tain types` as a user runs it: the client package accepts what it writes, and wrong uses do not compile.

import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build, type Folder, makeFolder, runTain } from '../harness/run-command.js';

/** An application of the bookshop. Every line marked as an error has to be one. */
const application = `
import { aggregate, createDirectus, createItem, readItem, readItems, readSingleton, rest, updateItem } from '@directus/sdk';
import type { Schema } from './schema.js';

const client = createDirectus<Schema>('http://localhost').with(rest());

const books = await client.request(
  readItems('books', {
    fields: ['title', 'published', { author: ['name', { books: ['title'] }], tags: [{ tag: ['name'] }] }],
    filter: { author: { name: { _eq: 'Jules Verne' } }, pages: { _gt: 100 } },
    sort: ['-published'],
    deep: { tags: { _limit: 3 } },
  }),
);
const title: string | undefined = books[0]?.title;
const author: string | undefined = books[0]?.author?.name;
const siblings: string[] | undefined = books[0]?.author?.books?.map((book) => book.title);
// @ts-expect-error: a title is a text
const wrong: number | undefined = books[0]?.title;

const pages = await client.request(
  readItems('pages', { fields: ['title', { blocks: ['collection', { item: { block_texts: ['heading'], block_quotes: ['quote'] } }] }] }),
);
const headings = pages[0]?.blocks?.map((block) => (block.collection === 'block_texts' ? block.item.heading : null));
const shop = await client.request(readSingleton('shop'));
const name: string | null = shop.name;
await client.request(readItem('authors', 1, { fields: ['id', 'name'] }));
await client.request(createItem('books', { title: 'New', author: 1 }));
await client.request(updateItem('books', 1, { pages: 3 }));
await client.request(aggregate('books', { aggregate: { count: '*' } }));

// @ts-expect-error: there is no such collection
await client.request(readItems('boks'));
// @ts-expect-error: there is no such field
await client.request(readItems('books', { fields: ['titel'] }));
// @ts-expect-error: pages are a number
await client.request(readItems('books', { filter: { pages: { _contains: 'many' } } }));
// @ts-expect-error: pages are made of no authors
await client.request(readItems('pages', { fields: [{ blocks: [{ item: { authors: ['name'] } }] }] }));

export { author, headings, name, siblings, title, wrong };
`;

let folder: Folder;

beforeAll(async () => {
  await build();
  folder = makeFolder();
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder.path, 'node_modules'));
});
afterAll(() => folder.remove());

function check(file: string): readonly string[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ file: at, start = 0, messageText }) => {
    const line = at === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line + 1;
    return `${at?.fileName.split('/').at(-1) ?? ''}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

it('writes types that an application of the client compiles with', { timeout: 180_000 }, async () => {
  const database = ['--database-url', 'sqlite:shop.db'];
  for (const command of [
    ['demo', 'sqlite:shop.db'],
    ['types', 'schema.ts', ...database],
  ]) {
    const { ended, output } = runTain(folder, command);
    expect([await ended, command[0] === 'types' ? output() : '']).toEqual([0, '']);
  }
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder.path, 'application.ts'), application);
  expect(readFileSync(join(folder.path, 'schema.ts'), 'utf8')).toContain('export interface Schema {');
  expect(check(join(folder.path, 'application.ts'))).toEqual([]);
});

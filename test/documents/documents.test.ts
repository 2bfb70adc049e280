// What the documents promise has been run: the blocks of each page from top to bottom, by one reader, against a fresh service.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from '../harness/run-command.js';
import { type Block, blocksOf, indentedLines, isAsShown } from './page.js';
import { openPage, type PageSession } from './page-session.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Pages whose code is still indented, and not run: none may be added. */
const notRun: ReadonlySet<string> = new Set([
  'docs/architecture.md',
  'docs/errors.md',
  'docs/moving.md',
  'docs/performance.md',
  'docs/realtime.md',
  'docs/reliability.md',
  'docs/rights-of-the-database-user.md',
  'docs/scale.md',
  'docs/sign-on.md',
  'docs/structure.md',
  'docs/write-pipeline.md',
]);

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('decisions'))
    .map((path) => `docs/${path.replaceAll('\\', '/')}`),
];

const textOfPage = (page: string): string => readFileSync(join(root, page), 'utf8');

beforeAll(build);

describe('documents', () => {
  it('have their code in fenced blocks, so that it is run', () => {
    const indented = pages.filter((page) => indentedLines(textOfPage(page)).length > 0);
    expect(indented.toSorted()).toEqual([...notRun].toSorted());
  });

  for (const page of pages) {
    const blocks = blocksOf(textOfPage(page));
    if (blocks.length > 0) it(`${page} does what it says`, () => readThrough(page, blocks));
  }
});

async function readThrough(page: string, blocks: readonly Block[]): Promise<void> {
  const session = await openPage();
  let printed = '';
  try {
    for (const block of blocks) {
      const place = `${page}:${block.line}`;
      try {
        printed = (await runBlock(session, block, printed)) ?? printed;
      } catch (error) {
        throw new Error(`${place}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await session.end();
  }
}

/** The output, where the block has one. */
async function runBlock(session: PageSession, { kind, options, text }: Block, before: string): Promise<string | null> {
  const file = options.find((option) => option.startsWith('file='))?.slice('file='.length);
  if (file !== undefined) session.write(file, text);
  else if (kind === 'text') {
    const output = session.inPage(before);
    if (!isAsShown(output, text)) expect(output.trim()).toBe(text);
  } else if (kind !== 'sh') throw new Error(`a block of "${kind}" is neither run nor written to a file`);
  else if (options.includes('background')) await session.keepRunning(text);
  else return session.run(text);
  return null;
}

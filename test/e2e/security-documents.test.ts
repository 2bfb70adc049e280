// docs/security.md says of every security case where it is tested, or why it is not yet, and the files it names hold the cases; it names
// every place that works with the rights of the service.

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** How many cases each chapter has. */
const chapters = { A: 35, B: 20, C: 22, D: 25, E: 10, F: 13, G: 10, H: 22 };
const numbered = (chapter: string, from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${chapter}${String(from + index).padStart(2, '0')}`);
const everyCase = Object.entries(chapters).flatMap(([chapter, count]) => numbered(chapter, 1, count));

/** What a comment claims is no test. */
const withoutComments = (source: string): string => source.replace(/^\s*\/\/.*$/gm, '');
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** `A01-A18, B02` spelled out. */
const casesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b([A-H])(\d\d)(?:-\1(\d\d))?\b/g)].flatMap(([, chapter = '', from, to]) =>
    numbered(chapter, Number(from), Number(to ?? from)),
  );

const [tested = '', notYet = ''] = read('docs/security.md').split('## Where the cases are tested')[1]?.split('## Not yet') ?? [];
const rowsOf = (section: string): readonly (readonly [string, string])[] =>
  [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)].map(([, cases = '', what = '']) => [cases, what] as const);

it('names every case once at least', () => {
  const named = new Set([...rowsOf(tested), ...rowsOf(notYet)].flatMap(([cases]) => casesIn(cases)));
  expect(everyCase.filter((id) => !named.has(id))).toEqual([]);
});

it.each(rowsOf(tested).filter(([cases]) => casesIn(cases).length > 0))('is true of %s', (cases, where) => {
  const held = casesIn([...where.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = '']) => withoutComments(read(path))).join('\n'));
  expect(casesIn(cases).filter((id) => !held.includes(id))).toEqual([]);
});

it('names every place that works with the rights of the service', () => {
  const [rights = ''] = read('docs/security.md').split('## Whose rights')[1]?.split('\n## ') ?? [];
  const sources = readdirSync(new URL('../../src', import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'core/access/view.ts');
  const serving = sources.filter((path) => /\b(?:serviceCaller|asService)\(/.test(read(`src/${path}`)));
  expect(serving.length).toBeGreaterThan(5);
  expect(serving.filter((path) => !rights.includes(`\`${path}\``))).toEqual([]);
});

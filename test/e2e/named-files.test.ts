// Documents and comments name files and folders of this repository. Each of them must exist: moving or deleting a file fails here until the
// texts that name it are changed, too.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const slashed = (path: string): string => path.split(sep).join('/').replace(/\/$/, '');

/** Every file and folder, as paths from the root. */
const present: ReadonlySet<string> = new Set([
  ...readdirSync(root),
  ...readdirSync(join(root, 'studio')).map((name) => `studio/${name}`),
  ...['.github', 'bench', 'create-tain', 'deploy', 'docs', 'examples', 'scripts', 'src', 'studio/src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${slashed(path)}`),
  ),
]);

/** A text may leave out the folders above: a page about all dialects names `driver/errors.ts`. */
const known: ReadonlySet<string> = new Set(
  [...present].flatMap((path) => path.split('/').map((_part, index, parts) => parts.slice(index).join('/'))),
);

/** Files that a build or a run writes, and names in examples. */
const elsewhere: ReadonlySet<string> = new Set([
  'dist',
  '.heavy/rows.md',
  'test/fixtures/directus/name.json.gz',
  'variants-x',
  'x.test.ts',
]);

const part = '[\\w.*<>-]+';
const file = new RegExp(`^(?:\\.\\./|${part}/)*${part}\\.(?:ts|tsx|mjs|md|sql|css)$`);
const folder = new RegExp(`^(?:src|core|dialects|service|doors|compose|command|studio|test|docs)(?:/${part})+$|^(?:${part}/)+$`);

/** `*` and `<vendor>` stand for any text. */
const isPattern = (path: string): boolean => /[*<]/.test(path);
const toPattern = (path: string): RegExp => new RegExp(`(?:^|/)${path.replaceAll('.', '\\.').replace(/\*\*\/|\*+|<\w+>/g, '.*')}$`);

function isMissing(from: string, named: string): boolean {
  const path = slashed(named);
  if (elsewhere.has(path)) return false;
  if (isPattern(path)) return ![...present].some((each) => toPattern(path).test(each));
  return !known.has(path) && !present.has(slashed(join(dirname(from), path)));
}

const missingIn = (from: string, words: readonly string[]): readonly string[] =>
  words.filter((word) => (file.test(word) || folder.test(word)) && isMissing(from, word)).map((word) => `${from}: ${word}`);

const textsOf = (...endings: readonly string[]): readonly (readonly [string, string])[] =>
  [...present]
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]);

it('files and folders that documents name in code spans exist', () => {
  const missing = textsOf('.md').flatMap(([path, text]) =>
    missingIn(
      path,
      Array.from(text.matchAll(/`([^`\s]+)`/g), ([, span = '']) => span),
    ),
  );
  expect(missing).toEqual([]);
});

it('relative links of documents lead to files', () => {
  const missing = textsOf('.md').flatMap(([path, text]) =>
    Array.from(text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g), ([, target = '']) => target)
      .filter((target) => !present.has(slashed(join(dirname(path), target))))
      .map((target) => `${path}: ${target}`),
  );
  expect(missing).toEqual([]);
});

it('files and folders that comments name exist', () => {
  const missing = textsOf('.ts', '.tsx', '.mjs').flatMap(([path, text]) => {
    const comments = text.match(/^\s*(?:\/\/|\/\*|\*).*$/gm) ?? [];
    return missingIn(
      path,
      comments.flatMap((comment) => comment.split(/[\s`'"(),;:]+/)).map((word) => word.replace(/\.$/, '')),
    );
  });
  expect(missing).toEqual([]);
});

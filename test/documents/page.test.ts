import { expect, it } from 'vitest';
import { blocksOf, indentedLines, isAsShown } from './page.js';

it('finds blocks with their options, and code that is only indented', () => {
  const page = 'Text\n\n```sh background\ntain\n```\n\n    npm ci\n\n- a list\n    that goes on\n';
  expect(blocksOf(page)).toEqual([{ kind: 'sh', options: ['background'], text: 'tain', line: 3 }]);
  expect(indentedLines(page)).toEqual(['    npm ci']);
});

it('compares outputs, with … for any text', () => {
  expect(isAsShown('{"id":17,"name":"a.b"}\n', '{"id":…,"name":"a.b"}')).toBe(true);
  expect(isAsShown('{"id":17,"name":"axb"}', '{"id":…,"name":"a.b"}')).toBe(false);
  expect(isAsShown('one\ntwo', 'one')).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { isContentName, isGeneratedName, makeContentName, variantFolder, variantName } from '../storage/content-name.js';
import { cleanFilename, titleOf } from './file-payload.js';

describe('file names of clients', () => {
  it.each([
    ['../../x', 'x'],
    ['..\\x', 'x'],
    ['a\0.png', 'a.png'],
    ['x.png/', 'x.png'],
    ['photo\u202Egnp.exe', 'photognp.exe'],
    ['', 'file'],
    ['..', 'file'],
    [' ', 'file'],
    ['CON', 'CON'],
    ['grüße.txt', 'grüße.txt'],
  ])('F07: %j is shown as %j', (given, shown) => {
    expect(cleanFilename(given)).toBe(shown);
  });

  it('F07: a long name is cut in the middle', () => {
    const name = cleanFilename(`${'n'.repeat(300)}.png`);
    expect(name).toHaveLength(200);
    expect(name.endsWith('.png')).toBe(true);
  });

  it.each([
    ['summer-holiday_2.jpg', 'Summer Holiday 2'],
    ['.env', '.env'],
    ['README', 'README'],
  ])('%s is titled %s', (name, title) => {
    expect(titleOf(name)).toBe(title);
  });
});

describe('names of contents', () => {
  it.each(['../../x.png', 'a\0.png', 'x.png/', 'CON', `x.${'n'.repeat(300)}`, 'no extension'])(
    'F07: %j is stored under a generated name',
    (given) => {
      const name = makeContentName(given);
      expect(name).toMatch(/^[0-9a-f-]{36}(\.png)?$/);
      expect(isGeneratedName(name)).toBe(true);
      expect(isGeneratedName(variantName(name, 'w=1', 'webp'))).toBe(true);
      expect(isGeneratedName(variantFolder(name))).toBe(true);
    },
  );

  it.each(['', '.', '..', '../x', '/etc/passwd', 'a/../b', 'a\\b', 'a\0', '.hidden', 'a//b', 'a/'])('B12: %j is not one', (name) => {
    expect(isContentName(name)).toBe(false);
  });

  it.each(['a/b/c', 'our picture_1.png', '2024/été.png'])('%j is one of another server, and its variants have generated names', (name) => {
    expect([isContentName(name), isGeneratedName(name), isGeneratedName(variantName(name, 'w=1', 'webp'))]).toEqual([true, false, true]);
  });
});

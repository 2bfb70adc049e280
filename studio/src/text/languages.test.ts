// Each language is complete: every text of every room is there, says what it is given, and is not English left as it was.

import { describe, expect, it } from 'vitest';
import { english } from './english/index.js';
import { spoken } from './language-names.js';
import type { LanguageTexts, Room } from './language-texts.js';
import { languages, primaryOf } from './use-text.js';

type Leaf = string | ((...values: string[]) => unknown);

/** All texts of a language by their path, such as `access.rule`. */
async function textsOf({ main, rooms }: LanguageTexts): Promise<ReadonlyMap<string, Leaf>> {
  const texts = new Map<string, Leaf>();
  collect(texts, 'main', main);
  for (const room of Object.keys(rooms) as Room[]) collect(texts, room, await rooms[room]());
  return texts;
}

function collect(texts: Map<string, Leaf>, path: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'function') texts.set(path, value as Leaf);
  else for (const [name, member] of Object.entries(value ?? {})) collect(texts, `${path}.${name}`, member);
}

/** Names, units and single words may be the same in several languages; sentences have words in small letters. */
const isShared = (text: string): boolean => (text.match(/(?:^|\s)\p{Ll}{3,}/gu) ?? []).length < 2;

const marks = (text: string, mark: string): number => text.split(mark).length;

/** What no text of a language has: German, Spanish and Japanese open what they close, French keeps a mark with its word, Arabic has its own. */
const slips: Readonly<Record<string, (text: string) => boolean>> = {
  de: (text) => marks(text, '„') !== marks(text, '“'),
  fr: (text) => / [:;?!»]|« |[\p{L}\d][;?!]|'/u.test(text),
  es: (text) => marks(text, '?') !== marks(text, '¿') || marks(text, '!') !== marks(text, '¡'),
  ja: (text) => marks(text, '「') !== marks(text, '」') || /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][,.]/u.test(text),
  ar: (text) => /\p{sc=Arabic}[,;?]/u.test(text),
};

const source = await textsOf(english);

it('offers people each language that has texts', () => {
  expect(new Set(Object.keys(spoken).map(primaryOf))).toEqual(new Set(languages.keys()));
});

describe.each([...languages.keys()].filter((tag) => tag !== 'en'))('the language %s', (tag) => {
  const load = languages.get(tag);
  const texts = load === undefined ? Promise.reject(new Error(tag)) : load().then(textsOf);

  it('has every text, and no other', async () => {
    expect([...(await texts).keys()].toSorted()).toEqual([...source.keys()].toSorted());
    const empty = [...(await texts)].filter(([path, text]) => text === '' && source.get(path) !== '').map(([path]) => path);
    expect(empty).toEqual([]);
  });

  it('has no sentence left in English', async () => {
    const same = [...(await texts)].filter(([path, text]) => typeof text === 'string' && !isShared(text) && text === source.get(path));
    expect(same).toEqual([]);
  });

  it('sets punctuation as its readers do', async () => {
    const wrong = [...(await texts)].filter(([, text]) => typeof text === 'string' && slips[tag]?.(text) !== false);
    expect(wrong).toEqual([]);
  });
});

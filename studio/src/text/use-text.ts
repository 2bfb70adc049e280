// The language of the page: texts, and formats of numbers and dates. A language is one folder; only the chosen one is loaded.

import { createContext, useContext } from 'react';
import type { LanguageTexts, Room, RoomTexts } from './language-texts.js';
import type { Messages } from './messages.js';
import { Rooms } from './rooms.js';

export interface Language {
  readonly tag: string;
  /** For formats. Digits are those that keys, code and inputs have, so that a page has one kind of them. */
  readonly formats: string;
  readonly text: Messages;
  readonly rooms: Rooms;
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
  readonly dateTime: Intl.DateTimeFormat;
  readonly direction: 'ltr' | 'rtl';
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'yi', 'dv', 'ckb']);

const loadEnglish = async () => (await import('./english/index.js')).english;

/** The languages that Studio has texts in, by their primary tag. */
export const languages: ReadonlyMap<string, () => Promise<LanguageTexts>> = new Map([
  ['ar', async () => (await import('./arabic/index.js')).arabic],
  ['de', async () => (await import('./german/index.js')).german],
  ['en', loadEnglish],
  ['es', async () => (await import('./spanish/index.js')).spanish],
  ['fr', async () => (await import('./french/index.js')).french],
  ['ja', async () => (await import('./japanese/index.js')).japanese],
]);

const loads = new Map<string, Promise<Language>>();

/** The same object each time, so that what is on the screen keeps its texts when Studio reads everything else again. */
export function loadLanguage(tag: string): Promise<Language> {
  const known = loads.get(tag);
  if (known !== undefined) return known;
  const load = makeLanguage(tag);
  loads.set(tag, load);
  load.catch(() => loads.delete(tag));
  return load;
}

/** Languages without texts get English ones and their own formats. */
async function makeLanguage(tag: string): Promise<Language> {
  const primary = primaryOf(tag);
  const { main, rooms } = await (languages.get(primary) ?? loadEnglish)();
  const formats = new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();
  return {
    tag,
    formats,
    text: main,
    rooms: new Rooms(rooms),
    number: new Intl.NumberFormat(formats),
    date: new Intl.DateTimeFormat(formats, { dateStyle: 'medium', timeZone: 'UTC' }),
    dateTime: new Intl.DateTimeFormat(formats, { dateStyle: 'medium', timeStyle: 'short' }),
    direction: rightToLeft.has(primary) ? 'rtl' : 'ltr',
  };
}

export const primaryOf = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';

export const LanguageContext = createContext<Language | null>(null);

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (language === null) throw new Error('texts are used outside of a language');
  return language;
}

/** The texts that every screen needs, or those of a room. */
export function useText(): Messages;
export function useText<R extends Room>(room: R): RoomTexts[R];
export function useText(room?: Room): Messages | RoomTexts[Room] {
  const { text, rooms } = useLanguage();
  return room === undefined ? text : rooms.read(room);
}

// The language of the page: texts, and formats of numbers and dates.

import { createContext, useContext } from 'react';
import { english, type Messages } from './messages.js';

export interface Language {
  readonly tag: string;
  readonly text: Messages;
  readonly number: Intl.NumberFormat;
  readonly date: Intl.DateTimeFormat;
  readonly dateTime: Intl.DateTimeFormat;
  readonly direction: 'ltr' | 'rtl';
}

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'ps', 'yi', 'dv', 'ckb']);

/** German is loaded when it is needed; languages without texts get English ones and their own formats. */
export async function loadLanguage(tag: string): Promise<Language> {
  const [primary = 'en'] = tag.split('-');
  const text = primary === 'de' ? (await import('./german.js')).german : english;
  return languageOf(tag, text);
}

function languageOf(tag: string, text: Messages): Language {
  const [primary = 'en'] = tag.split('-');
  return {
    tag,
    text,
    number: new Intl.NumberFormat(tag),
    date: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }),
    dateTime: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
    direction: rightToLeft.has(primary) ? 'rtl' : 'ltr',
  };
}

export const LanguageContext = createContext<Language>(languageOf('en', english));
export const useLanguage = (): Language => useContext(LanguageContext);
export const useText = (): Messages => useContext(LanguageContext).text;

// Texts of the interface that a project keeps in several languages. Wherever metadata holds a text, `$t:key` stands for that of the key.
// Pure, imports no framework.

/** A row of `/translations`. */
export interface Translation {
  readonly key: string;
  readonly language: string;
  readonly value: string;
}

/** The text that a value stands for, which is mostly the value itself. */
export type Translate = (value: string) => string;

const mark = '$t:';

/** The key that a value names; null: it is a text of its own. */
export const keyOf = (value: string): string | null => (value.startsWith(mark) ? value.slice(mark.length).trim() : null);

export const markKey = (key: string): string => mark + key;

/**
 * Translates keys by the given languages in their order; a text of a related tag (`de-AT` for `de-DE`) comes after an exact one. A key
 * without a text is returned unchanged.
 */
export function translator(translations: readonly Translation[], languages: readonly (string | null)[]): Translate {
  const wanted = languages.flatMap((tag) => (tag === null || tag === '' ? [] : [tag.toLowerCase(), primaryOf(tag), kindOf(tag)]));
  const chosen = new Map<string, { readonly rank: number; readonly value: string }>();
  for (const { key, language, value } of translations) {
    const exact = wanted.indexOf(language.toLowerCase());
    const rank = exact === -1 ? wanted.indexOf(kindOf(language)) : exact;
    const before = chosen.get(key);
    if (rank !== -1 && (before === undefined || rank < before.rank)) chosen.set(key, { rank, value });
  }
  return (value) => {
    const key = keyOf(value);
    return key === null ? value : (chosen.get(key)?.value ?? key);
  };
}

const primaryOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0] ?? '';

/** Stands for all tags with this primary language. The hyphen makes it differ from the tag `de`, which precedes `de-AT`. */
const kindOf = (tag: string): string => `${primaryOf(tag)}-`;

/** Without texts, every key is returned unchanged. */
export const untranslated: Translate = translator([], []);

/** All texts in a value of metadata, however deep. What holds none stays the same object. */
export function translateAll<T>(translate: Translate, value: T): T {
  if (typeof value === 'string') return translate(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, entry, translateAll(translate, entry)] as const);
  if (entries.every(([, before, after]) => before === after)) return value;
  return (
    Array.isArray(value) ? entries.map(([, , after]) => after) : Object.fromEntries(entries.map(([name, , after]) => [name, after]))
  ) as T;
}

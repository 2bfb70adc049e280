// The translations as the screens show them: a key with its texts by language. Read with one request, changed with one.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { request, search } from '../api/client.js';
import type { Translation } from '../schema/translations.js';
import { useStudio } from '../studio-context.js';
import { useLanguage, useText } from '../text/use-text.js';

export const useTranslationsText = () => useText('translations');

interface Row extends Translation {
  readonly id: string;
}

export interface TranslatedKey {
  readonly key: string;
  /** By language. */
  readonly rows: ReadonlyMap<string, Row>;
}

export interface Translations {
  readonly keys: readonly TranslatedKey[];
  /** Those that have a text. */
  readonly languages: readonly string[];
}

export const translationsRequest = {
  path: '/translations',
  query: { fields: ['id', 'key', 'language', 'value'], sort: ['key', 'language'], limit: -1 },
};

const queryKey = ['translations'];

export function useTranslations(): { readonly data: Translations | undefined; readonly error: Error | null } {
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => byKey((await search<readonly Row[]>(translationsRequest.path, translationsRequest.query, signal)).data),
    refetchOnWindowFocus: false,
  });
}

function byKey(rows: readonly Row[]): Translations {
  const keys = new Map<string, Map<string, Row>>();
  for (const row of rows) {
    const present = keys.get(row.key);
    if (present === undefined) keys.set(row.key, new Map([[row.language, row]]));
    else present.set(row.language, row);
  }
  return {
    keys: [...keys].map(([key, texts]) => ({ key, rows: texts })),
    languages: [...new Set(rows.map(({ language }) => language))].toSorted(),
  };
}

export const matching = ({ keys }: Translations, searchText: string): readonly TranslatedKey[] => {
  const lower = searchText.trim().toLowerCase();
  return keys.filter(({ key, rows }) =>
    [key, ...[...rows.values()].map(({ value }) => value)].some((each) => each.toLowerCase().includes(lower)),
  );
};

/** Languages to write a text in: those in use, that of the project and the person's own. */
export function useOfferedLanguages(present: readonly string[]): readonly string[] {
  const { tag } = useLanguage();
  const { project } = useStudio().boot;
  return [...new Set([...(project.default_language === null ? [] : [project.default_language]), tag, ...present])];
}

/** Stores the texts of a key, all or none. An empty text is none. Screens show them from then on. */
export function useStoreTexts(): (before: TranslatedKey | null, key: string, texts: ReadonlyMap<string, string>) => Promise<void> {
  const cache = useQueryClient();
  const { reload } = useStudio();
  return async (before, key, texts) => {
    const operations = operationsOf(before, key, texts);
    if (operations.length > 0) await request('POST', '/batch', { body: { operations } });
    await Promise.all([cache.invalidateQueries({ queryKey }), reload()]);
  };
}

function operationsOf(before: TranslatedKey | null, key: string, texts: ReadonlyMap<string, string>) {
  const written = [...texts].filter(([, value]) => value !== '');
  const gone = [...(before?.rows.values() ?? [])].filter(({ language }) => (texts.get(language) ?? '') === '');
  return [
    ...gone.map(({ id }) => ({ method: 'DELETE', path: `/translations/${id}` })),
    ...written.flatMap(([language, value]) => {
      const row = before?.rows.get(language);
      if (row === undefined) return [{ method: 'POST', path: '/translations', body: { key, language, value } }];
      return row.key === key && row.value === value ? [] : [{ method: 'PATCH', path: `/translations/${row.id}`, body: { key, value } }];
    }),
  ];
}

/** `de-DE` → `German (Germany)`, in the language of the person. */
export function useLanguageName(): (tag: string) => string {
  const { tag: own } = useLanguage();
  const names = new Intl.DisplayNames([own], { type: 'language' });
  return (tag) => {
    try {
      return names.of(tag) ?? tag;
    } catch {
      // What is no tag is shown as it is.
      return tag;
    }
  };
}

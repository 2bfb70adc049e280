// Translations: one form per language, chosen by tabs that say which languages are there. They are staged and saved with the item.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { search } from '../../api/client.js';
import type { Item } from '../../draft/item.js';
import { refusalsBelow } from '../../draft/refusals.js';
import { dropEntry, emptyList, isStagedList, isUnchanged, putEntry, type StagedEntry, type StagedList } from '../../draft/staged.js';
import type { Collection, Field, Schema } from '../../schema/model.js';
import { plainText, renderTemplate, type TemplatePart, templateFor, templatePaths } from '../../schema/templates.js';
import { itemsPath, useStudio } from '../../studio-context.js';
import { useLanguage, useText } from '../../text/use-text.js';
import type { InterfaceProps } from '../interface-props.js';
import { RelatedInline } from './related-forms.js';
import '../../primitives/tabs.css';

interface TranslationPlan {
  /** The collection of the translations. */
  readonly texts: Collection;
  readonly textsKey: string;
  readonly foreignKey: string;
  readonly languageField: string;
  readonly languages: Collection;
  readonly languagesKey: string;
  readonly template: readonly TemplatePart[];
}

function planTranslations({ relation, options }: Field, schema: Schema): TranslationPlan | null {
  if (relation?.kind !== 'o2m' || relation.languageField === null) return null;
  const texts = schema.get(relation.related);
  const toLanguage = texts?.fieldsByName.get(relation.languageField)?.relation;
  const languages = toLanguage?.kind === 'm2o' ? schema.get(toLanguage.related) : undefined;
  if (texts === undefined || texts.key === null || languages === undefined || languages.key === null) return null;
  const named = typeof options['languageField'] === 'string' ? `{{${options['languageField']}}}` : null;
  return {
    texts,
    textsKey: texts.key,
    foreignKey: relation.foreignKey,
    languageField: relation.languageField,
    languages,
    languagesKey: languages.key,
    template: templateFor(languages, named),
  };
}

export function TranslationsInput(props: InterfaceProps) {
  const text = useText();
  const { schema } = useStudio().boot;
  const plan = planTranslations(props.field, schema);
  if (plan === null) return <p className="hint">{text.listNotEditable}</p>;
  return <LanguageTabs {...props} plan={plan} />;
}

function LanguageTabs(props: InterfaceProps & { readonly plan: TranslationPlan }) {
  const text = useText();
  const { tag } = useLanguage();
  const { plan, field, itemKey, value, stored, isReadOnly, refusals, labelledBy, onChange } = props;
  const languages = useLanguages(plan);
  const rows = useRows(plan, field.collection, itemKey);
  const [chosen, setChosen] = useState<string | null>(null);
  const staged = isStagedList(value) ? value : emptyList;
  if (languages === undefined || rows === undefined) return <p className="empty-list">{text.loading}</p>;
  if (languages.length === 0) return <p className="empty-list">{text.noLanguages}</p>;
  const codes = languages.map((language) => plainText(language[plan.languagesKey]));
  const wanted = [chosen, plainText(field.options['defaultLanguage']), tag, tag.slice(0, 2)];
  const current = wanted.find((code) => code !== null && codes.includes(code)) ?? codes[0];
  const change = (next: StagedList) => onChange(isUnchanged(next) ? (stored ?? null) : next);
  const entries = codes.map((code) => entryFor(plan, staged, rows, code));
  const put = (entry: StagedEntry) => {
    // A language that was only looked at, or emptied again, is no translation.
    const isEmpty = entry.key === null && Object.keys(entry.edits).every((name) => name === plan.languageField);
    change(isEmpty ? dropEntry(staged, entry.id) : putEntry(staged, entry));
  };
  return (
    <Tabs className="translations" selectedKey={current ?? ''} onSelectionChange={(key) => setChosen(String(key))}>
      <TabList className="tab-list" aria-labelledby={labelledBy}>
        {languages.map((language, index) => {
          const entry = entries[index];
          const isRefused = entry !== undefined && refusalsBelow(refusals, field.name, entry.id).length > 0;
          const isThere = entry !== undefined && (entry.key !== null || staged.entries.includes(entry));
          return (
            <Tab key={codes[index]} id={codes[index] ?? ''} className={`tab ${isRefused ? 'refused' : ''}`}>
              <span className={`tab-dot ${isThere ? 'on' : ''}`} />
              {renderTemplate(plan.template, language) || codes[index]}
              {!isThere && <span className="visually-hidden">{text.notTranslated}</span>}
            </Tab>
          );
        })}
      </TabList>
      {entries.map((entry, index) => (
        <TabPanel key={entry.id} id={codes[index] ?? ''} className="tab-panel">
          <RelatedInline
            collection={plan.texts}
            entry={entry}
            base={entry.shown}
            leftOut={[plan.foreignKey, plan.languageField, plan.textsKey]}
            isReadOnly={isReadOnly}
            refusals={refusalsBelow(refusals, field.name, entry.id)}
            onChange={put}
          />
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** What is staged for a language, else its stored translation, else a new one. */
function entryFor({ textsKey, languageField }: TranslationPlan, staged: StagedList, rows: readonly Item[], code: string): StagedEntry {
  const row = rows.find((each) => codeOf(each[languageField]) === code);
  const id = row === undefined ? `language-${code}` : `row-${plainText(row[textsKey])}`;
  const known = staged.entries.find((entry) => entry.id === id);
  if (known !== undefined) return row === undefined ? known : { ...known, shown: row };
  if (row === undefined) return { $staged: 'entry', id, row: null, key: null, shown: {}, edits: { [languageField]: code } };
  return { $staged: 'entry', id, row: row[textsKey], key: row[textsKey], shown: row, edits: {} };
}

/** A language is read as its key, or as an item when its title was read, too. */
const codeOf = (value: unknown): string => plainText(typeof value === 'object' && value !== null ? Object.values(value)[0] : value);

function useLanguages({ languages, languagesKey, template }: TranslationPlan): readonly Item[] | undefined {
  const { data } = useQuery({
    queryKey: ['options', languages.name, 'languages', template],
    queryFn: async ({ signal }) => {
      const fields = [...new Set([languagesKey, ...templatePaths(template)])];
      return (await search<readonly Item[]>(itemsPath(languages), { fields, limit: 200 }, signal)).data;
    },
  });
  return data;
}

function useRows(
  { texts, foreignKey, languageField }: TranslationPlan,
  collection: string,
  itemKey: string | null,
): readonly Item[] | undefined {
  const { data } = useQuery({
    queryKey: ['related', collection, texts.name, foreignKey, itemKey, 'translations'],
    queryFn: async ({ signal }) => {
      const query = { fields: ['*', languageField], filter: { [foreignKey]: { _eq: itemKey } }, limit: 200 };
      return (await search<readonly Item[]>(itemsPath(texts), query, signal)).data;
    },
    enabled: itemKey !== null,
  });
  return itemKey === null ? [] : data;
}

// Displays of what a field refers to: files, pictures, people, related items, translations.

import type { Field } from '../schema/model.js';
import { parseTemplate, plainText, renderTemplate, templateOf } from '../schema/templates.js';
import { type Display, type DisplayContext, type Mark, textMark } from './mark.js';

type Item = Readonly<Record<string, unknown>>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A file as it was read, or its key alone. */
const fileKey = (value: unknown): string => plainText(isItem(value) ? value['id'] : value);
const fileTitle = (value: unknown): string => (isItem(value) ? plainText(value['title'] ?? value['filename_download']) : '');

export function showImage(_context: DisplayContext, { displayOptions }: Field, value: unknown): readonly Mark[] {
  return [{ kind: 'image', text: fileTitle(value), file: fileKey(value), isRound: displayOptions['circle'] === true }];
}

export const showFile: Display = (_context, _field, value) => {
  const isPicture = isItem(value) && plainText(value['type']).startsWith('image/');
  const title = textMark(fileTitle(value) || fileKey(value));
  return isPicture ? [{ kind: 'image', text: '', file: fileKey(value) }, ...title] : title;
};

export function showUser(_context: DisplayContext, { displayOptions }: Field, value: unknown): readonly Mark[] {
  if (!isItem(value)) return textMark(plainText(value));
  const name = [value['first_name'], value['last_name']].map(plainText).filter(Boolean).join(' ') || plainText(value['email']);
  const avatar = value['avatar'] === null || value['avatar'] === undefined ? '' : fileKey(value['avatar']);
  const picture: readonly Mark[] = avatar === '' ? [] : [{ kind: 'image', text: '', file: avatar, isRound: true }];
  if (displayOptions['display'] === 'avatar' && avatar !== '') return [{ kind: 'image', text: name, file: avatar, isRound: true }];
  return displayOptions['display'] === 'name' ? textMark(name) : [...picture, ...textMark(name)];
}

export const showRelated: Display = ({ schema, language }, field, value) => {
  const { relation, displayOptions } = field;
  const configured = plainText(displayOptions['template']);
  const related =
    relation?.kind === 'm2o' || relation?.kind === 'o2m' || relation?.kind === 'm2m' ? schema.get(relation.related ?? '') : undefined;
  const parts = configured !== '' ? parseTemplate(configured) : related === undefined ? [] : templateOf(related);
  const items = Array.isArray(value) ? value : [value];
  const texts = items.filter(isItem).map((item) => renderTemplate(parts, item));
  if (texts.length > 0) return textMark(texts.filter((text) => text !== '').join(', '));
  // Lists that were read as keys say how many there are.
  return textMark(Array.isArray(value) ? language.text.items(language.number.format(items.length)) : plainText(value));
};

export const showTranslations: Display = ({ language }, { relation, displayOptions }, value) => {
  const items = (Array.isArray(value) ? value : []).filter(isItem);
  const languageField = relation?.kind === 'o2m' ? relation.languageField : null;
  const codeOf = (item: Item): string => {
    const code = languageField === null ? null : item[languageField];
    return plainText(isItem(code) ? (code['code'] ?? Object.values(code)[0]) : code);
  };
  const wanted = plainText(displayOptions['defaultLanguage']);
  const chosen = items.find((item) => codeOf(item) === language.tag) ?? items.find((item) => codeOf(item) === wanted) ?? items[0];
  if (chosen === undefined) return [];
  return textMark(renderTemplate(parseTemplate(plainText(displayOptions['template'])), chosen));
};

export const showCollection: Display = ({ schema }, _field, value) => textMark(schema.get(plainText(value))?.title ?? plainText(value));

// How a value is shown where it is not edited, by the display that metadata names; without one by its type, and an unknown display shows the
// value as it is. Pure: the result is marks.

import { keyText } from '../schema/item-key.js';
import type { Field } from '../schema/model.js';
import { parseTemplate, plainText, renderTemplate, templateOf } from '../schema/templates.js';
import type { Language } from '../text/use-text.js';
import { printNumber, showNumber } from '../values/read-number.js';
import { htmlText } from './html-text.js';
import { type Display, type DisplayContext, type Mark, textMark } from './mark.js';
import { colorOf, showBoolean, showFormatted, showLabels, showRating } from './plain-displays.js';
import { showCollection, showFile, showImage, showRelated, showTranslations, showUser } from './related-displays.js';

const displays: Readonly<Record<string, Display>> = {
  raw: (_context, _field, value) => textMark(plainText(value)),
  'formatted-value': showFormatted,
  'formatted-json-value': showJson,
  boolean: showBoolean,
  datetime: showMoment,
  labels: showLabels,
  rating: showRating,
  color: (_context, _field, value) => [
    { kind: 'dot', text: '', background: colorOf(value) ?? 'transparent' },
    ...textMark(plainText(value)),
  ],
  icon: (_context, _field, value) => [{ kind: 'icon', text: plainText(value) }],
  image: showImage,
  file: showFile,
  filesize: ({ language }, _field, value) => textMark(sizeText(language, Number(value))),
  'mime-type': showMimeType,
  hash: () => textMark('••••••••'),
  user: showUser,
  'related-values': showRelated,
  translations: showTranslations,
  collection: showCollection,
};

export function showValue(context: DisplayContext, field: Field, value: unknown): readonly Mark[] {
  if (value === null || value === undefined || value === '') return [];
  const shown = typeof value === 'string' && htmlInterfaces.has(field.interface ?? '') ? htmlText(value) : value;
  if (field.display === null) return showByType(context, field, shown);
  return (displays[field.display] ?? showRaw)(context, field, shown);
}

/** Their values are HTML. */
const htmlInterfaces: ReadonlySet<string> = new Set(['input-rich-text-html', 'wysiwyg']);

const showRaw: Display = (_context, _field, value) => textMark(plainText(value));

function showByType(context: DisplayContext, field: Field, value: unknown): readonly Mark[] {
  const { language, schema } = context;
  if (field.relation?.kind === 'm2o' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const related = schema.get(field.relation.related);
    return textMark(
      related === undefined
        ? ''
        : renderTemplate(templateOf(related), value) || (keyText(related, value as Readonly<Record<string, unknown>>) ?? ''),
    );
  }
  if (Array.isArray(value)) return textMark(value.map((each) => choiceText(field, each)).join(', '));
  if (field.choices !== null) return textMark(choiceText(field, value));
  switch (field.type) {
    case 'boolean':
      return textMark(value === true ? language.text.yes : value === false ? language.text.no : plainText(value));
    case 'integer':
    case 'bigInteger':
    case 'decimal':
    case 'float':
      return textMark(
        isQuantity(field) ? showNumber(value, language, Math.min(2, field.column?.scale ?? 0)) : printNumber(value, language),
      );
    case 'hash':
      return textMark('••••••••');
    case 'date':
    case 'dateTime':
    case 'timestamp':
      return showMoment(context, field, value);
    default:
      return textMark(plainText(value));
  }
}

const names =
  /(^|_)(id|key|code|no|nr|num|number|year|years?_of_.*|born|died|founded|published|released|zip|plz|postcode|postal_code|phone|isbn|ean|port|version|sku|hash)$/i;

/** Whether a whole number counts something. Keys, years and codes are written without separators. */
const isQuantity = ({ isKey, relation, name }: Field): boolean =>
  !isKey && relation === null && !names.test(name.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2'));

const choiceText = ({ choices }: Field, value: unknown): string =>
  choices?.find((choice) => choice.value === String(value))?.text ?? plainText(value);

/** Moments beyond what the browser can format are shown as the database has them. */
function showMoment({ language }: DisplayContext, { type, displayOptions }: Field, value: unknown): readonly Mark[] {
  const moment = new Date(type === 'date' ? `${String(value)}T00:00:00Z` : String(value));
  if (type === 'time' || Number.isNaN(moment.getTime())) return textMark(plainText(value));
  if (displayOptions['relative'] === true) return textMark(relativeText(language, moment));
  return textMark((type === 'date' ? language.date : language.dateTime).format(moment));
}

const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** "3 days ago", in the largest unit that fits. */
export function relativeText({ formats }: Language, moment: Date, now = new Date()): string {
  const seconds = (moment.getTime() - now.getTime()) / 1000;
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(formats, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function sizeText({ formats }: Language, bytes: number): string {
  if (!Number.isFinite(bytes)) return '';
  const power = Math.min(sizeUnits.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const format = { style: 'unit', unit: sizeUnits[power] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(formats, format).format(bytes / 1000 ** power);
}

function showMimeType(_context: DisplayContext, { displayOptions }: Field, value: unknown): readonly Mark[] {
  const type = plainText(value);
  return textMark(displayOptions['showAsExtension'] === true ? (type.split('/')[1] ?? type) : type);
}

/** A template over the members of the value; of a list, over each entry. */
function showJson(_context: DisplayContext, { displayOptions }: Field, value: unknown): readonly Mark[] {
  const template = plainText(displayOptions['format']);
  if (template === '') return textMark(plainText(value));
  const parts = parseTemplate(template);
  return textMark((Array.isArray(value) ? value : [value]).map((each) => renderTemplate(parts, each)).join(', '));
}

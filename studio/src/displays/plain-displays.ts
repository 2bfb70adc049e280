// Displays of plain values: formatted text, labels, booleans, ratings.

import type { Field } from '../schema/model.js';
import { titleOf } from '../schema/read-meta.js';
import { plainText } from '../schema/templates.js';
import { type Display, type DisplayContext, type Mark, textMark } from './mark.js';

type Options = Readonly<Record<string, unknown>>;

/** A colour of metadata: what a browser reads as one, and the names that the peer's themes define. */
export function colorOf(value: unknown): string | undefined {
  const text = plainText(value);
  const themed = /^var\(--theme--([a-z]+)/.exec(text)?.[1];
  if (themed !== undefined) return themes[themed];
  return /^(#[\da-f]{3,8}|rgba?\([\d\s,.%/]+\)|hsla?\([\d\s,.%/]+\)|[a-z]+)$/i.test(text) ? text : undefined;
}

const themes: Readonly<Record<string, string>> = {
  primary: 'var(--accent)',
  success: 'var(--green)',
  warning: 'var(--amber)',
  danger: 'var(--danger)',
};

/** A chip when there is a background, else coloured text. */
function toned(text: string, color: unknown, background: unknown): Mark {
  const [ink, ground] = [colorOf(color), colorOf(background)];
  return {
    kind: ground === undefined ? 'text' : 'chip',
    text,
    ...(ink === undefined ? {} : { color: ink }),
    ...(ground === undefined ? {} : { background: ground }),
  };
}

export const showFormatted: Display = (_context, { displayOptions }, value) => {
  const matching = listOf(displayOptions['conditionalFormatting']).find((rule) => isMet(rule, value)) ?? {};
  const options: Options = { ...displayOptions, ...matching };
  const raw = plainText(options['text'] ?? value);
  const text = options['format'] === true ? titleOf(raw) : raw;
  const shown = `${plainText(options['prefix'])}${text}${plainText(options['suffix'])}`;
  const mark = toned(shown, options['color'], options['background']);
  return [options['font'] === 'monospace' ? { ...mark, isMono: true } : mark];
};

function isMet({ operator, value: expected }: Options, value: unknown): boolean {
  const [text, other] = [plainText(value), plainText(expected)];
  switch (operator) {
    case 'eq':
      return text === other;
    case 'neq':
      return text !== other;
    case 'gt':
      return Number(value) > Number(expected);
    case 'gte':
      return Number(value) >= Number(expected);
    case 'lt':
      return Number(value) < Number(expected);
    case 'lte':
      return Number(value) <= Number(expected);
    case 'contains':
      return text.includes(other);
    case 'starts_with':
      return text.startsWith(other);
    case 'ends_with':
      return text.endsWith(other);
    default:
      return false;
  }
}

export function showBoolean({ language }: DisplayContext, { displayOptions }: Field, value: unknown): readonly Mark[] {
  const isOn = value === true || value === 1;
  const side = isOn ? 'On' : 'Off';
  const text = plainText(displayOptions[`label${side}`]) || (isOn ? language.text.yes : language.text.no);
  const color = colorOf(displayOptions[`color${side}`]);
  return color === undefined ? textMark(text) : [{ kind: 'dot', text: '', background: color }, ...textMark(text)];
}

export function showLabels(_context: DisplayContext, { displayOptions, choices }: Field, value: unknown): readonly Mark[] {
  const labels = listOf(displayOptions['choices']);
  const values = Array.isArray(value) ? value : plainText(value).split(',');
  return values.flatMap((each): readonly Mark[] => {
    const label = labels.find((one) => plainText(one['value']) === plainText(each)) ?? {};
    const known = choices?.find((choice) => choice.value === plainText(each))?.text;
    const raw = plainText(label['text']) || known || plainText(each);
    const text = displayOptions['format'] === true && known === undefined ? titleOf(raw) : raw;
    const background = colorOf(label['background'] ?? label['color']);
    if (displayOptions['showAsDot'] === true)
      return [{ kind: 'dot', text: '', background: background ?? 'var(--ink-3)' }, ...textMark(text)];
    const ink = colorOf(label['foreground']);
    return [{ kind: 'chip', text, ...(ink === undefined ? {} : { color: ink }), ...(background === undefined ? {} : { background }) }];
  });
}

const mostStars = 20;

export function showRating({ language }: DisplayContext, { displayOptions, options }: Field, value: unknown): readonly Mark[] {
  const rating = Number(value);
  if (!Number.isFinite(rating)) return textMark(plainText(value));
  const most = Math.min(mostStars, Number(options['maxValue'] ?? 5) || 5);
  if (displayOptions['simple'] === true) return [{ kind: 'text', text: `★ ${language.number.format(rating)}`, color: 'var(--amber)' }];
  const full = Math.max(0, Math.min(most, Math.round(rating)));
  return [{ kind: 'text', text: '★'.repeat(full) + '☆'.repeat(most - full), color: 'var(--amber)' }];
}

const listOf = (value: unknown): readonly Options[] =>
  Array.isArray(value) ? value.filter((each): each is Options => typeof each === 'object' && each !== null) : [];

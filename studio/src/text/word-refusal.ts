// The words for a refusal of the service: by the name it gives its reason, else by its code. What has no words here is shown as the service
// says it. Pure, imports no framework.

import type { ErrorEntry } from '../schema/error-entry.js';
import type { Schema } from '../schema/model.js';
import { titleOf } from '../schema/read-meta.js';
import { plainText } from '../schema/templates.js';
import type { RefusalTexts, Refused } from './english/refusals.js';
import type { Language } from './use-text.js';

export interface Speaker {
  readonly language: Language;
  /** Empty for people who are not signed in. */
  readonly schema: Schema;
}

export function wordRefusal({ language, schema }: Speaker, texts: RefusalTexts, entry: ErrorEntry): string {
  const { extensions, message } = entry;
  const own = ownMessage(schema, entry);
  if (own !== null) return own;
  const sentences: Readonly<Record<string, ((about: Refused) => string) | undefined>> = texts.sentences;
  const say = namesOf(entry)
    .map((name) => sentences[name])
    .find((sentence) => sentence !== undefined);
  return say === undefined ? texts.other(extensions.reason ?? message) : say(describe({ language, schema }, texts, extensions));
}

type Extensions = ErrorEntry['extensions'];

/** What people wrote for just this case: the author of a trigger, or of the field's validation. */
function ownMessage(schema: Schema, { message, extensions }: ErrorEntry): string | null {
  const { code, type, collection, field } = extensions;
  if (code !== 'FAILED_VALIDATION') return null;
  if (type === 'trigger') return message;
  if (type === 'required' || collection === undefined || field === undefined) return null;
  return schema.get(collection)?.fieldsByName.get(field)?.validationMessage ?? null;
}

/** The finest first. */
function namesOf({ extensions }: ErrorEntry): readonly string[] {
  const { refusal, code, type, field, constraint } = extensions;
  return [
    ...(refusal === undefined ? [] : [refusal]),
    ...(type === undefined || constraint === undefined ? [] : [`${code}.${type}.named`]),
    ...(type === undefined ? [] : [`${code}.${type}`]),
    ...(field === undefined ? [] : [`${code}.field`]),
    code,
  ];
}

function describe({ language, schema }: Speaker, texts: RefusalTexts, extensions: Extensions): Refused {
  const { collection: name, field: names, kind } = extensions;
  const collection = name === undefined ? undefined : schema.get(name);
  const titles = (names ?? '').split(',').map((each) => collection?.fieldsByName.get(each)?.title ?? titleOf(each));
  const field = titles.map(texts.quote).join(', ');
  const inQuotes = texts.quote(collection?.title ?? name ?? '');
  return {
    what: subjectOf(texts, extensions, names === undefined ? texts.value : field),
    field,
    collection: inQuotes,
    subject: names === undefined ? inQuotes : field,
    fact: (fact) => factText(language, extensions[fact]),
    kind: kind === 'field' || kind === 'index' ? kind : 'collection',
    rule: ruleText(language, extensions),
  };
}

function subjectOf(texts: RefusalTexts, { of_entry: isOfEntry, of_default: isDefault }: Extensions, field: string): string {
  const what = isDefault === true ? texts.defaultOf(field) : field;
  return isOfEntry === true ? texts.entryOf(what) : what;
}

/** Bounds of numbers are texts, because they may exceed the exact ones. */
function factText({ number }: Language, value: unknown): string {
  if (Array.isArray(value)) return value.map(plainText).join(', ');
  if (typeof value === 'number') return number.format(value);
  return typeof value === 'string' && /^-?\d{1,40}$/.test(value) ? number.format(BigInt(value)) : plainText(value);
}

function ruleText(language: Language, { type = '', valid, invalid, substring }: Extensions): string {
  const operators: Readonly<Record<string, string | undefined>> = language.text.operators;
  const operand = factText(language, valid ?? invalid ?? substring);
  return `${operators[`_${type}`] ?? type} ${operand}`.trim();
}

// Display templates: `{{first_name}} {{author.name}}` as parts, the fields they need, and the text they give for an item.

import { escapeName, joinPath, splitPath } from './field-path.js';
import { type Collection, type Field, isNameOf, type Schema } from './model.js';
import { isTyped } from './typed.js';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  /** otherwise: stands for the title where nothing else gives one. */
  | { readonly kind: 'field' | 'otherwise'; readonly path: readonly string[] };

export function parseTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(/{{\s*([^{}]+?)\s*}}/g)) {
    if (match.index > end) parts.push({ kind: 'text', text: template.slice(end, match.index) });
    parts.push({ kind: 'field', path: (match[1] ?? '').split('.') });
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push({ kind: 'text', text: template.slice(end) });
  return parts;
}

/** The template of a collection: configured, or guessed from the names and types of its fields. */
export function templateOf(collection: Collection): readonly TemplatePart[] {
  if (collection.displayTemplate !== null) return parseTemplate(collection.displayTemplate);
  const person = personFields(collection);
  if (person !== null) return personTemplate(person);
  const field = titleField(collection);
  return field === null ? [] : [{ kind: 'field', path: [field] }];
}

/** The template that the options of a field name, as far as it fits the related collection; else the collection's own. */
export function templateFor(related: Collection, configured: unknown): readonly TemplatePart[] {
  const parts = typeof configured === 'string' ? parseTemplate(configured) : [];
  const names = parts.flatMap((part) => (part.kind === 'field' ? [part.path[0] ?? ''] : []));
  return names.length > 0 && names.every((name) => related.fieldsByName.has(name)) ? parts : templateOf(related);
}

const titleNames = ['name', 'title', 'label', 'subject', 'headline'];
/** They tell one item from another, but are no names. */
const markNames = ['filename_download', 'email', 'code', 'slug'];
const textTypes = new Set(['string', 'text']);

export function titleField(collection: Collection): string | null {
  const texts = textsOf(collection);
  const person = personFields(collection);
  const exact = (names: readonly string[]) => names.map((name) => texts.find((field) => field.name.toLowerCase() === name)).find(Boolean);
  const partly = texts.find((field) => titleNames.some((name) => field.name.toLowerCase().endsWith(name)));
  const plain = texts.find((field) => !field.isKey && !/(email|code|zip|phone)$/i.test(field.name));
  return (
    person?.first ??
    (exact(titleNames) ?? partly ?? exact(markNames) ?? plain ?? texts.find((field) => !field.isKey))?.name ??
    collection.key
  );
}

const textsOf = ({ fields }: Collection): readonly Field[] =>
  fields.filter((field) => field.column !== null && !field.hidden && textTypes.has(field.type) && field.relation === null);

interface PersonFields {
  readonly first: string;
  readonly last: string;
  readonly email: string | null;
}

const nameParts = [
  ['firstname', 'lastname'],
  ['givenname', 'familyname'],
  ['forename', 'surname'],
  ['first', 'last'],
] as const;

/** People are called by both of their names, whatever else the item has. */
function personFields(collection: Collection): PersonFields | null {
  const texts = new Map(textsOf(collection).map(({ name }) => [name.toLowerCase().replaceAll(/[_\s-]/g, ''), name]));
  for (const [one, other] of nameParts) {
    const [first, last] = [texts.get(one), texts.get(other)];
    if (first !== undefined && last !== undefined) return { first, last, email: texts.get('email') ?? null };
  }
  return null;
}

const personTemplate = ({ first, last, email }: PersonFields): readonly TemplatePart[] => [
  { kind: 'field', path: [first] },
  { kind: 'text', text: ' ' },
  { kind: 'field', path: [last] },
  ...(email === null ? [] : [{ kind: 'otherwise', path: [email] } as const]),
];

/** Paths of the fields a template needs, below `prefix`. */
export const templatePaths = (parts: readonly TemplatePart[], prefix = ''): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [] : [prefix + joinPath(part.path)]));

/** The text of an item. Parts without a value leave no gap at either end. */
export function renderTemplate(parts: readonly TemplatePart[], item: unknown): string {
  const textOf = (part: TemplatePart): string => (part.kind === 'text' ? part.text : plainText(valueAt(item, part.path)));
  const text = parts
    .filter(({ kind }) => kind !== 'otherwise')
    .map(textOf)
    .join('')
    .replace(/^[\s,–—-]+|[\s,–—-]+$/g, '');
  return (
    text ||
    parts
      .filter(({ kind }) => kind === 'otherwise')
      .map(textOf)
      .join('')
  );
}

function valueAt(item: unknown, path: readonly string[]): unknown {
  let value = item;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isTyped(value)) return value.text;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a list or form reads of a field: the column itself, the title of a related item, or the number of items in a list. */
export function pathsOfField(schema: Schema, field: Field): readonly string[] {
  const { relation } = field;
  const name = escapeName(field.name);
  if (relation?.kind !== 'm2o') return relation === null ? (field.column === null ? [] : [name]) : [name];
  const related = schema.get(relation.related);
  if (related === undefined || related.keys.length === 0) return [name];
  const titled = templatePaths(templateFor(related, field.options['template']));
  const paths = [...related.keys.map(escapeName), ...templatePaths(templateOf(related)), ...titled, ...displayPaths(field, related)];
  return [...new Set(paths.map((path) => `${name}.${path}`))];
}

const pathsByDisplay: Readonly<Record<string, readonly string[]>> = {
  user: ['first_name', 'last_name', 'email', 'avatar'],
  image: ['title', 'filename_download', 'type'],
  file: ['title', 'filename_download', 'type'],
};

/** What the display of a many-to-one field needs of the related item, as far as it is there. */
function displayPaths({ display, displayOptions }: Field, { name, fieldsByName }: Collection): readonly string[] {
  const template = displayOptions['template'];
  const shown = isNameOf('files', name) ? (display ?? 'file') : (display ?? '');
  const named = display === 'related-values' && typeof template === 'string' ? templatePaths(parseTemplate(template)) : [];
  return [...(pathsByDisplay[shown] ?? []), ...named].filter((path) => fieldsByName.has(splitPath(path)[0] ?? ''));
}

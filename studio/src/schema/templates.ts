// Display templates: `{{first_name}} {{author.name}}` as parts, the fields they need, and the text they give for an item.

import { type Collection, type Field, isFilesName, type Schema } from './model.js';

export type TemplatePart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'field'; readonly path: readonly string[] };

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
  const field = titleField(collection);
  return field === null ? [] : [{ kind: 'field', path: [field] }];
}

/** The template that the options of a field name, as far as it fits the related collection; else the collection's own. */
export function templateFor(related: Collection, configured: unknown): readonly TemplatePart[] {
  const parts = typeof configured === 'string' ? parseTemplate(configured) : [];
  const names = parts.flatMap((part) => (part.kind === 'field' ? [part.path[0] ?? ''] : []));
  return names.length > 0 && names.every((name) => related.fieldsByName.has(name)) ? parts : templateOf(related);
}

const titleNames = ['name', 'title', 'label', 'subject', 'headline', 'email', 'filename_download', 'code', 'slug'];
const textTypes = new Set(['string', 'text']);

export function titleField({ fields, key }: Collection): string | null {
  const texts = fields.filter((field) => field.column !== null && !field.hidden && textTypes.has(field.type) && field.relation === null);
  const named = titleNames.map((name) => texts.find((field) => field.name.toLowerCase() === name)).find((field) => field !== undefined);
  const partly = texts.find((field) => titleNames.some((name) => field.name.toLowerCase().endsWith(name)));
  return (named ?? partly ?? texts.find((field) => !field.isKey))?.name ?? key;
}

/** Paths of the fields a template needs, below `prefix`. */
export const templatePaths = (parts: readonly TemplatePart[], prefix = ''): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'field' ? [prefix + part.path.join('.')] : []));

/** The text of an item. Parts without a value leave no gap at either end. */
export function renderTemplate(parts: readonly TemplatePart[], item: unknown): string {
  const text = parts.map((part) => (part.kind === 'text' ? part.text : plainText(valueAt(item, part.path)))).join('');
  return text.replace(/^[\s,–—-]+|[\s,–—-]+$/g, '');
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
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a list or form reads of a field: the column itself, the title of a related item, or the number of items in a list. */
export function pathsOfField(schema: Schema, field: Field): readonly string[] {
  const { relation, name } = field;
  if (relation?.kind !== 'm2o') return relation === null ? (field.column === null ? [] : [name]) : [name];
  const related = schema.get(relation.related);
  if (related === undefined || related.key === null) return [name];
  const titled = templatePaths(templateFor(related, field.options['template']));
  const paths = [related.key, ...templatePaths(templateOf(related)), ...titled, ...displayPaths(field, related)];
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
  const shown = isFilesName(name) ? (display ?? 'file') : (display ?? '');
  const named = display === 'related-values' && typeof template === 'string' ? templatePaths(parseTemplate(template)) : [];
  return [...(pathsByDisplay[shown] ?? []), ...named].filter((path) => fieldsByName.has(path.split('.')[0] ?? ''));
}

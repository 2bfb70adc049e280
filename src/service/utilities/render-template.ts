// Fills values into the options of an operation: `{{ $trigger.query.word }}`. Values are put into the leaves of a parsed template, so that a
// quote in a value cannot change its structure.

import { serviceError } from '../../core/errors/service-error.js';

/** How many characters a template may grow to: each operation can refer to the result of the one before several times. */
const maxLength = 4_000_000;

const placeholder = /\{\{\s*([^\s{}]+)\s*\}\}/g;
const onlyPlaceholder = /^\s*\{\{\s*([^\s{}]+)\s*\}\}\s*$/;

/** A text that is one placeholder becomes the value itself; within other text a value is written as text, and a missing one as nothing. */
export function renderTemplate(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  let length = 0;
  const measured = <T>(value: T): T => {
    length += typeof value === 'string' ? value.length : (JSON.stringify(value)?.length ?? 0);
    if (length > maxLength) throw serviceError('CONTENT_TOO_LARGE', 'The values that the flow puts together are too large.');
    return value;
  };
  const fill = (text: string): unknown => {
    const [, whole] = onlyPlaceholder.exec(text) ?? [];
    if (whole !== undefined) return measured(valueAt(values, whole) ?? null);
    return measured(text.replace(placeholder, (_, path: string) => measured(toText(valueAt(values, path)))));
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value);
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, walk(entry)]));
  };
  return walk(template);
}

/** `a.b[0]`; only what the values themselves contain. */
function valueAt(values: unknown, path: string): unknown {
  let found = values;
  for (const name of path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, name)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

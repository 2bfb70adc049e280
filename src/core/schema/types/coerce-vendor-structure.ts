// Values of vendor types that JSON represents as lists and objects: arrays, and maps of texts. Entries are checked by the rules of their
// own type; the caller passes that function in, since it in turn calls this one.

import { faultOfEntry } from '../../errors/refusals.js';
import { isNestedTooDeeply } from '../../util/json-nesting.js';
import { isPlainObject } from '../../util/plain-object.js';
import { tryParseJson } from '../../util/try-parse-json.js';
import { checkText } from './coerce-text.js';
import { type Coerced, type CoerceMode, misfit, type Structure, type ValueFacts } from './coerced.js';
import type { ColumnType } from './field-type.js';

type CoerceEntry = (type: ColumnType, value: unknown, facts: ValueFacts, mode: CoerceMode) => Coerced;

/** The canonical form is JSON text of canonical texts. A single value counts as a list of one, as in an operand of `_contains`. */
export function coerceVendorStructure(value: unknown, structure: Structure, mode: CoerceMode, coerce: CoerceEntry): Coerced {
  const parsed = typeof value === 'string' && /^\s*[[{]/.test(value) ? (readJson(value) ?? value) : value;
  if (structure.kind === 'map') return coerceMap(parsed);
  if (!Array.isArray(parsed) && mode === 'write') return misfit('type', 'list');
  const list = coerceList(
    Array.isArray(parsed) ? parsed : [parsed],
    (entry) => coerceElement(entry, structure.element, mode, coerce),
    structure.element.type !== 'json',
    0,
  );
  return isRefused(list) ? list : { ok: true, value: JSON.stringify(list) };
}

type TextList = readonly (string | null | TextList)[];
type Element = Extract<Structure, { kind: 'list' }>['element'];

/** PostgreSQL's limit. */
const maxDimensions = 6;

/** `nests`: a list within the list is a further dimension and not an entry. */
function coerceList(
  values: readonly unknown[],
  coerceEntry: (value: unknown) => string | null | Refused,
  nests: boolean,
  depth: number,
): TextList | Refused {
  if (depth >= maxDimensions) return misfit('range', 'too_deep');
  const list: (string | null | TextList)[] = [];
  for (const value of values) {
    const entry = nests && Array.isArray(value) ? coerceList(value, coerceEntry, nests, depth + 1) : coerceEntry(value);
    if (isRefused(entry)) return entry;
    list.push(entry);
  }
  return list;
}

type Refused = Extract<Coerced, { ok: false }>;

const isRefused = (entry: string | null | TextList | Refused): entry is Refused =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry);

function coerceElement(value: unknown, { type, facts }: Element, mode: CoerceMode, coerce: CoerceEntry): string | null | Refused {
  // A string in a list of JSON values is a JSON string, not a JSON text to be parsed.
  const coerced = coerce(type, type === 'json' && typeof value === 'string' ? JSON.stringify(value) : value, facts, mode);
  if (!coerced.ok) return { ...coerced, fault: faultOfEntry(coerced.fault) };
  if (coerced.value === null) return null;
  return String(coerced.value);
}

function coerceMap(value: unknown): Coerced {
  if (!isPlainObject(value)) return misfit('type', 'texts_by_name');
  const entries: [string, string | null][] = [];
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === 'object' && entry !== null) return misfit('type', 'texts_by_name');
    const [key, text] = [checkText(name, null), entry === null ? null : checkText(String(entry), null)];
    if (!key.ok) return key;
    if (text?.ok === false) return text;
    entries.push([name, entry === null ? null : String(entry)]);
  }
  return { ok: true, value: JSON.stringify(Object.fromEntries(entries)) };
}

const readJson = (text: string): unknown => (isNestedTooDeeply(text) ? undefined : tryParseJson(text));

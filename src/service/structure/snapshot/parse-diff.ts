// Parses the diff that a client sends to /schema/apply.

import { invalidPayload } from '../../../core/errors/service-error.js';
import { asArray, asObject, asText, type Payload } from '../describe/payload.js';
import type { DiffEntry } from './diff-snapshots.js';

export interface Edit {
  readonly collection: string;
  /** Empty in an edit of a collection. */
  readonly field: string;
  readonly diff: readonly DiffEntry[];
}

export interface ParsedDiff {
  readonly collections: readonly Edit[];
  readonly fields: readonly Edit[];
  readonly relations: readonly Edit[];
}

export function parseDiff(value: unknown): ParsedDiff {
  const payload = asObject(value, '"diff"');
  if (payload.systemFields !== undefined && asArray(payload.systemFields, '"systemFields"').length > 0) {
    throw invalidPayload('"systemFields" must be empty: the fields of the service itself are not changed by a snapshot.');
  }
  const edits = (key: string, named: boolean): readonly Edit[] =>
    asArray(payload[key], `"${key}"`).map((entry) => parseEdit(asObject(entry, `An entry of "${key}"`), named));
  return { collections: edits('collections', false), fields: edits('fields', true), relations: edits('relations', true) };
}

const parseEdit = (entry: Payload, named: boolean): Edit => ({
  collection: asText(entry.collection, '"collection"'),
  field: named ? asText(entry.field, '"field"') : '',
  diff: asArray(entry.diff, '"diff"').map((part) => parseEntry(asObject(part, 'An entry of "diff"'))),
});

function parseEntry(entry: Payload): DiffEntry {
  const { kind, path, lhs = null, rhs = null } = entry;
  const isWhole = path === undefined;
  if (kind === 'N' && isWhole) return { kind, rhs };
  if (kind === 'D' && isWhole) return { kind, lhs };
  const names = isWhole ? [] : asArray(path, '"path"').map(String);
  if ((kind !== 'E' && kind !== 'N' && kind !== 'D') || names.length === 0 || names.length > 2) {
    throw invalidPayload('An entry of "diff" must be of kind N, D or E, with a path of one or two names where it is about a part.');
  }
  return { kind: 'E', path: names, lhs, rhs: kind === 'D' ? null : rhs };
}

/** The edits as the payload of an update: `{ meta: { note: … } }`. */
export function editedParts(diff: readonly DiffEntry[]): Payload {
  const parts: Record<string, Record<string, unknown> | unknown> = {};
  for (const entry of diff) {
    if (entry.kind !== 'E') continue;
    const [part = '', key] = entry.path;
    if (key === undefined) parts[part] = entry.rhs;
    else parts[part] = { ...(typeof parts[part] === 'object' ? parts[part] : {}), [key]: entry.rhs };
  }
  return parts;
}

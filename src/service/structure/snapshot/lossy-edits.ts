// The edits of a diff that may lose data: deletions of tables and columns, and types or sizes that become narrower.

import type { Difference } from './compare-structure.js';
import type { Edit, ParsedDiff } from './parse-diff.js';

export function lossyEdits(diff: ParsedDiff): readonly string[] {
  return [
    ...diff.collections.filter(isGone).map(({ collection }) => `collection "${collection}" is deleted`),
    ...diff.fields.filter(isGone).map(({ collection, field }) => `field "${field}" of "${collection}" is deleted`),
    ...narrowerFields(diff),
  ];
}

/** Those that no deletion names. */
export const narrowerFields = ({ fields }: ParsedDiff): readonly string[] =>
  fields.flatMap(({ collection, field, diff: entries }) =>
    entries.flatMap((entry) =>
      entry.kind === 'E' && isNarrower(entry)
        ? `${entry.path.join('.')} of field "${field}" of "${collection}" becomes ${JSON.stringify(entry.rhs)}`
        : [],
    ),
  );

const isGone = ({ diff }: Edit): boolean => diff.some((entry) => entry.kind === 'D' && isRecord(entry.lhs) && entry.lhs.schema !== null);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const widening: Readonly<Record<string, readonly unknown[]>> = {
  integer: ['bigInteger', 'decimal', 'string', 'text'],
  bigInteger: ['decimal', 'string', 'text'],
  string: ['text', 'csv', 'hash'],
  hash: ['string', 'text'],
  csv: ['text'],
  text: ['csv'],
  date: ['dateTime', 'timestamp', 'string', 'text'],
  uuid: ['string', 'text'],
  boolean: ['integer', 'bigInteger', 'string', 'text'],
  json: ['text'],
  dateTime: ['timestamp'],
  timestamp: ['dateTime'],
};

const sizes = ['max_length', 'numeric_precision', 'numeric_scale'];

function isNarrower({ path, lhs, rhs }: Difference): boolean {
  const [part = '', key = ''] = path;
  if (part === 'type') return !widening[String(lhs)]?.includes(rhs);
  if (part === 'schema' && key === '') return true;
  if (part !== 'schema' || !sizes.includes(key)) return false;
  return typeof rhs === 'number' && (typeof lhs !== 'number' || rhs < lhs);
}

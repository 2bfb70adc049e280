// What the database demands of every item, told before it is asked: columns that must have a value, one entry per field.

import type { ErrorEntry } from '../errors/service-error.js';
import type { Collection, ColumnField } from '../schema/schema.js';
import type { WriteValue } from './bound-write.js';
import { failedValue } from './failed-value.js';
import type { WriteContext } from './write-context.js';
import { writingFacts } from './writing-facts.js';

interface Checked {
  readonly collection: Collection;
  readonly action: 'create' | 'update';
  readonly path: readonly string[];
  readonly given: ReadonlySet<string>;
}

export function checkRequired(context: WriteContext, input: Checked, values: ReadonlyMap<string, WriteValue>): void {
  for (const field of writingFacts(input.collection, context.limits).required) {
    if (input.given.has(field.name)) continue;
    const entry = checkField(field, input, values);
    if (entry !== null) context.failures.add(entry);
  }
}

function checkField(field: ColumnField, input: Checked, values: ReadonlyMap<string, WriteValue>): ErrorEntry | null {
  if (!values.has(field.name)) {
    const missing = input.action === 'create' && field.column.default === null && !field.column.autoIncrement;
    return missing ? failedValue(field.name, 'required', input.path, 'Value is required.') : null;
  }
  return values.get(field.name) === null ? failedValue(field.name, 'nnull', input.path, "Value can't be null.") : null;
}

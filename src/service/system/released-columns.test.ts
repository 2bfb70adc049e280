// The rule of migrations: what a released revision reads and writes stays, under its name and type, so that it can run beside the next one.
// `released-columns.json` has the columns of the last release. A release adds its new ones to it; a column leaves it one release after the last one
// that used it.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SystemField } from '../../core/schema/system-definition.js';
import { systemDefinitions } from '../definitions/system-definitions.js';

const file = new URL('released-columns.json', import.meta.url);
const released: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(readFileSync(file, 'utf8'));

const fieldsOf = (collection: string): readonly SystemField[] =>
  systemDefinitions.find((definition) => definition.collection === collection)?.fields ?? [];

it.each(Object.entries(released))('%s keeps what was released of it', (collection, columns) => {
  const present = Object.fromEntries(fieldsOf(collection).map(({ field, type }) => [field, type]));
  expect(present).toMatchObject(columns);
});

it.each(Object.keys(released))('%s demands nothing that a released revision does not write', (collection) => {
  const added = fieldsOf(collection).filter(({ field }) => released[collection]?.[field] === undefined);
  expect(added.filter((field) => !field.nullable && field.default === null && !field.autoIncrement).map(({ field }) => field)).toEqual([]);
});

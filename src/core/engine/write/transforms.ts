// Values that are transformed before they are stored, by the type or a special of their field. The functions are injected.

import type { Collection, ColumnField } from '../../schema/schema.js';
import type { RunRow } from '../work/run-row.js';

export interface Transforms {
  /** For fields of type hash. */
  readonly hash: (plain: string) => Promise<string>;
}

export async function applyTransforms<R extends RunRow>(
  transforms: Transforms,
  collection: Collection,
  rows: readonly R[],
): Promise<readonly R[]> {
  const hashed = [...collection.fields.values()].filter((field): field is ColumnField => field.kind === 'column' && isHashed(field));
  if (!hashed.some((field) => rows.some((row) => typeof row.values.get(field.name) === 'string'))) return rows;
  return Promise.all(rows.map((row) => hashRow(transforms, hashed, row)));
}

const isHashed = (field: ColumnField): boolean => field.type === 'hash' || field.special.has('hash');

async function hashRow<R extends RunRow>(transforms: Transforms, fields: readonly ColumnField[], row: R): Promise<R> {
  const values = new Map(row.values);
  for (const { name } of fields) {
    const plain = values.get(name);
    if (typeof plain === 'string') values.set(name, await transforms.hash(plain));
  }
  return { ...row, values };
}

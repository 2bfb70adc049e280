// Structure as the wire has it. On that of the specification it is as the database has it; on the other one, tables of the service bear the
// names of their collections, and flags are a list.

import type { Schema } from '../../../core/schema/schema.js';
import { splitFlags } from './field-meta.js';
import type { Payload } from './payload.js';

interface Described {
  readonly schema: Payload | null;
  readonly meta: Payload | null;
}

type Names = Pick<Schema, 'nameOf' | 'wire'>;

export const onWire = <Object extends Described>(object: Object, names: Names): Object =>
  names.wire === 'tain'
    ? object
    : {
        ...object,
        meta: object.meta === null ? null : withFlagList(object.meta),
        schema: object.schema === null ? null : withNames(object.schema, names),
      };

function withFlagList(meta: Payload): Payload {
  if (!Object.hasOwn(meta, 'special')) return meta;
  const flags = splitFlags(meta.special);
  return { ...meta, special: flags.length > 0 ? flags : null };
}

/** `name` is that of a table where no `table` stands beside it. */
function withNames(schema: Payload, { nameOf }: Names): Payload {
  const tables = ['table', 'foreign_key_table', ...('table' in schema ? [] : ['name'])];
  const called = (key: string, value: unknown): unknown => (tables.includes(key) && typeof value === 'string' ? nameOf(value) : value);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, called(key, value)]));
}

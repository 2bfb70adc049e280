// A collection in the form of answers: its metadata and its table; a folder has no table.

import type { RawTable } from '../../../core/schema/raw.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { Payload } from './payload.js';

export interface CollectionObject {
  readonly collection: string;
  readonly meta: Payload | null;
  readonly schema: Payload | null;
}

export const describeTable = ({ name, schema, comment }: RawTable): Payload => ({ name, schema, comment });

export const describeCollection = ({ name, meta, table, readOnlyReason }: Collection): CollectionObject => ({
  collection: name,
  meta,
  schema:
    table === null
      ? null
      : { ...describeTable(table), ...describeKey(table), ...(readOnlyReason === null ? {} : { read_only: readOnlyReason }) },
});

/** Where the database has no key, one can be named. */
const describeKey = ({ primaryKey, namedKey, mirrored }: RawTable): Payload =>
  mirrored === true || (primaryKey.length > 0 && namedKey === undefined) ? {} : { primary_key: namedKey === undefined ? null : primaryKey };

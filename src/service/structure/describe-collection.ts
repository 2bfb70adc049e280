// A collection as answers show it: its metadata and the table behind it; a folder has no table.

import type { Collection } from '../../core/schema/schema.js';
import type { Payload } from './payload.js';

export interface CollectionObject {
  readonly collection: string;
  readonly meta: Payload | null;
  readonly schema: Payload | null;
}

export const describeCollection = ({ name, meta, table }: Collection): CollectionObject => ({
  collection: name,
  meta,
  schema: table === null ? null : { name: table.name, schema: table.schema, comment: table.comment },
});

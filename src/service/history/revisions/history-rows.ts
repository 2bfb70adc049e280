// The rows of service_activity and service_revisions. A revision has the number of its activity as its key, so that nested revisions can
// refer to their parents before anything is stored.

import type { Accountability } from '../../../core/access/accountability.js';
import type { Pending, PendingKey, PendingText } from '../../../core/sql/pending-key.js';
import type { PlainRows } from '../../../core/sql/plain-rows.js';

/** The key of an activity; pending until its insert is sent. */
export type ActivityNumber = number | PendingKey;

/** The key text of an item; pending until the item's insert is sent. */
type ItemName = string | Pending;

export type ActivityRow = readonly [action: string, collection: string, item: ItemName];

const activityColumns = ['action', 'collection', 'item'];

interface ActivityTable {
  /** Whether the activity has columns for the access key of a request: that of another server has none. */
  readonly keepsAccessKeys: boolean;
}

export function activityRows({ keepsAccessKeys }: ActivityTable, by: Accountability, rows: readonly ActivityRow[]): PlainRows {
  const { user, ip, userAgent, origin, accessKey } = by;
  const common = { user, ip: ip?.slice(0, 50) ?? null, user_agent: userAgent, origin: origin?.slice(0, 255) ?? null };
  const marks = accessKey !== null && keepsAccessKeys ? { access_key: accessKey.id, access_key_name: accessKey.name } : {};
  return { common: { ...common, ...marks }, columns: activityColumns, rows };
}

/** A JSON text; pending if it contains keys that are not generated yet. */
export type Document = string | PendingText;

export type RevisionRow = readonly [
  id: ActivityNumber,
  activity: ActivityNumber,
  collection: string,
  item: ItemName,
  data: Document,
  delta: Document | null,
  parent: ActivityNumber | null,
  /** Left out where the table has no column for it. */
  previous: string | null,
];

const revisionColumns = ['id', 'activity', 'collection', 'item', 'data', 'delta', 'parent', 'previous'];

interface RevisionTable {
  readonly keepsPrevious: boolean;
}

export const revisionRows = ({ keepsPrevious }: RevisionTable, rows: readonly RevisionRow[], version: string | null = null): PlainRows => ({
  common: { version },
  columns: keepsPrevious ? revisionColumns : revisionColumns.slice(0, -1),
  rows: keepsPrevious ? rows : rows.map((row) => row.slice(0, -1)),
});

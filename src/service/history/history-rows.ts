// The rows of activity and of revisions. A revision bears the number of its activity, so that nested ones can name their parents before
// anything is stored.

import type { Accountability } from '../../core/access/accountability.js';
import type { LateText, LateValue } from '../../core/sql/late-value.js';
import type { PlainRows } from '../../core/sql/plain-rows.js';

/** A number of an activity; late where its row is still on its way. */
export type ActivityNumber = number | LateValue;

/** The key of an item as text, or on its way. */
type ItemName = string | LateValue;

export type ActivityRow = readonly [action: string, collection: string, item: ItemName];

const activityColumns = ['action', 'collection', 'item'];

export const activityRows = ({ user, ip, userAgent, origin }: Accountability, rows: readonly ActivityRow[]): PlainRows => ({
  common: { user, ip: ip?.slice(0, 50) ?? null, user_agent: userAgent, origin: origin?.slice(0, 255) ?? null },
  columns: activityColumns,
  rows,
});

/** Documents are JSON text. */
export type Document = string | LateText;

export type RevisionRow = readonly [
  id: ActivityNumber,
  activity: ActivityNumber,
  collection: string,
  item: ItemName,
  data: Document,
  delta: Document,
  parent: ActivityNumber | null,
];

const revisionColumns = ['id', 'activity', 'collection', 'item', 'data', 'delta', 'parent'];

export const revisionRows = (rows: readonly RevisionRow[], version: string | null = null): PlainRows => ({
  common: { version },
  columns: revisionColumns,
  rows,
});

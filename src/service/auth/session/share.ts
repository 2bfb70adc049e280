// A share and the view of its holder: the one item, with the fields that the share's role may read, and nothing else.

import { isDynamic } from '../../../core/access/dynamic-values.js';
import type { Grant, Permission, Rule } from '../../../core/access/permission.js';
import { makeView, type SchemaView } from '../../../core/access/view.js';
import { parseKeySegment } from '../../../core/engine/read/item-key.js';
import type { Filter } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import type { RowOf } from '../../../core/schema/system-definition.js';
import type { Connection } from '../../../core/vendor/driver.js';
import type { shares } from '../../definitions/accounts.js';
import type { AuthContext } from '../auth-context.js';

/** Times in milliseconds; infinite where the share has no bound. */
export interface Share {
  readonly id: string;
  readonly collection: string;
  readonly item: string;
  readonly role: string | null;
  readonly password: string | null;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly timesUsed: number;
  readonly maxUses: number | null;
}

const columns = ['id', 'collection', 'item', 'role', 'password', 'date_start', 'date_end', 'times_used', 'max_uses'] as const;

export async function findShare({ tables }: Pick<AuthContext, 'tables'>, connection: Connection, id: string): Promise<Share | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  const [row] = await tables.shares.read(connection, columns, { id: id.toLowerCase() });
  return row === undefined ? null : readShare(row);
}

const readShare = (row: Pick<RowOf<typeof shares>, (typeof columns)[number]>): Share => ({
  id: row.id,
  collection: row.collection,
  item: row.item,
  role: row.role,
  password: row.password || null,
  startsAt: row.date_start === null ? Number.NEGATIVE_INFINITY : Date.parse(row.date_start),
  endsAt: row.date_end === null ? Number.POSITIVE_INFINITY : Date.parse(row.date_end),
  timesUsed: row.times_used ?? 0,
  maxUses: row.max_uses,
});

export const isOpen = ({ startsAt, endsAt }: Share): boolean => startsAt <= Date.now() && Date.now() < endsAt;

/** Narrows the view of the share's role to the shared item. */
export function viewOfShare(view: SchemaView, { collection: name, item }: Pick<Share, 'collection' | 'item'>): SchemaView {
  const collection = view.schema.collections.get(name);
  const grant = view.grants.admin ? [unrestricted(name)] : (view.grants.byCollection.get(name)?.read ?? []);
  const read = collection === undefined || collection.primaryKey.length === 0 ? [] : narrowed(grant, collection, item);
  const key = `${view.grants.key} share ${JSON.stringify([name, item])}`;
  return makeView(view.schema, { key, admin: false, byCollection: new Map(read.length === 0 ? [] : [[name, { read }]]) });
}

const unrestricted = (collection: string): Permission => ({
  collection,
  action: 'read',
  rule: null,
  validation: null,
  presets: null,
  fields: '*',
});

function narrowed(grant: Grant, collection: Collection, item: string): Grant {
  const parts = parseKeySegment(collection, collection.primaryKey.length > 1 ? item : encodeURIComponent(item));
  // A rule would replace such a key by another value, and so open another item.
  if (isDynamic(parts)) return [];
  return grant.map((permission) => ({ ...permission, rule: andKey(permission.rule, collection.primaryKey, parts) }));
}

function andKey(rule: Rule | null, names: readonly string[], parts: readonly unknown[]): Rule {
  const literals = rule?.literals ?? [];
  const isItem = names.map(
    (name, index): Filter => ({
      kind: 'compare',
      field: { name, fn: null, args: [], scope: null },
      operator: '_eq',
      slot: literals.length + index,
    }),
  );
  return { filter: { kind: 'and', filters: [...(rule === null ? [] : [rule.filter]), ...isItem] }, literals: [...literals, ...parts] };
}

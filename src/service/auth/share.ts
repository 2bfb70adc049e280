// A share as sign-in needs it, and what its holder may see: the one item, with the fields of the share's role, and nothing else.

import type { Grant, Permission, Rule } from '../../core/access/permission.js';
import { makeView, type SchemaView } from '../../core/access/view.js';
import { parseKeySegment } from '../../core/engine/item-key.js';
import type { Filter } from '../../core/query/query.js';
import { type MetaRow, numberOf, textOf } from '../../core/schema/meta-row.js';
import type { Collection } from '../../core/schema/schema.js';
import type { Connection } from '../../core/vendor/driver.js';
import type { AuthContext } from './auth-context.js';

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

const columns = ['id', 'collection', 'item', 'role', 'password', 'date_start', 'date_end', 'times_used', 'max_uses'];

export async function findShare({ tables }: Pick<AuthContext, 'tables'>, connection: Connection, id: string): Promise<Share | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  const [row] = await tables.shares.read(connection, columns, { id: id.toLowerCase() });
  return row === undefined ? null : readShare(row);
}

const readShare = (row: MetaRow): Share => ({
  id: String(row['id']),
  collection: String(row['collection']),
  item: String(row['item']),
  role: textOf(row, 'role'),
  password: textOf(row, 'password'),
  startsAt: timeOf(row, 'date_start') ?? Number.NEGATIVE_INFINITY,
  endsAt: timeOf(row, 'date_end') ?? Number.POSITIVE_INFINITY,
  timesUsed: numberOf(row, 'times_used') ?? 0,
  maxUses: numberOf(row, 'max_uses'),
});

function timeOf(row: MetaRow, key: string): number | null {
  const text = textOf(row, key);
  return text === null ? null : Date.parse(text);
}

export const isOpen = ({ startsAt, endsAt }: Share): boolean => startsAt <= Date.now() && Date.now() < endsAt;

/** `view`: what the share's role may see. */
export function viewOfShare(view: SchemaView, { collection: name, item }: Pick<Share, 'collection' | 'item'>): SchemaView {
  const collection = view.schema.collections.get(name);
  const grant = view.grants.admin ? [everything(name)] : (view.grants.byCollection.get(name)?.read ?? []);
  const read = collection === undefined || collection.primaryKey.length === 0 ? [] : narrowed(grant, collection, item);
  const key = `${view.grants.key} share ${JSON.stringify([name, item])}`;
  return makeView(view.schema, { key, admin: false, byCollection: new Map(read.length === 0 ? [] : [[name, { read }]]) });
}

const everything = (collection: string): Permission => ({
  collection,
  action: 'read',
  rule: null,
  validation: null,
  presets: null,
  fields: '*',
});

function narrowed(grant: Grant, collection: Collection, item: string): Grant {
  const parts = parseKeySegment(collection, collection.primaryKey.length > 1 ? item : encodeURIComponent(item));
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

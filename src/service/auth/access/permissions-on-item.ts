// What a caller may do with one item, as `/permissions/me/{collection}/{key}` answers it. Without a permission every action answers
// `access: false`, whether or not the item or the collection exists.

import type { Action, Grants } from '../../../core/access/permission.js';
import { type Caller, grantOf, lookUpCollection, makeView, rowRules, type SchemaView } from '../../../core/access/view.js';
import type { Reader } from '../../../core/engine/read/reader.js';
import type { Work } from '../../../core/engine/work/work.js';
import { forbidden, ServiceError } from '../../../core/errors/service-error.js';
import { escapeName } from '../../../core/query/escape-name.js';
import { parseQueryObject } from '../../../core/query/parse/parse-query-object.js';
import type { QueryLimits } from '../../../core/query/query.js';
import type { Collection } from '../../../core/schema/schema.js';
import { describeGrant, isUnknown } from './permissions-of-caller.js';

interface Access {
  readonly access: boolean;
}

export interface ItemAccess {
  /** For a singleton also the fields that may be changed and the presets of the policies. */
  readonly update: Access & { readonly fields?: readonly string[]; readonly presets?: Readonly<Record<string, unknown>> };
  readonly delete: Access;
  readonly share: Access;
}

/** The parts of a key in the collection it belongs to. */
type KeyIn = (collection: Collection) => readonly unknown[];

/** Reads an item by its key, or the one item of a singleton (key null); FORBIDDEN when this caller cannot see it. */
type FindItem = (caller: Caller, collection: string, key: KeyIn | null) => Promise<unknown>;

export function makeFindItem(reader: Reader, limits: QueryLimits, work: Omit<Work, 'caller'>): FindItem {
  return async (caller, collection, key) => {
    const fields = (caller.view.schema.collections.get(collection)?.primaryKey ?? []).map(escapeName);
    const own = { ...work, caller };
    if (key !== null)
      return reader.item(own, collection, key(lookUpCollection(caller.view, collection, 'read')), parseQueryObject({ fields }, limits));
    const [found] = await reader.keys(own, collection, parseQueryObject({ limit: 1 }, limits));
    if (found === undefined) throw forbidden();
    return found;
  };
}

/** `key` null: a collection of one item, or the collection as a whole. */
export async function permissionsOnItem(find: FindItem, caller: Caller, collection: string, key: KeyIn | null): Promise<ItemAccess> {
  const { accountability, view } = caller;
  if (isUnknown(accountability)) throw forbidden();
  const known = view.schema.collections.get(collection);
  const may = async (action: Action): Promise<Access> => {
    if (known === undefined || grantOf(view, collection, action) === null) return { access: false };
    const decided = key === null && (!known.singleton || rowRules(view, collection, action) === 'all');
    return { access: decided || (await canReach(find, caller, collection, key, action)) };
  };
  const update = { ...(known?.singleton === true ? limitsOfUpdate(caller, collection) : {}), ...(await may('update')) };
  return { update, delete: await may('delete'), share: await may('share') };
}

function limitsOfUpdate({ accountability, view }: Caller, collection: string): Omit<ItemAccess['update'], 'access'> {
  const { access: _, ...limits } = describeGrant(grantOf(view, collection, 'update'), accountability);
  return limits;
}

async function canReach(find: FindItem, caller: Caller, collection: string, key: KeyIn | null, action: Action): Promise<boolean> {
  try {
    await find({ ...caller, view: readAs(caller.view, collection, action) }, collection, key);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

/** A view in which the caller can read exactly the items on which `action` is allowed. */
function readAs(view: SchemaView, collection: string, action: Action): SchemaView {
  const { grants } = view;
  const own = grants.byCollection.get(collection);
  if (grants.admin || own?.[action] === undefined) return view;
  const read = own[action].map((permission) => ({ ...permission, fields: '*' as const }));
  const narrowed: Grants = {
    ...grants,
    key: `${grants.key} ${action} ${collection}`,
    byCollection: new Map([...grants.byCollection, [collection, { ...own, read }]]),
  };
  return makeView(view.schema, narrowed);
}

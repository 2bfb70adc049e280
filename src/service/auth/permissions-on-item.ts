// What a caller may do with one item, as `/permissions/me/{collection}/{key}` tells it. An item that is not there can be changed by
// nobody, which is also all that is told about it.

import { type Action, actions, type Grants } from '../../core/access/permission.js';
import { type Caller, grantOf, makeView, type SchemaView } from '../../core/access/view.js';
import { forbidden, forbiddenCollection, ServiceError } from '../../core/errors/service-error.js';

export interface ItemAccess {
  readonly update: { readonly access: boolean };
  readonly delete: { readonly access: boolean };
  readonly share: { readonly access: boolean };
}

/** Reads the item by its key as sent in a path; FORBIDDEN when this caller cannot see it. */
export type FindItem = (caller: Caller, collection: string, key: string) => Promise<unknown>;

/** `key` null: a collection of one item, or the collection as a whole. */
export async function permissionsOnItem(find: FindItem, caller: Caller, collection: string, key: string | null): Promise<ItemAccess> {
  const { accountability, view } = caller;
  if (accountability.user === null && accountability.share === null) throw forbidden();
  const known = view.schema.collections.has(collection) && actions.some((action) => grantOf(view, collection, action) !== null);
  if (!known) throw forbiddenCollection(collection);
  const may = async (action: Action): Promise<{ readonly access: boolean }> => ({
    access: grantOf(view, collection, action) !== null && (key === null || (await canReach(find, caller, collection, key, action))),
  });
  return { update: await may('update'), delete: await may('delete'), share: await may('share') };
}

async function canReach(find: FindItem, caller: Caller, collection: string, key: string, action: Action): Promise<boolean> {
  try {
    await find({ ...caller, view: readAs(caller.view, collection, action) }, collection, key);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'FORBIDDEN') return false;
    throw error;
  }
}

/** The same view, in which exactly the items of `action` can be read. */
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

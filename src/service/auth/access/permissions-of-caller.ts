// What a caller may do, as `/permissions/me` answers it: for each collection and action no items, some, or all.

import type { Accountability } from '../../../core/access/accountability.js';
import { resolveDynamicValue } from '../../../core/access/dynamic-values.js';
import { type Action, actions, type Grant } from '../../../core/access/permission.js';
import { type Caller, grantOf, type SchemaView } from '../../../core/access/view.js';
import { forbidden } from '../../../core/errors/service-error.js';

interface ActionAccess {
  readonly access: 'none' | 'partial' | 'full';
  readonly fields?: readonly string[];
  readonly presets?: Readonly<Record<string, unknown>>;
}

export type CollectionAccess = Readonly<Record<Action, ActionAccess>>;

export function permissionsOfCaller({ accountability, view }: Caller): Readonly<Record<string, CollectionAccess>> {
  if (isUnknown(accountability)) throw forbidden();
  const visible = [...view.schema.collections.keys()].filter((name) => actions.some((action) => grantOf(view, name, action) !== null));
  return Object.fromEntries(visible.map((name) => [name, collectionAccess(view, name, accountability)]));
}

/** The public gets no list of its rights, except for an administrator who views them (`X-View-As`). */
export const isUnknown = ({ user, share, viewer }: Accountability): boolean => user === null && share === null && viewer === null;

function collectionAccess(view: SchemaView, collection: string, accountability: Accountability): CollectionAccess {
  const of = (action: Action): ActionAccess => describeGrant(grantOf(view, collection, action), accountability);
  return { create: of('create'), read: of('read'), update: of('update'), delete: of('delete'), share: of('share') };
}

export function describeGrant(grant: Grant | 'all' | null, accountability: Accountability): ActionAccess {
  if (grant === null) return { access: 'none' };
  if (grant === 'all') return { access: 'full', fields: ['*'] };
  const presets = presetsFor(Object.assign({}, ...grant.map((permission) => permission.presets ?? {})), accountability);
  return {
    access: grant.some((permission) => permission.rule === null) ? 'full' : 'partial',
    fields: listFields(grant),
    ...(Object.keys(presets).length > 0 ? { presets } : {}),
  };
}

function listFields(grant: Grant): readonly string[] {
  const lists = grant.map((permission) => permission.fields);
  return lists.includes('*') ? ['*'] : [...new Set(lists.flatMap((fields) => [...fields]))];
}

/** What callers know of themselves. */
const knownValues: ReadonlySet<unknown> = new Set(['$CURRENT_USER', '$CURRENT_ROLE', '$CURRENT_ROLES']);

/** `$NOW` gets its value when the item is stored; a path, which is read with the rights of the service, may lead to what is hidden. Both stay texts. */
function presetsFor(stored: Readonly<Record<string, unknown>>, accountability: Accountability): Readonly<Record<string, unknown>> {
  const context = { accountability, values: new Map(), now: new Date() };
  const resolve = (value: unknown): unknown => (knownValues.has(value) ? resolveDynamicValue(value, context) : value);
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, resolve(value)]));
}

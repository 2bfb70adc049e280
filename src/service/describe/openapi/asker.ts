// For whom a description is drawn, and to whom an operation is open.

import { type Action, actions } from '../../../core/access/permission.js';
import { findCollection, grantOf, type SchemaView } from '../../../core/access/view.js';

export interface Asker {
  readonly view: SchemaView;
  readonly isUser: boolean;
  /** Came by a shared link. */
  readonly isGuest: boolean;
  /** Whether strangers may register. */
  readonly registration: boolean;
}

export type Openness =
  | 'everybody'
  | 'newcomers'
  | 'users'
  /** Users, and guests of a share. */
  | 'known'
  | 'administrators'
  /** Who may do anything with any collection, and who may read one. */
  | 'granted'
  | 'readers'
  | { readonly collection: string; readonly action: Action }
  /** Whoever may do this with some collection of the user's. */
  | { readonly some: Action };

export const may = (action: Action, collection: string): Openness => ({ collection, action });
export const onSome = (action: Action): Openness => ({ some: action });

export function isOpen(asker: Asker, open: Openness): boolean {
  const { view } = asker;
  switch (open) {
    case 'everybody':
      return true;
    case 'newcomers':
      return asker.registration;
    case 'users':
      return asker.isUser;
    case 'known':
      return asker.isUser || asker.isGuest;
    case 'administrators':
      return view.grants.admin;
    case 'granted':
      return actions.some((action) => isGranted(view, action));
    case 'readers':
      return isGranted(view, 'read');
    default:
      return 'some' in open ? collectionsFor(view, open.some).length > 0 : grantOf(view, open.collection, open.action) !== null;
  }
}

const isGranted = (view: SchemaView, action: Action): boolean =>
  [...view.schema.collections.keys()].some((name) => grantOf(view, name, action) !== null);

/** The user's collections on whose items something may be done. */
export const collectionsFor = (view: SchemaView, action: Action): readonly string[] =>
  [...view.schema.collections.values()]
    .filter(({ name, system, readOnly }) => !system && !(readOnly && action !== 'read') && findCollection(view, name, action) !== null)
    .map(({ name }) => name);

// Who may call an operation. The rules are data: `runOperation` checks them before it reads the input, OpenAPI describes what they open,
// and GraphQL has a field only for the callers who may run it.

import { type Action, actions } from '../../core/access/permission.js';
import { type Caller, findCollection, grantOf, lookUpCollection, type SchemaView } from '../../core/access/view.js';
import { forbidden, forbiddenCollection, type ServiceError } from '../../core/errors/service-error.js';
import { invalidCredentials, notByKey } from '../auth/refusals.js';

export type OpenRule =
  | 'everybody'
  /** While the settings allow registration. The operation reads the setting itself; only descriptions use this rule. */
  | 'newcomers'
  | 'users'
  /** Users, and guests of a share. */
  | 'known'
  /** The same two for operations on the caller's own account: any other caller is asked to sign in (INVALID_CREDENTIALS). */
  | 'own-account'
  | 'own-account-or-guest'
  /** Callers without an access key: a key must not make others, nor open another way in. */
  | 'in-person'
  | 'administrators'
  /** Callers with any permission, and callers who may read some collection. */
  | 'granted'
  | 'readers'
  /** Where the database is kept on the wire of the former server, whose tools ask for it. */
  | 'directus-wire'
  /** `guests`: or guests of a share, who see the structure of their item. */
  | { readonly collection: string; readonly action: Action; readonly guests?: true }
  /** Callers who may do this with at least one of the user's collections. */
  | { readonly some: Action }
  /** The same, and the input's `collection` has to name such a collection. */
  | { readonly named: Action };

export const may = (action: Action, collection: string): OpenRule => ({ collection, action });
export const mayOrGuest = (action: Action, collection: string): OpenRule => ({ collection, action, guests: true });
export const onSome = (action: Action): OpenRule => ({ some: action });
export const onNamed = (action: Action): OpenRule => ({ named: action });

/** The caller that rules are checked for; `registration` is the project's setting. */
export interface RuleCaller extends Caller {
  readonly registration: boolean;
}

export function isOpen({ accountability, view, registration }: RuleCaller, rule: OpenRule): boolean {
  switch (rule) {
    case 'everybody':
      return true;
    case 'newcomers':
      return registration;
    case 'users':
    case 'own-account':
      return accountability.user !== null;
    case 'known':
      return accountability.user !== null || accountability.share !== null || accountability.viewer !== null;
    case 'own-account-or-guest':
      return accountability.user !== null || accountability.share !== null;
    case 'in-person':
      return accountability.accessKey === null;
    case 'administrators':
      return accountability.admin;
    case 'granted':
      return actions.some((action) => isGranted(view, action));
    case 'readers':
      return isGranted(view, 'read');
    case 'directus-wire':
      return view.schema.wire === 'directus';
    default:
      return isGrantOpen(view, rule) || (accountability.share !== null && 'guests' in rule);
  }
}

function isGrantOpen(view: SchemaView, rule: Extract<OpenRule, object>): boolean {
  if ('collection' in rule) return grantOf(view, rule.collection, rule.action) !== null;
  return collectionsFor(view, 'some' in rule ? rule.some : rule.named).length > 0;
}

const isGranted = (view: SchemaView, action: Action): boolean =>
  [...view.schema.collections.keys()].some((name) => grantOf(view, name, action) !== null);

/** The user's collections on whose items the caller may do something. */
export const collectionsFor = (view: SchemaView, action: Action): readonly string[] =>
  [...view.schema.collections.values()]
    .filter(({ name, system, readOnly }) => !system && !(readOnly && action !== 'read') && findCollection(view, name, action) !== null)
    .map(({ name }) => name);

export function checkOpen(rules: readonly OpenRule[], caller: Caller): void {
  const ruleCaller = { ...caller, registration: true };
  for (const rule of rules) if (!isOpen(ruleCaller, rule)) throw refusalOf(rule);
}

function refusalOf(rule: OpenRule): ServiceError {
  if (rule === 'in-person') return notByKey();
  return rule === 'own-account' || rule === 'own-account-or-guest' ? invalidCredentials() : forbidden();
}

/** The second half of a rule about the collection that the input names. System collections have operations of their own. */
export function checkNamed(rules: readonly OpenRule[], { view }: Caller, { collection }: Readonly<Record<string, unknown>>): void {
  for (const rule of rules) {
    if (typeof rule !== 'object' || !('named' in rule)) continue;
    const name = String(collection);
    if (view.schema.collections.get(name)?.system !== false) throw forbiddenCollection(name);
    lookUpCollection(view, name, rule.named);
  }
}

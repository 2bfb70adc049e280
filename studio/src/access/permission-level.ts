// Permissions of a policy as the matrix shows and changes them. Pure.

import { type Action, actions, type StoredPermission } from './access-data.js';

export type Level = 'none' | 'some' | 'all';

export const isEmptyRule = (rule: unknown): boolean =>
  rule === null || rule === undefined || (typeof rule === 'object' && Object.keys(rule).length === 0);

export const permissionsFor = (all: readonly StoredPermission[], collection: string, action: Action): readonly StoredPermission[] =>
  all.filter((permission) => permission.collection === collection && permission.action === action);

/** `all`: every item with every field, and nothing demanded of what is written. */
export function levelOf(permissions: readonly StoredPermission[]): Level {
  if (permissions.length === 0) return 'none';
  return permissions.some(isUnlimited) ? 'all' : 'some';
}

const isUnlimited = ({ permissions, validation, fields, action }: StoredPermission): boolean =>
  isEmptyRule(permissions) && isEmptyRule(validation) && (fields?.includes('*') === true || action === 'delete' || action === 'share');

/** What is stored for a permission without limits. */
export const unlimited = (collection: string, action: Action) => ({
  collection,
  action,
  permissions: {},
  validation: null,
  presets: null,
  fields: ['*'],
});

/** The actions that a row's menu allows; what is there already stays as it is. */
export const missingActions = (
  all: readonly StoredPermission[],
  collection: string,
  wanted: readonly Action[] = actions,
): readonly Action[] => wanted.filter((action) => permissionsFor(all, collection, action).length === 0);

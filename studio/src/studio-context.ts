// What every screen works with: the boot answer and the function that loads it again.

import { createContext, useContext } from 'react';
import type { Boot } from './api/boot.js';
import { type Collection, withoutPrefix } from './schema/model.js';

export interface StudioContextValue {
  readonly boot: Boot;
  readonly reload: () => Promise<void>;
}

export const StudioContext = createContext<StudioContextValue | null>(null);

export function useStudio(): StudioContextValue {
  const value = useContext(StudioContext);
  if (value === null) throw new Error('useStudio outside of StudioContext');
  return value;
}

export type Action = 'create' | 'update' | 'delete' | 'share';

/** Whether the caller may do something with items of a collection at all; which items is the server's decision. */
export function useMay(collection: Collection): (action: Action) => boolean {
  const may = useMayIn();
  return (action) => may(collection, action);
}

/** The same question about several collections. */
export function useMayIn(): (collection: Collection, action: Action) => boolean {
  const { permissions } = useStudio().boot;
  return ({ name }, action) => (permissions[name]?.[action]?.access ?? 'none') !== 'none';
}

/** The same for a system collection, whose table has our prefix or that of an adopted database. */
export function useMayInSystem(): (name: string, action: Action | 'read') => boolean {
  const { permissions } = useStudio().boot;
  return (name, action) =>
    ['service', 'directus'].some((prefix) => (permissions[`${prefix}_${name}`]?.[action]?.access ?? 'none') !== 'none');
}

/** The path of a collection's items in the API. */
export const itemsPath = ({ name, isSystem }: Collection): string =>
  isSystem ? `/${withoutPrefix(name)}` : `/items/${encodeURIComponent(name)}`;

// What every screen works with: the boot answer and the function that loads it again.

import { createContext, useContext } from 'react';
import type { Boot } from './api/boot.js';
import { type Collection, withoutPrefix } from './schema/model.js';
import { type Action, may, type Subject } from './schema/permissions.js';

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

/** Whether the caller may do something with items of a collection at all; which items is the server's decision. */
export function useMay(): (subject: Subject, action: Action) => boolean {
  const { permissions } = useStudio().boot;
  return (subject, action) => may(permissions, subject, action);
}

/** The path of a collection's items in the API. */
export const itemsPath = ({ name, isSystem }: Collection): string =>
  isSystem ? `/${withoutPrefix(name)}` : `/items/${encodeURIComponent(name)}`;

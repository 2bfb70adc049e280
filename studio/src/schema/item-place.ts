// Where in Studio an item is opened that something else names: an entry of the activity, a notification.

import { addressKey } from './item-key.js';
import { type Schema, withoutPrefix } from './model.js';

interface Viewer {
  readonly schema: Schema;
  readonly isAdmin: boolean;
  /** Set while an administrator views as another user. */
  readonly seen: unknown;
}

/** Null when the item has no screen, or none that the person may open. */
export function itemPlace({ schema, isAdmin, seen }: Viewer, name: string, item: string): string | null {
  const collection = schema.get(name);
  if (collection === undefined || item === '') return null;
  const key = addressKey(item);
  if (!collection.isSystem) return `/c/${encodeURIComponent(name)}${collection.singleton ? '' : `/${key}`}`;
  const places: Readonly<Record<string, string>> = {
    dashboards: `/dashboards/${key}`,
    files: '/files',
    ...(isAdmin && seen === null ? { users: `/people/${key}`, policies: `/policies/${key}`, roles: '/roles', settings: '/settings' } : {}),
  };
  return places[withoutPrefix(name)] ?? null;
}

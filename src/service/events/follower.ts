// What a follower of a group gets: how it begins, how it continues after a move from another group, and events in between.

import type { KeyedItem } from '../../core/engine/read/keyed-items.js';
import type { GroupEvent } from './event-log.js';

export interface Follower {
  /** The user whom it counts for; the public counts by address. */
  readonly owner: string;
  /** Called in the order of events. Must not throw. */
  take(event: GroupEvent): void;
}

/** What a follower starts with: the events since its cursor, or the present state. */
export type Joined =
  | { readonly kind: 'resumed'; readonly events: readonly GroupEvent[]; readonly cursor: string }
  | { readonly kind: 'begun'; readonly items: readonly KeyedItem[] | null; readonly meta: string | null; readonly cursor: string };

/** How a follower continues that has come from another group: the events for what differs, and the cursor after them. */
export interface Moved {
  readonly events: readonly GroupEvent[];
  readonly cursor: string;
}

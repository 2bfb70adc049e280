// Notices what other programs write. While there are subscribers, it looks at a token of the database that changes with every commit; what has
// changed is unknown, so the feed suspects everything, and groups read and compare.

import { repeatEvery } from '../../core/util/repeat.js';
import type { ContentToken } from '../../core/vendor/dialect.js';
import type { Driver } from '../../core/vendor/driver.js';
import type { ChangeFeed } from './change-feed.js';

export interface ContentWatchDeps {
  readonly feed: ChangeFeed;
  readonly token: ContentToken;
  readonly driver: Driver;
  readonly everyMs: number;
  readonly onOutage: (error: unknown) => void;
}

/** Returns how to stop. */
export function watchContent({ feed, token, driver, everyMs, onOutage }: ContentWatchDeps): () => void {
  let last: string | null = null;
  let isFailing = false;
  const look = async (): Promise<void> => {
    if (!feed.isFollowedHere) {
      last = null;
      return;
    }
    const present = await token.read(driver);
    // Who begins to follow has read after the look before this one, or will be told by this one.
    if (present !== last || isFailing) feed.suspect();
    last = present;
    isFailing = false;
  };
  return repeatEvery(everyMs, look, (error) => {
    if (!isFailing) onOutage(error);
    isFailing = true;
  });
}

// Notices writes of other programs. While there are subscribers, it polls a token of the database that changes with every commit. What was
// written is unknown, so the feed reports that anything may have changed, and groups read and compare.

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
    // A follower that joined since the last check has read after that check, or gets this one.
    if (present !== last || isFailing) feed.suspect();
    last = present;
    isFailing = false;
  };
  return repeatEvery(everyMs, look, (error) => {
    if (!isFailing) onOutage(error);
    isFailing = true;
  });
}

// The bell: how many notifications wait, and the way to them.

import { lazy, Suspense, useState } from 'react';
import { Icon } from '../primitives/icon.js';
import { useText } from '../text/use-text.js';
import { useLiveNotifications, useUnread } from './use-unread.js';

const TalkDrawer = lazy(async () => ({ default: (await import('./talk-drawer.js')).TalkDrawer }));

/** More are not counted on the bell. */
const mostShown = 99;

export function Bell() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const unread = useUnread();
  useLiveNotifications();
  const title = text.notifications(unread);
  return (
    <>
      <button type="button" className="button quiet icon-only bell" aria-label={title} title={title} onClick={() => setOpen(true)}>
        <Icon name="bell" />
        {unread > 0 && (
          <span className="bell-count" aria-hidden="true">
            {unread > mostShown ? `${mostShown}+` : unread}
          </span>
        )}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <TalkDrawer about={null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

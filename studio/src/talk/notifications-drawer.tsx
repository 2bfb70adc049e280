// The notifications of the person, newest first: those that wait, or those that are archived.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { relativeText } from '../displays/show-value.js';
import { FailedRead } from '../primitives/failed-read.js';
import { Icon } from '../primitives/icon.js';
import { SideDrawer } from '../primitives/side-drawer.js';
import { showToast } from '../primitives/toasts.js';
import { itemPlace } from '../schema/item-place.js';
import { namingFields, personName } from '../schema/person.js';
import { useStudio } from '../studio-context.js';
import { useLanguage } from '../text/use-text.js';
import { archiveUpTo, moveNotification, type Notification, type NotificationStatus, readNotifications, useTalkText } from './talk-data.js';
import { notificationsKey } from './use-unread.js';

const pageSize = 30;

export function NotificationsDrawer({ onClose }: { readonly onClose: () => void }) {
  const text = useTalkText();
  const { me, permissions } = useStudio().boot;
  const [status, setStatus] = useState<NotificationStatus>('inbox');
  const [limit, setLimit] = useState(pageSize);
  const cache = useQueryClient();
  const { data, error } = useQuery({
    queryKey: [...notificationsKey(me.id), status, limit],
    queryFn: ({ signal }) => readNotifications(me.id, status, namingFields(permissions), limit, signal),
    placeholderData: (before, query) => (query?.queryKey.includes(status) ? before : undefined),
    staleTime: 0,
  });
  const move = async (act: () => Promise<unknown>) => {
    await act().catch((failure: unknown) => showToast(failure instanceof Error ? failure.message : text.failed));
    await cache.invalidateQueries({ queryKey: notificationsKey(me.id) });
  };
  const choose = (next: NotificationStatus) => {
    setStatus(next);
    setLimit(pageSize);
  };
  const newest = data?.[0]?.id;
  const foot = status === 'inbox' && newest !== undefined && (
    <button type="button" className="button" onClick={() => void move(() => archiveUpTo(me.id, newest))}>
      <Icon name="archive" />
      {text.archiveAll}
    </button>
  );
  return (
    <SideDrawer title={text.notifications} foot={foot === false ? undefined : foot} onClose={onClose}>
      <fieldset className="talk-choice" aria-label={text.show}>
        {(['inbox', 'archived'] as const).map((each) => (
          <button key={each} type="button" className="button small" aria-pressed={status === each} onClick={() => choose(each)}>
            {text.status[each]}
          </button>
        ))}
      </fieldset>
      <FailedRead what={text.failed} error={data === undefined ? error : null} />
      {data?.length === 0 && (
        <div className="empty">
          <Icon name="bell" />
          <h3>{text.noNotifications[status]}</h3>
          <p>{text.noNotificationsHint[status]}</p>
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className="talk" aria-label={text.notifications}>
          {data.map((each) => (
            <Entry
              key={each.id}
              notification={each}
              status={status}
              onOpen={onClose}
              onMove={(to) => void move(() => moveNotification(each.id, to))}
            />
          ))}
        </ul>
      )}
      {data?.length === limit && (
        <button type="button" className="button" onClick={() => setLimit(limit + pageSize)}>
          {text.older}
        </button>
      )}
    </SideDrawer>
  );
}

interface EntryProps {
  readonly notification: Notification;
  readonly status: NotificationStatus;
  readonly onOpen: () => void;
  readonly onMove: (status: NotificationStatus) => void;
}

function Entry({ notification, status, onOpen, onMove }: EntryProps) {
  const text = useTalkText();
  const language = useLanguage();
  const { boot } = useStudio();
  const { subject, message, collection, item, sender, timestamp } = notification;
  const place = collection === null || item === null ? null : itemPlace(boot, collection, item);
  const moment = timestamp === null ? null : new Date(timestamp);
  const action = status === 'inbox' ? text.archive : text.unarchive;
  return (
    <li className="talk-entry">
      <header>
        <h3>
          {place === null ? (
            subject
          ) : (
            <Link href={place} onClick={onOpen}>
              {subject}
            </Link>
          )}
        </h3>
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={`${action}: ${subject}`}
          title={action}
          onClick={() => onMove(status === 'inbox' ? 'archived' : 'inbox')}
        >
          <Icon name={status === 'inbox' ? 'archive' : 'undo'} />
        </button>
      </header>
      {message !== null && message !== '' && (
        <p className="talk-text talk-cut" dir="auto">
          {message}
        </p>
      )}
      <p className="hint">
        {sender && `${personName(sender)} · `}
        {moment !== null && <time title={language.dateTime.format(moment)}>{relativeText(language, moment)}</time>}
      </p>
    </li>
  );
}

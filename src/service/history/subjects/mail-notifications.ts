// Hook on new notifications, whatever creates them: after the commit they are mailed to recipients who want mails. Mails are sent in the
// background; a failing mail server is logged and affects nothing else.

import type { Hooks, WrittenItem } from '../../../core/engine/write/hooks.js';
import { ServiceError } from '../../../core/errors/service-error.js';
import type { AuthContext } from '../../auth/auth-context.js';
import { readAccountSettings } from '../../auth/settings.js';
import { writeNotification } from '../../mail/notification-message.js';
import { openOutbox } from '../../mail/outbox.js';

export interface NotificationMailDeps extends Pick<AuthContext, 'driver' | 'tables' | 'store' | 'mailer' | 'limiter' | 'report'> {
  /** The address of the admin application; null: there is none to link to. */
  readonly studio: string | null;
}

interface Notification {
  readonly recipient: string;
  readonly subject: string;
  readonly message: string | null;
  readonly collection: string | null;
  readonly item: string | null;
}

/** Returns the function that waits for the mails under way. */
export function mailNotifications(hooks: Hooks, deps: NotificationMailDeps): () => Promise<void> {
  const outbox = openOutbox<Notification>({ deliver: (some) => deliver(deps, some), report: deps.report });
  hooks.committed('service_notifications', 'create', async ({ items }) => outbox.add(items.map(readNotification)));
  return () => outbox.close();
}

function readNotification({ values }: WrittenItem): Notification {
  const text = (name: string): string | null => {
    const value = values.get(name) ?? null;
    return value === null ? null : String(value);
  };
  return {
    recipient: text('recipient') ?? '',
    subject: text('subject') ?? '',
    message: text('message'),
    collection: text('collection'),
    item: text('item'),
  };
}

async function deliver(deps: NotificationMailDeps, some: readonly Notification[]): Promise<void> {
  const { driver, tables, mailer, report, studio } = deps;
  const ids = [...new Set(some.map(({ recipient }) => recipient))];
  const accounts = await tables.users.read(driver, ['id', 'email', 'status', 'email_notifications'], { id: ids });
  const wanting = accounts.filter(({ email, status, email_notifications: wants }) => email && status === 'active' && wants === true);
  const addresses = new Map(wanting.map(({ id, email }) => [id, email]));
  if (addresses.size === 0) return;
  const { project } = await readAccountSettings({ tables }, driver);
  const account = studio === null ? null : `${studio}/me`;
  let refused = 0;
  for (const notification of some) {
    const { recipient, subject, message } = notification;
    const to = addresses.get(recipient);
    if (!to) continue;
    if (await mayMail(deps, recipient)) {
      const letter = writeNotification({ to, subject, message, link: linkTo(deps, notification), account, project });
      await mailer.send(letter).catch(report);
    } else refused += 1;
  }
  if (refused > 0) report(new Error(`${refused} notifications were not mailed: their recipients have got too many within a minute`));
}

async function mayMail({ limiter }: NotificationMailDeps, recipient: string): Promise<boolean> {
  try {
    await limiter.take('notification-mail', recipient);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** The page of the item, or the admin application where the notification names none or one without a page of its own. */
function linkTo({ studio, store }: NotificationMailDeps, { collection: name, item }: Notification): string | null {
  if (studio === null || name === null || item === null) return studio;
  const collection = store.current().collections.get(name);
  if (collection === undefined || collection.system) return studio;
  const list = `${studio}/c/${encodeURIComponent(name)}`;
  return collection.singleton ? list : `${list}/${encodeURIComponent(item)}`;
}

// The drawers of comments and notifications in one: they are loaded together.

import { CommentsDrawer } from './comments-drawer.js';
import { NotificationsDrawer } from './notifications-drawer.js';
import type { Subject } from './talk-data.js';
import './talk.css';

interface TalkDrawerProps {
  /** The item whose comments are shown; null: the notifications of the person. */
  readonly about: Subject | null;
  readonly onClose: () => void;
}

export const TalkDrawer = ({ about, onClose }: TalkDrawerProps) =>
  about === null ? <NotificationsDrawer onClose={onClose} /> : <CommentsDrawer {...about} onClose={onClose} />;

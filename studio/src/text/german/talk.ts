// Kommentare und Benachrichtigungen auf Deutsch.

import type { TalkMessages } from '../english/talk.js';

export const talkGerman: TalkMessages = {
  comments: 'Kommentare',
  noComments: 'Noch keine Kommentare',
  noCommentsHint:
    'Schreiben Sie, was andere zu diesem Eintrag wissen sollten. Mit @ erwähnen Sie jemanden: die Person wird benachrichtigt.',
  noCommentsReading: 'Zu diesem Eintrag hat niemand etwas gesagt.',
  write: 'Kommentar schreiben',
  writeHint: 'Mit @ erwähnen Sie jemanden',
  send: 'Kommentieren',
  sending: 'Wird gesendet …',
  edit: 'Bearbeiten',
  editComment: 'Kommentar bearbeiten',
  save: 'Kommentar speichern',
  edited: 'bearbeitet',
  deleteComment: 'Kommentar löschen',
  deleteCommentTitle: 'Diesen Kommentar löschen?',
  deleteCommentHint: 'Er ist dann für alle weg.',
  cancel: 'Abbrechen',
  someone: 'Jemand',
  you: 'Sie',
  somebody: 'jemand',
  people: 'Personen',
  nobodyFound: 'Niemand dieses Namens, den Sie sehen dürfen',
  found: (count) => (count === 1 ? '1 Person gefunden' : `${count} Personen gefunden`),
  older: 'Ältere anzeigen',
  failed: 'Das hat nicht geklappt.',
  notifications: 'Benachrichtigungen',
  show: 'Welche Benachrichtigungen',
  status: { inbox: 'Eingang', archived: 'Archiviert' },
  noNotifications: { inbox: 'Sie sind auf dem neuesten Stand', archived: 'Nichts ist archiviert' },
  noNotificationsHint: {
    inbox: 'Wenn jemand Sie in einem Kommentar erwähnt, erscheint es hier.',
    archived: 'Benachrichtigungen, die Sie archivieren, bleiben hier.',
  },
  archive: 'Archivieren',
  archiveAll: 'Alle archivieren',
  unarchive: 'In den Eingang',
};

// The French texts of comments and notifications.

import type { TalkMessages } from '../english/talk.js';
import { counted } from './words.js';

export const talkFrench: TalkMessages = {
  comments: 'Commentaires',
  noComments: 'Aucun commentaire pour l’instant',
  noCommentsHint: 'Écrivez ce que les autres doivent savoir sur cet élément. Tapez @ pour mentionner quelqu’un, qui en sera averti.',
  noCommentsReading: 'Personne n’a rien dit sur cet élément.',
  write: 'Écrire un commentaire',
  writeHint: 'Tapez @ pour mentionner quelqu’un',
  send: 'Commenter',
  sending: 'Envoi…',
  edit: 'Modifier',
  editComment: 'Modifier le commentaire',
  save: 'Enregistrer le commentaire',
  edited: 'modifié',
  deleteComment: 'Supprimer le commentaire',
  deleteCommentTitle: 'Supprimer ce commentaire ?',
  deleteCommentHint: 'Il disparaît pour tout le monde.',
  cancel: 'Annuler',
  someone: 'Quelqu’un',
  you: 'Vous',
  somebody: 'quelqu’un',
  people: 'Personnes',
  nobodyFound: 'Personne de ce nom que vous puissiez voir',
  found: (count) => counted(count, 'personne trouvée', 'personnes trouvées'),
  older: 'Afficher les plus anciens',
  failed: 'Cela n’a pas fonctionné.',
  notifications: 'Notifications',
  show: 'Quelles notifications',
  status: { inbox: 'Boîte de réception', archived: 'Archivées' },
  noNotifications: { inbox: 'Vous êtes à jour', archived: 'Rien n’est archivé' },
  noNotificationsHint: {
    inbox: 'Quand quelqu’un vous mentionne dans un commentaire, cela apparaît ici.',
    archived: 'Les notifications que vous archivez sont conservées ici.',
  },
  archive: 'Archiver',
  archiveAll: 'Tout archiver',
  unarchive: 'Remettre dans la boîte de réception',
};

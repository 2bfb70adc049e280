// The Spanish texts of comments and notifications.

import type { TalkMessages } from '../english/talk.js';
import { counted } from './words.js';

export const talkSpanish: TalkMessages = {
  comments: 'Comentarios',
  noComments: 'Aún no hay comentarios',
  noCommentsHint: 'Escriba lo que otros deban saber sobre este elemento. Escriba @ para mencionar a alguien: recibirá un aviso.',
  noCommentsReading: 'Nadie ha dicho nada sobre este elemento.',
  write: 'Escribir un comentario',
  writeHint: 'Escriba @ para mencionar a alguien',
  send: 'Comentar',
  sending: 'Enviando…',
  edit: 'Editar',
  editComment: 'Editar comentario',
  save: 'Guardar comentario',
  edited: 'editado',
  deleteComment: 'Eliminar comentario',
  deleteCommentTitle: '¿Eliminar este comentario?',
  deleteCommentHint: 'Desaparece para todos.',
  cancel: 'Cancelar',
  someone: 'Alguien',
  you: 'Usted',
  somebody: 'alguien',
  people: 'Personas',
  nobodyFound: 'Nadie con este nombre a quien pueda ver',
  found: (count) => counted(count, 'persona encontrada', 'personas encontradas'),
  older: 'Mostrar anteriores',
  failed: 'No ha funcionado.',
  notifications: 'Notificaciones',
  show: 'Qué notificaciones',
  status: { inbox: 'Bandeja de entrada', archived: 'Archivadas' },
  noNotifications: { inbox: 'Está al día', archived: 'No hay nada archivado' },
  noNotificationsHint: {
    inbox: 'Cuando alguien le mencione en un comentario, aparecerá aquí.',
    archived: 'Las notificaciones que archive se conservan aquí.',
  },
  archive: 'Archivar',
  archiveAll: 'Archivar todo',
  unarchive: 'Mover a la bandeja de entrada',
};

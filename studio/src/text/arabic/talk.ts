// The texts of comments and notifications in Arabic.

import type { TalkMessages } from '../english/talk.js';
import { countedOf } from './words.js';

export const talkArabic: TalkMessages = {
  comments: 'التعليقات',
  noComments: 'لا توجد تعليقات بعد',
  noCommentsHint: 'اكتب ما ينبغي أن يعرفه الآخرون عن هذا العنصر. اكتب @ للإشارة إلى شخص، فيصله إشعار.',
  noCommentsReading: 'لم يقل أحد شيئًا عن هذا العنصر.',
  write: 'كتابة تعليق',
  writeHint: 'اكتب @ للإشارة إلى شخص',
  send: 'تعليق',
  sending: 'جارٍ الإرسال…',
  edit: 'تعديل',
  editComment: 'تعديل التعليق',
  save: 'حفظ التعليق',
  edited: 'معدَّل',
  deleteComment: 'حذف التعليق',
  deleteCommentTitle: 'حذف هذا التعليق؟',
  deleteCommentHint: 'سيختفي لدى الجميع.',
  cancel: 'إلغاء',
  someone: 'شخص ما',
  you: 'أنت',
  somebody: 'شخص ما',
  people: 'الأشخاص',
  nobodyFound: 'لا أحد بهذا الاسم ممن يمكنك رؤيتهم',
  found: (count) => `تم العثور على ${countedOf(count, 'person')}`,
  older: 'عرض الأقدم',
  failed: 'لم ينجح ذلك.',
  notifications: 'الإشعارات',
  show: 'أي الإشعارات',
  status: { inbox: 'الوارد', archived: 'المؤرشف' },
  noNotifications: { inbox: 'لا جديد لديك', archived: 'لا شيء في الأرشيف' },
  noNotificationsHint: {
    inbox: 'حين يشير إليك شخص في تعليق، يظهر ذلك هنا.',
    archived: 'تُحفظ هنا الإشعارات التي تؤرشفها.',
  },
  archive: 'أرشفة',
  archiveAll: 'أرشفة الكل',
  unarchive: 'نقل إلى الوارد',
};

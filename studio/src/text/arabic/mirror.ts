// The texts of the drawer that shows a request, in Arabic.

import type { MirrorMessages } from '../english/mirror.js';
import { name } from './words.js';

export const mirrorArabic: MirrorMessages = {
  title: 'هذه الصفحة كطلب',
  hint: 'ما تقرؤه هذه الصفحة، لبرامجك أنت. تتوقف الإجابة على صلاحيات رمز الوصول.',
  tokenHint: 'الكلمة TOKEN رمز وصول ثابت لك، أو لحساب أُنشئ لهذا الغرض.',
  viewAs: (header) => `أنت تشاهد بصفة مستخدم آخر: أرسل الترويسة ${name(header)} أيضًا.`,
  kinds: 'لغة الطلب',
  copy: 'نسخ',
  copied: 'تم النسخ',
  sentTo: (address) => `إلى ${name(address)}`,
  noGraphql: 'لا توجد قراءة كهذه في GraphQL. يعرض GraphiQL ما هو متاح.',
  openGraphiql: 'فتح GraphiQL',
};

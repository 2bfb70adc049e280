// The texts of the command menu in Arabic.

import type { Messages } from '../messages.js';
import { name, quote } from './words.js';

export const commandArabic = {
  commands: 'الأوامر',
  signOn: 'موفّرو تسجيل الدخول',
  translations: 'الترجمات',
  api: 'API',
  graphiql: 'GraphiQL',
  slowStatements: 'العبارات البطيئة',
  keys: 'المفاتيح',
  storage: 'التخزين',
  pickTranslation: 'استخدام نص مترجم',
  shownAs: (text) => `يظهر هكذا: ${quote(text)}`,
  findAnything: 'ابحث عن مجموعة أو أمر',
  goTo: 'انتقال إلى',
  create: 'إنشاء',
  searchIn: 'بحث',
  actions: 'إجراءات',
  newIn: (collection) => `عنصر جديد في ${name(collection)}`,
  searchFor: (searchText, collection) => `البحث عن ${quote(searchText)} في ${name(collection)}`,
  lightAppearance: 'المظهر الفاتح',
  darkAppearance: 'المظهر الداكن',
  systemAppearance: 'مظهر النظام',
  more: 'المزيد',
  showRequest: 'عرض كطلب',
  modelDiagram: 'النموذج: مخطط',
  compareSnapshot: 'النموذج: مقارنة بلقطة',
} satisfies Partial<Messages>;

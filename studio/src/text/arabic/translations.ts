// The texts of the screens about translations, in Arabic.

import type { TranslationsMessages } from '../english/translations.js';
import { counted, name, quote } from './words.js';

export const translationsArabic: TranslationsMessages = {
  hint: `حيثما يُكتب اسم أو ملاحظة أو نص توضيحي أو خيار، يمثّل ${name('$t:key')} نص هذا المفتاح بلغة القارئ.`,
  add: 'ترجمة جديدة',
  find: 'ابحث عن مفتاح أو نص',
  key: 'المفتاح',
  keyHint: `يُكتب ${name('$t:key')} حيث يوضع النص.`,
  none: 'لا توجد ترجمات بعد',
  noneHint: 'تُحفظ هنا نصوص الاستمارات والقوائم ولوحات المعلومات التي تختلف من لغة إلى أخرى.',
  missing: 'بلا نص',
  edit: (key) => `تغيير ${name(key)}`,
  another: 'لغة أخرى',
  anotherHint: `وسم لغة، مثل ${name('fr-FR')}.`,
  addLanguage: 'إضافة لغة',
  save: 'حفظ',
  saved: 'تم حفظ الترجمة',
  delete: 'حذف',
  deleteAsk: (key) => `حذف الترجمة ${quote(key)}؟`,
  deleteHint: (count) => `${count === 1 ? 'يضيع نصها' : `يضيع معها ${counted(count, 'text')}`}. وحيث يُستخدم المفتاح، يظهر المفتاح نفسه.`,
  deleted: 'تم حذف الترجمة',
  failed: 'لا يمكن قراءة الترجمات.',
  more: 'عرض المزيد',
  pick: 'استخدام نص مترجم',
  use: (key) => `استخدام ${name(key)}`,
  nothingFound: 'لا شيء يطابق.',
};
